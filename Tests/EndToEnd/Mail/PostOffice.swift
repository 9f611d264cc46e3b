import Foundation
import TestSupport

/// A script in place of sendmail that files each mail, and access to the filed mails.
struct PostOffice: Sendable {
    /// The script's failure mode, active while a file of that name exists.
    enum Trouble: String, Sendable {
        /// Writes the message to its output, the recipient first, and fails.
        case fail
        /// Reads the message and never ends.
        case hang
        /// Kills the server, once.
        case kill
    }

    let folder = Sandbox.makeFolder()
    var script: String { folder + "/sendmail" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder + "/box", withIntermediateDirectories: true)
        let text = """
            cd '\(folder)' || exit 70
            if [ -e kill ]; then rm kill; kill -9 $PPID; exit 70; fi
            if [ -e hang ]; then cat >hanging.$$; sleep 1000; exit 70; fi
            if [ -e fail ]; then cat >failing.$$; grep '^To: ' failing.$$; cat failing.$$; exit 75; fi
            { echo "$*"; cat; } >filing.$$ && mv filing.$$ "box/$(date +%s%N).$$"

            """
        try Script.write(text, to: script)
    }

    /// The settings of a server that sends mails by it.
    var arguments: [String] {
        ["--sendmail", script, "--mail-from", "cloud@example.org", "--account-url", "https://app.example.org/account"]
    }

    /// Starts a failure mode.
    func begin(_ trouble: Trouble) throws { try "".write(toFile: path(trouble), atomically: true, encoding: .utf8) }

    /// True if the failure mode is still active.
    func isDue(_ trouble: Trouble) -> Bool { Operator.exists(path(trouble)) }

    func end(_ trouble: Trouble) throws { try FileManager.default.removeItem(atPath: path(trouble)) }

    private func path(_ trouble: Trouble) -> String { folder + "/" + trouble.rawValue }

    /// The messages that the script has read and not filed.
    func hanging() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("hanging.") }
    }

    /// The subjects of mails about account events.
    private static let newsSubjects: Set = [
        "A new device has logged in", "Your password was changed", "A wrong code was entered", "A passkey was refused",
        "An authenticator app was added", "The authenticator app was removed", "A passkey was added",
        "A passkey was removed", "A way to log in was added", "A way to log in was removed",
        "One of your devices was logged out", "Your data was exported", "Your account was deleted",
    ]

    /// The mails to an address that answer a request, oldest first.
    func mails(to address: String) throws -> [Mail] {
        try all(to: address).filter { !Self.newsSubjects.contains($0.subject) }
    }

    /// The mails to an address about account events, oldest first.
    func news(to address: String) throws -> [Mail] {
        try all(to: address).filter { Self.newsSubjects.contains($0.subject) }
    }

    private func all(to address: String) throws -> [Mail] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/box").sorted()
            .map { Mail(try String(contentsOfFile: "\(folder)/box/\($0)", encoding: .utf8)) }
            .filter { $0.field("To") == address }
    }

    /// Waits until an address has `count` mails that answer requests, and returns the last one.
    @discardableResult
    func arrival(_ count: Int = 1, to address: String) throws -> Mail {
        try Deadline.wait("mail \(count) to \(address)", seconds: 30) { try mails(to: address).count >= count }
        let all = try mails(to: address)
        guard all.count == count, let last = all.last else { throw Program.Failure("\(all.count) mails to \(address)") }
        return last
    }
}

/// A filed mail.
struct Mail: Sendable {
    /// The arguments of the program, from the command line.
    let arguments: String
    let header: [String]
    let body: String

    init(_ file: String) {
        let lines = file.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        arguments = String(lines.first ?? "")
        let parts = (lines.last ?? "").components(separatedBy: "\n\n")
        header = parts[0].components(separatedBy: "\n")
        body = parts.dropFirst().joined(separator: "\n\n")
    }

    func field(_ name: String) -> String? {
        header.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    var subject: String { field("Subject") ?? "" }

    /// The token of the link; `action` is the part before the token.
    func token(_ action: String) -> String {
        let start = "https://app.example.org/account#\(action)="
        let line = body.split(separator: "\n").first { $0.hasPrefix(start) }
        return line.map { String($0.dropFirst(start.count)) } ?? ""
    }
}
