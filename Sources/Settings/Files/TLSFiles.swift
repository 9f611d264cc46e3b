import FoundationEssentials
import Glibc
import Machine
import Net

/// The PEM files of the public listener's certificate and key.
package struct TLSFiles: Equatable, Sendable {
    let certificatePath: String
    let keyPath: String
    /// A certificate that ends within this time causes a warning.
    package static let warningS = 14 * 86400
    private static let maxBytes = 1 << 20

    /// Reads and checks the pair. The error names the wrong file and the remedy.
    package func load(nowS: Int) throws(CommandFailure) -> TLSCertificate {
        let certificate = try read(certificatePath, "certificate", "NEUROVIEWS_TLS_CERT", isSecret: false)
        let key = try read(keyPath, "key", "NEUROVIEWS_TLS_KEY", isSecret: true)
        do throws(TLSCertificateError) {
            return try TLSCertificate(certificatePEM: certificate, keyPEM: key, nowS: nowS)
        } catch {
            throw failure(error, nowS: nowS)
        }
    }

    /// The error message for an unusable pair.
    package func failure(_ error: TLSCertificateError, nowS: Int) -> CommandFailure {
        let certificate = "The TLS certificate \(certificatePath)"
        let key = "The TLS key \(keyPath)"
        let sentence =
            switch error {
            case .noCertificate:
                "\(certificate) holds no certificate in PEM: name one with NEUROVIEWS_TLS_CERT."
            case .unreadableCertificate(let reason):
                "\(certificate) is damaged (\(reason)): name another with NEUROVIEWS_TLS_CERT."
            case .noKey: "\(key) holds no private key in PEM: name one with NEUROVIEWS_TLS_KEY."
            case .encryptedKey:
                "\(key) needs a pass phrase, which nobody could enter at a restart: openssl pkey -in \(keyPath) writes one "
                    + "without."
            case .unreadableKey(let reason): "\(key) is damaged (\(reason)): name another with NEUROVIEWS_TLS_KEY."
            case .mismatch(let subject):
                "\(key) does not belong to the certificate \(certificatePath) (\(subject)): put the right pair into "
                    + "NEUROVIEWS_TLS_CERT and NEUROVIEWS_TLS_KEY."
            case .expired(let subject, let atS):
                "\(certificate) (\(subject)) expired on \(Self.text(atS)): renew it."
            case .notYetValid(let subject, let fromS):
                "\(certificate) (\(subject)) is not valid before \(Self.text(fromS)), and this machine's clock says "
                    + "\(Self.text(nowS)): set the clock, or use another certificate."
            case .refused(let reason): "\(certificate) can't be served (\(reason)): use another."
            }
        return CommandFailure(sentence)
    }

    /// `2026-03-01T12:00:00Z`
    package static func text(_ second: Int) -> String {
        Date(timeIntervalSince1970: TimeInterval(second)).formatted(.iso8601)
    }

    private func read(
        _ path: String,
        _ what: String,
        _ setting: String,
        isSecret: Bool
    ) throws(CommandFailure) -> [UInt8] {
        let status: stat
        let bytes: [UInt8]
        do throws(FileError) {
            // A named pipe must not block the start: without O_NONBLOCK, opening one waits for a writer.
            let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK)
            status = try file.status()
            bytes = status.st_mode & S_IFMT == S_IFREG ? try file.read(maxBytes: Self.maxBytes) : []
        } catch {
            throw CommandFailure("The TLS \(what) can't be used: \(error); name another with \(setting).")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure("The TLS \(what) \(path) is not a file: name another with \(setting).")
        }
        if isSecret { try refuseReadableByOthers(status) }
        return bytes
    }

    /// PostgreSQL's rule: only the owner may read the key; if root owns it, its group may too.
    private func refuseReadableByOthers(_ status: stat) throws(CommandFailure) {
        let forbidden: mode_t = status.st_uid == 0 ? 0o027 : 0o077
        guard status.st_mode & forbidden != 0 else { return }
        let mode = String(status.st_mode & 0o777, radix: 8)
        throw CommandFailure(
            "The TLS key \(keyPath) has mode \(mode), so others can read it: chmod 600 \(keyPath), or 640 when root owns it."
        )
    }
}
