import FoundationEssentials
import Glibc
import Machine
import Net
import Observability
import Settings

/// The certificate of the public listener. It can be reloaded from its files.
struct ServedCertificate: Sendable {
    let endpoint: TLSEndpoint
    private let files: TLSFiles
    private let host: String?
    private let log: LogWriter
    private static let dayMs: UInt64 = 86_400_000

    /// Throws a sentence for the user if the files are not usable.
    init(_ files: TLSFiles, _ settings: Settings, _ log: LogWriter) throws(CommandFailure) {
        let certificate = try files.load(nowS: Clock.now())
        do throws(TLSCertificateError) {
            endpoint = try TLSEndpoint(certificate)
        } catch {
            throw files.failure(error, nowS: Clock.now())
        }
        self.files = files
        self.log = log
        host = settings.explicitPublicURL.flatMap { URL(string: $0)?.host }
        note(certificate, "loaded")
    }

    /// Reads the files again. If they are not usable, logs the error and keeps the old certificate.
    func reload() {
        do {
            let certificate = try files.load(nowS: Clock.now())
            do throws(TLSCertificateError) { try endpoint.use(certificate) } catch {
                throw files.failure(error, nowS: Clock.now())
            }
            note(certificate, "reloaded")
        } catch {
            log.write(.error, "tls reload", [("failed", .text("\(error) The old certificate stays."))])
        }
    }

    /// Warns every day while the certificate is about to expire.
    func watchExpiry(on loop: EventLoop) {
        loop.spawn {
            while true {
                await loop.sleep(forMs: Self.dayMs)
                warn(endpoint.certificate)
            }
        }
    }

    private func note(_ certificate: TLSCertificate, _ what: String) {
        log.write(
            .info,
            "tls \(what)",
            [("until", .text(TLSFiles.text(certificate.validUntilS))), ("subject", .text(certificate.subject))]
        )
        warn(certificate)
    }

    private func warn(_ certificate: TLSCertificate) {
        let soonS = Clock.now() + TLSFiles.warningS
        if certificate.validUntilS < soonS {
            let until = TLSFiles.text(certificate.validUntilS)
            log.write(.warning, "tls certificate", [("expires", .text(until)), ("advice", .text("renew it"))])
        }
        if let chainS = certificate.chainValidUntilS, chainS < soonS {
            let until = TLSFiles.text(chainS)
            log.write(
                .warning,
                "tls certificate of the chain",
                [("expires", .text(until)), ("advice", .text("renew the chain"))]
            )
        }
        if let host, !certificate.names(host: host) {
            log.write(.warning, "tls certificate is not for the public URL's", [("host", .text(host))])
        }
    }
}
