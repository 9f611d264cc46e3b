/// More bytes that a request needs for its body or its answer.
struct BufferWish: Sendable {
    let bytes: Int
    let holder: Holder
    /// The bytes that the request has reserved before.
    let reservedBytes: Int
}

/// The bytes in use when a request needs more.
struct BufferUse {
    /// Those of all requests.
    var all: Int
    /// Those of the request's holder.
    var holder: Int
    /// Those of the request itself.
    var request: Int
}

/// The rules for the memory of bodies and large answers.
struct BufferRoom {
    let maxBytes: Int

    /// The share that a holder may use in any case.
    private var shareBytes: Int { maxBytes / 4 }

    /// Returns true if there is room for `bytes` more. The last reservation may exceed the limit: otherwise a response
    /// larger than the whole budget could never be sent. The last quarter is for holders within their share.
    func has(_ bytes: Int, _ use: BufferUse) -> Bool {
        guard use.all < maxBytes else { return false }
        return isWithinShare(bytes, use) || use.all + bytes <= maxBytes - shareBytes
    }

    /// Returns true if others may have to make room for `bytes`. The only request of a holder may be larger than a share:
    /// a limit for its holder would be one for all bodies and answers.
    func isWithinShare(_ bytes: Int, _ use: BufferUse) -> Bool {
        use.holder == use.request || use.holder + bytes <= shareBytes
    }

    /// Returns true if a request that waits for its client must end for another one. `bytes` are those of its
    /// holder. A holder's own requests make room only when they are silent.
    func ends(bytes: Int, isSilent: Bool, isOwn: Bool, for wished: Int, _ use: BufferUse) -> Bool {
        if isOwn { return isSilent }
        return isWithinShare(wished, use) && (bytes > use.holder || isSilent)
    }
}
