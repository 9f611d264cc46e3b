#pragma once
// What Swift's Glibc module does not export.
#define _GNU_SOURCE
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <unistd.h>

/// accept4(2), which needs _GNU_SOURCE.
int nv_accept4(int listener, struct sockaddr *_Nullable address, socklen_t *_Nullable length);
/// Lowers the priority of the calling thread alone (nice values are per thread on Linux).
int nv_set_thread_nice(int nice);
