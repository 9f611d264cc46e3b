#pragma once
// What Swift's Glibc module does not export.
#include <dirent.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC; it needs _GNU_SOURCE, which a header may not set for Swift.
int nv_accept4(int listener, struct sockaddr *address, socklen_t *length);
/// Lowers the priority of the calling thread alone (nice values are per thread on Linux).
int nv_set_thread_nice(int nice);
/// Has the program that is spawned begin with the descriptors 0, 1 and 2 alone.
int nv_spawn_keep_three(posix_spawn_file_actions_t *actions);
/// Has the program that is spawned begin in that folder.
int nv_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder);
/// From now on a listening TCP socket begins no further handshake; those under way are finished. Negative on failure.
int nv_refuse_handshakes(int listener);
/// Bytes of a socket's send queue that the peer has not acknowledged (SIOCOUTQ); 0 on failure.
int nv_unacknowledged_bytes(int descriptor);
/// The name of an entry that readdir(3) returned, valid as long as the entry.
const char *nv_entry_name(const struct dirent *entry);
/// Reads a part of a file into the page cache (readahead(2)). Negative on failure.
int nv_read_ahead(int descriptor, off_t offset, size_t count);
/// Names this thread, with 15 bytes at most.
int nv_set_thread_name(const char *name);
/// Both ends of a new pipe, closed in programs that are started.
int nv_pipe(int ends[2]);
/// Renames a file, unless there is one of the new name (renameat2(2), RENAME_NOREPLACE). Negative on failure.
int nv_rename_new(const char *from, const char *to);
/// Gives this thread the rights of an account for files (setfsuid(2)), its group alone, and no capability that reaches further. Negative on failure.
int nv_use_files_as(uid_t user, gid_t group);
/// Gives all threads the rights of an account, and its group alone. The saved ids stay root's, so that a second call can give root's back. Negative
/// on failure.
int nv_act_as(uid_t user, gid_t group);
