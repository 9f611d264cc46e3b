/// The Levenshtein distance of two names: the number of letters to insert, remove or replace. Messages suggest the
/// nearest known name by it. The case of ASCII letters does not count.
public enum EditDistance {
    /// A longer name is near to none, so that a stranger's long one costs nothing.
    private static var bytesMax: Int { 64 }

    /// Returns the distance in bytes; nil if it is greater than `most`.
    public static func between(_ left: [UInt8], _ right: [UInt8], most: Int) -> Int? {
        guard left.count <= bytesMax, abs(left.count - right.count) <= most else { return nil }
        var row = Array(0...right.count)
        for (line, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (byte.lowercased == other.lowercased ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count] <= most ? row[right.count] : nil
    }

    /// Returns the nearest of these names, the first of several. Nil if none is within the distance that `most`
    /// returns for it.
    public static func nearest(to name: String, among names: [String], most: (String) -> Int) -> String? {
        let letters = Array(name.utf8)
        var found: (name: String, distance: Int)?
        for candidate in names {
            guard let distance = between(letters, Array(candidate.utf8), most: most(candidate)) else { continue }
            if distance < found?.distance ?? .max { found = (candidate, distance) }
        }
        return found?.name
    }
}
