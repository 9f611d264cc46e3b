import CNeuroViewsCurl

/// Domain names as DNS has them.
package enum DomainName {
    /// Longer names have no ASCII form: DNS allows 253 bytes, and a letter has at most 4 in UTF-8.
    private static let nameMaxBytes = 1024

    /// Returns the ASCII form (A-labels, RFC 5890) of a name in any script, mapped by UTS 46 and in lower case. libcurl
    /// makes it, as for the host of a URL. Nil for a name that has none.
    package static func ascii(_ name: String) -> String? {
        // Other ASCII characters would make libcurl see more than a host.
        let isName = name.unicodeScalars.allSatisfy { !$0.isASCII || isLetterDigitOrHyphen($0) || $0 == "." }
        guard isName, name.utf8.count <= nameMaxBytes, let text = nv_curl_ascii_host(name) else { return nil }
        // `text` is libcurl's own copy, with a NUL at its end.
        defer { curl_free(text) }
        let ascii = String(cString: text)
        // A libcurl without libidn2 returns each name as it is.
        return ascii.utf8.allSatisfy { $0 < 0x80 } ? ascii : nil
    }

    private static func isLetterDigitOrHyphen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-": true
        default: false
        }
    }
}
