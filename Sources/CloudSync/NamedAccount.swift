import Net
import Postgres

/// The rule that every statement of a caller names the caller's account. Row-level security hides a statement that
/// forgets it, so debug builds check each one before it is sent.
enum NamedAccount {
    /// Throws for a statement that neither names the account nor is one of the exceptions. Does nothing in a release.
    static func require(in steps: [Step], of caller: Caller) throws(UnexpectedResult) {
        #if DEBUG && !MEASURED
            for step in steps where !isNamed(caller.userID, in: step) && !isException(step.sql) {
                throw UnexpectedResult("a statement names no account: \(step.sql)")
            }
        #endif
    }
}

#if DEBUG && !MEASURED
    extension NamedAccount {
        private static let ofSession = """
            The function has the owner's rights, so row-level security does not restrict it. It takes the account that \
            enter_session has set: with an argument, an injected statement could name any account.
            """

        /// The statements of callers that name no account, by the beginning of their SQL, each with the reason.
        static let exceptions: [(sql: String, reason: String)] = [
            ("SELECT limit_lock_wait($1)", "Sets a limit of its transaction."),
            ("SELECT lock_address($1)", "Locks an address, with or without an account."),
            ("SELECT spend_id_token($1, $2)", "A token counts once for all accounts."),
            ("SELECT array_agg(floor(extract(epoch FROM least(", "Computes a time zone's days; reads no table."),
            ("SELECT request_address($1)", ofSession),
            ("SELECT require_confirmation($1)", ofSession),
            ("SELECT require_standing($1, $2, $3)", ofSession),
            ("SELECT erase_events($1, $2)", ofSession),
            ("SELECT erase_account($1::bytea, $2::uuid, $3::inet, $4::bool)", ofSession),
        ]

        private static func isException(_ sql: String) -> Bool { exceptions.contains { sql.hasPrefix($0.sql) } }

        private static func isNamed(_ userID: String, in step: Step) -> Bool {
            numbers(in: step.sql).contains { number in
                step.parameters.indices.contains(number - 1) && step.parameters[number - 1].isText(userID)
            }
        }

        /// Statements are constants, so each is read once.
        private static let known = Locked<[String: Set<Int>]>([:])

        /// The numbers of the parameters that a statement can name the account by.
        private static func numbers(in sql: String) -> Set<Int> {
            known.withLock { known in
                if let numbers = known[sql] { return numbers }
                let numbers = read(sql)
                known[sql] = numbers
                return numbers
            }
        }

        /// The text before a parameter that is compared with an account's column, is a value of a row, or an argument.
        private static let uses = ["user_id = ", " id = ", ".id = ", "(id = ", "SELECT ", "(", ", "]

        private static func read(_ sql: String) -> Set<Int> {
            var numbers: Set<Int> = []
            var rest = sql[...]
            while let dollar = rest.firstIndex(of: "$") {
                let before = sql[..<dollar]
                let digits = rest[rest.index(after: dollar)...].prefix { ("0"..."9").contains($0) }
                if let number = Int(digits), uses.contains(where: { before.hasSuffix($0) }) { numbers.insert(number) }
                rest = rest[digits.endIndex...]
            }
            return numbers
        }
    }

    extension Parameter {
        fileprivate func isText(_ text: String) -> Bool {
            switch self {
            case .text(let value): value == text
            case .utf8(let value): value.elementsEqual(text.utf8)
            case .null, .int, .bool, .bytes: false
            }
        }
    }
#endif
