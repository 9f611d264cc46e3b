import Postgres

/// A command that this server may deliver, as it was read from its row.
package struct OpenCommand: Sendable {
    package let account: AccountID
    package let id: String
    /// The name of the device that sent it.
    package let sender: String
    /// The name of the device that it is for.
    package let target: String
    /// The JSON object with the command and its parameters.
    package let message: [UInt8]
    /// The time until its deadline when the row was read. The clocks of devices and servers are not compared.
    package let remainingMs: Int

    init(
        account: AccountID,
        id: String,
        sender: String,
        target: String,
        message: [UInt8],
        remainingMs: Int
    ) {
        self.account = account
        self.id = id
        self.sender = sender
        self.target = target
        self.message = message
        self.remainingMs = remainingMs
    }

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        self.init(
            account: try AccountID(&columns),
            id: try columns.next(),
            sender: try columns.next(),
            target: try columns.next(),
            message: try columns.next(),
            remainingMs: try columns.next()
        )
    }
}

/// The outcome of a command, as its row has it.
package struct CommandEnd: Sendable, Equatable {
    package let outcome: String
    /// The device's answer, as JSON.
    package let result: [UInt8]?
}

/// What became of a command at the server that may deliver it.
package enum CommandDelivery: Sendable, Equatable {
    /// Written to a socket. A client that does not speak v2 can't answer.
    case written(speaksV2: Bool)
    /// The device has no socket here, or too many commands wait for it. Nothing was sent.
    case unreachable
}

extension AccountID {
    /// Reads a column with an account's id.
    init(_ columns: inout Columns) throws(UnexpectedResult) {
        let text: String = try columns.next()
        guard let account = AccountID(text) else { throw UnexpectedResult("an account's id is no UUID") }
        self = account
    }
}
