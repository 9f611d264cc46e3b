import CloudSync
import FoundationEssentials
import Glibc
import Machine
import Synchronization

/// Runs the mail program with options that Postfix, Exim, msmtp and nullmailer support. -t reads the recipient from the
/// message, so the process list shows no address. -i lets a single dot be a normal line. -f sets the sender.
package final class Sendmail: Sendable {
    private let path: String
    private let sender: MailAddress
    private let limitSeconds: Double
    private let isStopping = Atomic(false)

    /// The error of a mail that was not sent.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let sliceSeconds = 0.25
    /// The time left for running programs when the server stops.
    private static let stopSeconds = 5.0
    private static let complaintMaxCharacters = 200

    init(_ path: String, sender: MailAddress, limitSeconds: Double = 60) {
        self.path = path
        self.sender = sender
        self.limitSeconds = limitSeconds
    }

    /// Passes a mail to the program and blocks until it ends. Throws `Failure`, or `FileError` if the program can't be
    /// started.
    package func send(_ message: MailMessage) throws {
        let log = FileManager.default.temporaryDirectory.path + "/neuroviews-\(UUID().uuidString).log"
        defer { unlink(log) }
        let child = try ChildProcess([path, "-i", "-t", "-f", sender.text], log: log, input: message.text)
        guard let status = wait(for: child) else {
            child.kill()
            throw Failure(description: "\(path) has not ended in time")
        }
        guard status != 0 else { return }
        throw Failure(description: "\(path) ended with status \(status)\(Self.complaint(log, about: message))")
    }

    /// Gives running programs a few more seconds.
    package func stop() { isStopping.store(true, ordering: .relaxed) }

    private func wait(for child: ChildProcess) -> Int32? {
        var leftSeconds = limitSeconds
        while leftSeconds > 0 {
            let slice = min(leftSeconds, Self.sliceSeconds)
            if let status = child.wait(seconds: slice) { return status }
            leftSeconds -= slice
            if isStopping.load(ordering: .relaxed) { leftSeconds = min(leftSeconds, Self.stopSeconds) }
        }
        return nil
    }

    /// The first line of the program's output. It may repeat the message, so addresses and tokens are removed for the
    /// log.
    private static func complaint(_ log: String, about message: MailMessage) -> String {
        let text = (try? FileDescriptor.readOwnText(log, maxBytes: 65536)) ?? ""
        guard var line = text.split(whereSeparator: \.isNewline).first.map(String.init) else { return "" }
        for secret in [message.token, message.recipient.text].compactMap(\.self) {
            line = line.replacing(secret, with: "…")
        }
        // Also removes the recipient in another spelling and addresses of aliases.
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        line = words.map { $0.contains("@") ? "…" : $0 }.joined(separator: " ")
        return ": \(line.prefix(complaintMaxCharacters))"
    }
}
