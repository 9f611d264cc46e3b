import FoundationEssentials
import Glibc
import Machine
import Net
import Settings

/// Checks the certificate of the TLS listener.
struct CertificateCheck {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    func findings() -> [Finding] {
        guard let files = settings.tlsFiles else { return [] }
        do throws(CommandFailure) {
            let certificate = try files.load(nowS: Clock.now())
            return [expiry(certificate)] + issuer(certificate) + host(certificate)
        } catch {
            return [.wrong("certificate", sentence: error.description)]
        }
    }

    private func expiry(_ certificate: TLSCertificate) -> Finding {
        let endS = min(certificate.validUntilS, certificate.chainValidUntilS ?? .max)
        let text = "\(certificate.subject) is valid until \(TLSFiles.text(endS))"
        guard endS < Clock.now() + TLSFiles.warningS else { return .ok("certificate", text) }
        return .warning("certificate", text, "renew it and its chain; SIGHUP makes a server read them again")
    }

    private func issuer(_ certificate: TLSCertificate) -> [Finding] {
        guard let issuer = certificate.missingIssuer else { return [] }
        let text = "\(certificate.subject) is from \(issuer), which is neither in the file nor a root of this machine"
        let remedy = "put the CA's full chain into the file of NEUROVIEWS_TLS_CERT; many clients refuse a part of it"
        return [.warning("certificate", text, remedy)]
    }

    private func host(_ certificate: TLSCertificate) -> [Finding] {
        settings.publicURLs.compactMap { URL(string: $0)?.host }.filter { !certificate.names(host: $0) }.map { host in
            let remedy = "use a certificate for \(host), or set NEUROVIEWS_PUBLIC_URL to a name that it has"
            return .warning("certificate", "\(certificate.subject) is not for the public URL's host \(host)", remedy)
        }
    }
}
