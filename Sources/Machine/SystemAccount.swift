import Glibc

/// An account of the system, copied from its entry. `getpwuid` returns memory that the next call overwrites, also from another thread.
package struct SystemAccount {
    package let name: String
    package let user: uid_t
    package let group: gid_t

    /// nil if no entry has this name.
    package init?(named name: String) {
        self.init { getpwnam_r(name, $0, $1, $2, $3) }
    }

    /// nil if no entry has this number.
    package init?(_ user: uid_t) {
        self.init { getpwuid_r(user, $0, $1, $2, $3) }
    }

    /// Fills the entry, whose texts go into the memory.
    typealias LookUp = (
        _ entry: UnsafeMutablePointer<passwd>,
        _ texts: UnsafeMutablePointer<CChar>,
        _ textsBytes: Int,
        _ found: UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32

    private static let textsMaxBytes = 1 << 20

    /// Gives the entry's texts more memory until they fit.
    init?(_ lookUp: LookUp) {
        var bytes = 1024
        while bytes <= Self.textsMaxBytes {
            var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
            var (texts, status) = ([CChar](repeating: 0, count: bytes), EINTR)
            let name = texts.withUnsafeMutableBufferPointer { texts -> String? in
                guard let start = texts.baseAddress else { return nil }
                while status == EINTR { status = lookUp(&entry, start, texts.count, &found) }
                return status == 0 && found != nil ? String(cString: entry.pw_name) : nil
            }
            if let name {
                (self.name, user, group) = (name, entry.pw_uid, entry.pw_gid)
                return
            }
            guard status == ERANGE else { return nil }
            bytes *= 4
        }
        return nil
    }
}
