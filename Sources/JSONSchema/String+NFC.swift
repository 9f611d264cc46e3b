@_spi(_Unicode) import Swift

extension String {
    /// Normalization Form C (Unicode Standard Annex 15). Uses the standard library's own function for comparing
    /// strings: Foundation's would add 30 MB of ICU's data to the server.
    package var normalized: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: _nfc)
        return String(scalars)
    }
}
