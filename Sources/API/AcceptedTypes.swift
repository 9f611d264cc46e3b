import HTTP

/// The media types that a client accepts (RFC 9110, 12.5.1). Unreadable elements are ignored: the field is
/// only a wish, and JSON suits any value.
struct AcceptedTypes: Sendable {
    private var wishes: [(type: String, quality: Double)] = []

    /// Reads all lines of Accept.
    init(_ headers: Headers) { self.init(lines: headers.values("accept")) }

    /// Reads the values of the field's lines.
    init(lines: [String]) {
        for line in lines {
            for element in line.split(separator: ",") {
                let parts = element.split(separator: ";").map { part in
                    part.lowercased().filter { $0 != " " && $0 != "\t" }
                }
                guard let type = parts.first else { continue }
                let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
                wishes.append((type, quality ?? 1))
            }
        }
    }

    /// True if the client prefers CSV to JSON. At equal quality, the more precise range wins.
    var prefersCSV: Bool {
        let (csv, json) = (wish("text", "csv"), wish("application", "json"))
        guard csv.quality > 0 else { return false }
        return csv.quality > json.quality || csv.quality == json.quality && csv.precision > json.precision
    }

    /// The most precise range for a type: 3 names it, 1 is `*/*`.
    private func wish(_ type: String, _ subtype: String) -> (precision: Int, quality: Double) {
        for (precision, range) in [(3, "\(type)/\(subtype)"), (2, "\(type)/*"), (1, "*/*")] {
            if let found = wishes.first(where: { $0.type == range }) { return (precision, found.quality) }
        }
        return (0, 0)
    }
}
