#define _GNU_SOURCE
#include "linux.h"
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int nv_accept4(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int nv_set_thread_nice(int nice) {
    return setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice);
}

int nv_set_thread_name(const char *name) { return pthread_setname_np(pthread_self(), name); }

int nv_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int nv_spawn_keep_three(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int nv_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int nv_refuse_handshakes(int listener) {
    // A socket filter sees a segment from its TCP header on; byte 13 contains the flags. A SYN without ACK is dropped.
    // The sender repeats it later, when this socket is closed and another one may listen.
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x12),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x02, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
    };
    struct sock_fprog filter = {sizeof program / sizeof program[0], program};
    return setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

int nv_unacknowledged_bytes(int descriptor) {
    int bytes = 0;
    return ioctl(descriptor, SIOCOUTQ, &bytes) < 0 ? 0 : bytes;
}

const char *nv_entry_name(const struct dirent *entry) { return entry->d_name; }

int nv_read_ahead(int descriptor, off_t offset, size_t count) { return (int)readahead(descriptor, offset, count); }

int nv_rename_new(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE); }

int nv_use_files_as(uid_t user, gid_t group) {
    // The system call changes only this thread, unlike setgroups(3). Root needs no groups.
    if (syscall(SYS_setgroups, user == 0 ? 0 : 1, &group) != 0) return -1;
    // Both calls return the former id on success and on failure. An id of -1 is never valid, so it only reads the
    // current id.
    setfsgid(group);
    setfsuid(user);
    return (uid_t)setfsuid((uid_t)-1) == user && (gid_t)setfsgid((gid_t)-1) == group ? 0 : -1;
}

int nv_act_as(uid_t user, gid_t group) {
    // Only root may change groups, so root's rights are restored first.
    if (geteuid() != 0 && setresuid(0, 0, 0) != 0) return -1;
    return setgroups(1, &group) != 0 || setresgid(group, group, 0) != 0 || setresuid(user, user, 0) != 0 ? -1 : 0;
}
