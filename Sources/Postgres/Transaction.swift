/// A transaction of several round trips on a connection of its own, for work that depends on what it has read. What was not committed when
/// its body ends is rolled back.
///
/// `@unchecked Sendable`: used by its body alone, which runs one thing after the other.
public final class Transaction: @unchecked Sendable {
    /// Sends steps with one Sync and returns their results.
    typealias Send = ([Step]) async throws(DatabaseError) -> [Rows]

    private let send: Send
    private var isOpen = false

    private static let begin = Statement("BEGIN")()
    private static let commit = Statement("COMMIT")()
    private static let rollback = Statement("ROLLBACK")()

    init(_ send: @escaping Send) { self.send = send }

    /// Runs steps and returns their results. The transaction stays open, with its locks.
    public func run(_ steps: [Step]) async throws(DatabaseError) -> [Rows] { try await perform(steps) }

    /// Runs the last steps, commits, and returns their results.
    public func commit(_ steps: [Step] = []) async throws(DatabaseError) -> [Rows] {
        let results = try await perform(steps + [Self.commit])
        isOpen = false
        return results.dropLast()
    }

    private func perform(_ steps: [Step]) async throws(DatabaseError) -> [Rows] {
        if isOpen { return try await send(steps) }
        isOpen = true
        return Array(try await send([Self.begin] + steps).dropFirst())
    }

    /// Rolls back what is open. A connection that was lost has done so.
    func end() async {
        guard isOpen else { return }
        isOpen = false
        _ = try? await send([Self.rollback])
    }
}
