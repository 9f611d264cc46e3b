// The functions of Darwin that the library calls, for `apple-check`: their shapes only. From the manual pages of macOS (sections 2 and 3), which
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/ has, and from the headers of
// https://github.com/apple-oss-distributions/xnu (bsd/sys) and https://github.com/apple-oss-distributions/Libc (include).
// swift-format-ignore-file

public typealias mode_t = UInt16
public typealias off_t = Int64
public typealias uid_t = UInt32
public typealias useconds_t = UInt32
public typealias sa_family_t = UInt8

// errno(2), intro(2)
public var errno: Int32 {
    get { 0 }
    set {}
}
public let EPERM: Int32 = 1, ENOENT: Int32 = 2, EINTR: Int32 = 4, EACCES: Int32 = 13, EEXIST: Int32 = 17, ENOTDIR: Int32 = 20, EINVAL: Int32 = 22
public let EFBIG: Int32 = 27, ENOSPC: Int32 = 28, EROFS: Int32 = 30, EWOULDBLOCK: Int32 = 35, ELOOP: Int32 = 62, EDQUOT: Int32 = 69

// open(2), fcntl(2), flock(2), access(2)
public let O_RDONLY: Int32 = 0, O_WRONLY: Int32 = 1, O_RDWR: Int32 = 2, O_NONBLOCK: Int32 = 4, O_NOFOLLOW: Int32 = 0x100, O_CREAT: Int32 = 0x200
public let O_EXCL: Int32 = 0x800, O_DIRECTORY: Int32 = 0x100000, O_CLOEXEC: Int32 = 0x1000000
public let F_RDAHEAD: Int32 = 45, F_GETPATH: Int32 = 50, F_FULLFSYNC: Int32 = 51
public let LOCK_EX: Int32 = 2, LOCK_NB: Int32 = 4, LOCK_UN: Int32 = 8
public let F_OK: Int32 = 0
public let MAXPATHLEN: Int32 = 1024
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { -1 }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { -1 }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { -1 }
@discardableResult public func flock(_ fd: Int32, _ operation: Int32) -> Int32 { -1 }
@discardableResult public func close(_ fd: Int32) -> Int32 { -1 }
public let R_OK: Int32 = 4
public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 { -1 }

// read(2), write(2), truncate(2), fsync(2)
public func read(_ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int { -1 }
public func pread(_ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t) -> Int { -1 }
public func write(_ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int { -1 }
public func pwrite(_ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ offset: off_t) -> Int { -1 }
public func ftruncate(_ fd: Int32, _ length: off_t) -> Int32 { -1 }
public func fsync(_ fd: Int32) -> Int32 { -1 }

// mkdir(2), rename(2), unlink(2)
public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { -1 }
public func rename(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 { -1 }
public func renameat(_ from: Int32, _ old: UnsafePointer<CChar>, _ to: Int32, _ new: UnsafePointer<CChar>) -> Int32 { -1 }
@discardableResult public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { -1 }
@discardableResult public func unlinkat(_ fd: Int32, _ path: UnsafePointer<CChar>!, _ flag: Int32) -> Int32 { -1 }

// stat(2)
public struct timespec: Sendable {
    public var tv_sec = 0
    public var tv_nsec = 0
    public init() {}
}
public struct stat: Sendable {
    public var st_dev: Int32 = 0
    public var st_mode: mode_t = 0
    public var st_ino: UInt64 = 0
    public var st_uid: uid_t = 0
    public var st_mtimespec = timespec()
    public var st_size: off_t = 0
    public init() {}
}
public let S_IFMT: mode_t = 0o170000, S_IFDIR: mode_t = 0o040000, S_IFREG: mode_t = 0o100000
public func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>!) -> Int32 { -1 }
public func lstat(_ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!) -> Int32 { -1 }
public func fstatat(_ fd: Int32, _ path: UnsafePointer<CChar>!, _ status: UnsafeMutablePointer<stat>!, _ flag: Int32) -> Int32 { -1 }
public let AT_FDCWD: Int32 = -2
public func geteuid() -> uid_t { 0 }

// pthread_mutex_init(3) and the pages beside it, usleep(3), strerror(3), arc4random(3)
public struct pthread_mutex_t { public init() {} }
public struct pthread_mutexattr_t { public init() {} }
@discardableResult public func pthread_mutex_init(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ attributes: UnsafePointer<pthread_mutexattr_t>?) -> Int32 { 0 }
@discardableResult public func pthread_mutex_destroy(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { 0 }
@discardableResult public func pthread_mutex_lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { 0 }
@discardableResult public func pthread_mutex_unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { 0 }
@discardableResult public func usleep(_ us: useconds_t) -> Int32 { 0 }
public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { nil }
public func arc4random_buf(_ buffer: UnsafeMutableRawPointer!, _ count: Int) {}

// getifaddrs(3), netintro(4), inet(4), inet6(4)
public let IFF_UP: Int32 = 1, IFF_LOOPBACK: Int32 = 8
public let AF_INET: Int32 = 2, AF_INET6: Int32 = 30
public struct sockaddr { public var sa_family: sa_family_t = 0 }
public struct sockaddr_in { public var sin_family: sa_family_t = 0 }
public struct sockaddr_in6 { public var sin6_family: sa_family_t = 0 }
public struct ifaddrs {
    public var ifa_next: UnsafeMutablePointer<ifaddrs>!
    public var ifa_flags: UInt32
    public var ifa_addr: UnsafeMutablePointer<sockaddr>!
}
public func getifaddrs(_ first: UnsafeMutablePointer<UnsafeMutablePointer<ifaddrs>?>!) -> Int32 { -1 }
public func freeifaddrs(_ first: UnsafeMutablePointer<ifaddrs>!) {}
