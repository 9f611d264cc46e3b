extension RequestHead {
    /// Returns true if the client offers to switch the connection to this protocol
    /// (RFC 9110, section 7.8). HTTP/1.0 can't.
    public func asksToUpgrade(to name: String) -> Bool {
        minorVersion > 0 && lists("upgrade", in: "connection") && lists(name, in: "upgrade")
    }

    private func lists(_ element: String, in field: String) -> Bool {
        headers.values(field).contains { value in
            let bytes = value.utf8.span
            var rest = 0..<bytes.count
            while let part = bytes.nextListElement(&rest) {
                if bytes.equals(element, ignoringCaseIn: part) { return true }
            }
            return false
        }
    }
}
