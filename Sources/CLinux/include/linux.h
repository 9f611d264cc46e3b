#pragma once
// Functions that Swift's Glibc module does not export.
#include <dirent.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC. It needs _GNU_SOURCE, which a header may not set for Swift.
int nv_accept4(int listener, struct sockaddr *address, socklen_t *length);
/// Lowers the priority of the calling thread alone (nice values are per thread on Linux).
int nv_set_thread_nice(int nice);
/// Starts the spawned program with only the descriptors 0, 1 and 2.
int nv_spawn_keep_three(posix_spawn_file_actions_t *actions);
/// Starts the spawned program in that folder.
int nv_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder);
/// Stops new handshakes on a listening TCP socket; those in progress finish. Negative on failure.
int nv_refuse_handshakes(int listener);
/// Bytes of a socket's send queue that the peer has not acknowledged (SIOCOUTQ); 0 on failure.
int nv_unacknowledged_bytes(int descriptor);
/// The name of an entry that readdir(3) returned, valid as long as the entry.
const char *nv_entry_name(const struct dirent *entry);
/// Reads a part of a file into the page cache (readahead(2)). Negative on failure.
int nv_read_ahead(int descriptor, off_t offset, size_t count);
/// Names this thread, with at most 15 bytes.
int nv_set_thread_name(const char *name);
/// Both ends of a new pipe, closed in spawned programs.
int nv_pipe(int ends[2]);
/// Renames a file, unless the new name exists (renameat2(2), RENAME_NOREPLACE). Negative on failure.
int nv_rename_new(const char *from, const char *to);
/// Gives this thread an account's rights for files (setfsuid(2)), only its group, and no further capability. Negative
/// on failure.
int nv_use_files_as(uid_t user, gid_t group);
/// Gives all threads an account's rights and only its group. The saved ids stay root's, so that a second call can
/// restore root's rights. Negative on failure.
int nv_act_as(uid_t user, gid_t group);
