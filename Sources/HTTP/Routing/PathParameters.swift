/// The path segments at the places of a pattern's parameters, in the order of the path. They are percent-decoded; an
/// encoded slash stays within its segment.
public struct PathParameters: Sendable {
    /// The names, from the pattern.
    public let names: [String]
    /// The values, in the order of `names`.
    public let values: [String]

    /// The value of the parameter with this name.
    public subscript(name: String) -> String? {
        for (index, candidate) in names.enumerated() where candidate.utf8.elementsEqual(name.utf8) {
            return values[index]
        }
        return nil
    }
}
