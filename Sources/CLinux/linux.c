#define _GNU_SOURCE
#include "linux.h"
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int nv_accept4(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int nv_set_thread_nice(int nice) {
    return setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice);
}
