import CloudSync
import Foundation
import Testing

@Suite("Mail messages")
struct MailMessageTests {
    private static func message(
        _ form: MailForm,
        url: String? = "https://example.org/account",
        device: String? = "Ada's phone"
    ) throws -> MailMessage {
        let sender = try #require(MailAddress("cloud@example.org"))
        return MailMessage(
            form,
            to: try #require(MailAddress("ada@example.org")),
            token: (text: "T0K3N", expiresAt: "2026-03-01T12:00:00Z"),
            cause: MailCause(at: "2026-03-01T11:00:00Z", device: device, address: "2001:db8::7"),
            .init(sender: sender, accountURL: url),
            now: Date(timeIntervalSince1970: 1_772_366_400),
            id: try #require(UUID(uuidString: "6F1D7C2E-8F0A-4C55-9D3B-2F2B6F0F7A11"))
        )
    }

    @Test("A mail has its exact header and text")
    func whole() throws {
        let expected = """
            From: NeuroViews Cloud <cloud@example.org>
            To: ada@example.org
            Subject: Reset your password
            Date: Sun, 01 Mar 2026 12:00:00 +0000
            Message-ID: <6f1d7c2e-8f0a-4c55-9d3b-2f2b6f0f7a11@example.org>
            Auto-Submitted: auto-generated
            MIME-Version: 1.0
            Content-Type: text/plain; charset=us-ascii
            Content-Transfer-Encoding: 7bit

            Hello,

            Somebody asked to reset the password of your NeuroViews Cloud account.

            When: 2026-03-01 11:00 UTC
            Device: Ada's phone
            Network address: 2001:db8::7

            If this was you, choose a new password. You will then have to log in again on
            all your devices.

            Open this link:

            https://example.org/account#reset=T0K3N

            The link works once, until 2026-03-01 12:00 UTC.

            If this was not you, ignore this message. Your password stays the same.

            NeuroViews Cloud

            """
        #expect(try Self.message(.reset).text == expected)
    }

    @Test(
        "A mail names the device in one short line without links",
        arguments: [
            ("iPhone17,1", "iPhone17,1"), ("see https://evil.example/x", "see https evil example x"),
            ("a\r\nTo: eve@evil.example", "a To eve evil example"), (String(repeating: "x", count: 200), nil),
            ("b\u{202E}c\u{0}d", "b c d"), ("  ", ""), (nil, ""),
        ] as [(String?, String?)]
    )
    func device(name: String?, shown: String?) throws {
        let lines = try Self.message(.deviceNew, device: name).text.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("Device: ") }.map { String($0.dropFirst(8)) } ?? ""
        #expect(line == shown ?? String(repeating: "x", count: 40))
    }

    @Test("A mail that names a device in another script is UTF-8 in quoted-printable")
    func otherScripts() throws {
        let name = "太郎のiPhone = 1 \u{1F600} " + String(repeating: "ü", count: 40)
        let text = try Self.message(.deviceNew, device: name).text
        let fields = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        #expect(text.contains(fields))
        #expect(text.contains("\nDevice: =E5=A4=AA=E9=83=8E=E3=81=AEiPhone 1 =F0=9F=98=80 =C3=BC"))
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("A mail without a URL has its token alone on a line")
    func bare() throws {
        let lines = try Self.message(.verify, url: nil).text.split(separator: "\n")
        #expect(lines.contains("T0K3N") && lines.contains("Enter this code in the app:"))
    }

    @Test(
        "Every mail is ASCII in short lines, and has its token or none",
        arguments: MailForm.allCases
    )
    func form(_ form: MailForm) throws {
        let message = try Self.message(form)
        #expect(message.text.utf8.allSatisfy { $0 < 128 })
        let lines = message.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 78 && $0 != "." })
        let hasToken = [.verify, .choosePassword, .reset, .address, .invitation].contains(form)
        #expect(message.text.contains("T0K3N") == hasToken)
        #expect(message.token == (hasToken ? "T0K3N" : nil))
    }

    @Test(
        "A deliverable address is accepted",
        arguments: [
            "a@b.c", "ada.lovelace+x@example.org", "#$&'*+-=?^_`{}~@example.org", "josé@xn--exmple-cua.org",
            "-x@example.org", String(repeating: "a", count: 64) + "@b.c",
        ]
    )
    func good(_ text: String) { #expect(MailAddress(text)?.text == text) }

    @Test(
        "An address has one spelling: without the spaces around it, and with a domain in ASCII",
        arguments: [
            (" ada@example.org\n", "ada@example.org"), ("Ada@Example.org", "Ada@Example.org"),
            ("josé@exämple.org", "josé@xn--exmple-cua.org"), ("用户@例子.广告", "用户@xn--fsqu00a.xn--4rr70v"),
            ("a@b@EXÄMPLE.org", "a@b@xn--exmple-cua.org"), ("a b@c.d", "a b@c.d"), ("a@ä b.org", "a@ä b.org"),
            ("exämple.org", "exämple.org"), ("  ", ""), ("a@", "a@"),
        ]
    )
    func spelling(typed: String, spelled: String) { #expect(MailAddress.spelling(of: typed) == spelled) }

    @Test(
        "An address with header syntax, a comment or look-alike characters is refused",
        arguments: [
            "", "a", "@b.c", "a@", "a@b@c.d", "a b@c.d", "a,b@c.d", "a;b@c.d", "a:b@c.d", "<a>@b.c", "a@b.c>",
            "\"a\"@b.c", "a(b)@c.d",
            "a\\b@c.d", "a%b@c.d", "a!b@c.d", "a|b@c.d", "a/b@c.d", "a@b",
            "a@[127.0.0.1]", "a\n@b.c", "a@b.c\r\nBcc: c@d.e", "a\u{0}@b.c", "a\u{85}@b.c", "a\u{2028}@b.c",
            "a\u{202E}@b.c", ".a@b.c",
            "a.@b.c",
            "a..b@c.d", "a@.b", "a@b.", "a@-b.c", "a@b.c-", "a@b_c.d", "mi\u{212A}e@b.c", "\u{130}@b.c",
            "a@\u{E4}-.c",
            String(repeating: "a", count: 65) + "@b.c", "a@" + String(repeating: "b", count: 64) + ".c",
        ]
    )
    func bad(_ text: String) { #expect(MailAddress(text) == nil) }
}
