/// A transaction of several round trips on a connection of its own, for work that depends on what it has read. What was not committed when
/// its body ends is rolled back.
///
/// `@unchecked Sendable`: used by its body alone, which runs one thing after the other.
public final class Transaction: @unchecked Sendable {
    /// Sends steps with one Sync and returns their results.
    typealias Send = ([Step]) async throws(DatabaseError) -> [Rows]

    private let send: Send
    private let disconnect: () -> Void
    private var isOpen = false
    /// Why nothing can be committed any more.
    private var failure: DatabaseError?

    private static let begin = Statement("BEGIN")()
    private static let commit = Statement("COMMIT")()
    private static let rollback = Statement("ROLLBACK")()

    init(_ send: @escaping Send, disconnect: @escaping () -> Void) {
        self.send = send
        self.disconnect = disconnect
    }

    /// Runs steps and returns their results. The transaction stays open, with its locks.
    public func run(_ steps: [Step]) async throws(DatabaseError) -> [Rows] { try await perform(steps) }

    /// Runs the last steps, commits, and returns their results.
    public func commit(_ steps: [Step] = []) async throws(DatabaseError) -> [Rows] {
        let results = try await perform(steps + [Self.commit])
        isOpen = false
        return results.dropLast()
    }

    /// After an error PostgreSQL answers COMMIT with ROLLBACK, as if all was well.
    private func perform(_ steps: [Step]) async throws(DatabaseError) -> [Rows] {
        if let failure { throw failure }
        let begin = isOpen ? [] : [Self.begin]
        isOpen = true
        do throws(DatabaseError) {
            return Array(try await send(begin + steps).dropFirst(begin.count))
        } catch {
            failure = error
            throw error
        }
    }

    /// Rolls back what is open. A connection that was lost has done so; one that can't is not used again.
    func end() async {
        guard isOpen else { return }
        isOpen = false
        do throws(DatabaseError) { _ = try await send([Self.rollback]) } catch { disconnect() }
    }
}
