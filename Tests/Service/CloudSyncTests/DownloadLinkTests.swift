import NeuroViewsCrypto
import Testing

@testable import CloudSync

@Suite("Download links")
struct DownloadLinkTests {
    private let master: MasterKey
    private let keys: KeyRing

    init() throws {
        master = try MasterKey(bytes: [UInt8](0..<32))
        keys = try KeyRing(current: master)
    }

    @Test("A download link is read back until it expires")
    func lifetime() throws {
        let link = DownloadLink(.content, objectKey: "abc", expiresAt: 1000)
        let text = link.text(master)
        #expect(try DownloadLink(text, keys, nowS: 999) == link)
        #expect(throws: DownloadLink.Refusal.expired) { try DownloadLink(text, keys, nowS: 1000) }
    }

    @Test("A thumbnail has one link a day, valid until the end of the next day")
    func thumbnails() throws {
        let day = 86400
        func text(_ nowS: Int) -> String { ThumbnailLinks(master, nowS: nowS).text(ofObject: "abc") }
        #expect(text(10 * day) == text(11 * day - 1) && text(10 * day) != text(11 * day))
        let link = try DownloadLink(text(10 * day), keys, nowS: 12 * day - 1)
        #expect(link == DownloadLink(.thumbnail, objectKey: "abc", expiresAt: 12 * day))
        #expect(throws: DownloadLink.Refusal.expired) { try DownloadLink(text(10 * day), keys, nowS: 12 * day) }
    }

    @Test("A download link of another server or with any change is refused")
    func altered() throws {
        let text = DownloadLink(.content, objectKey: "abc", expiresAt: 1000).text(master)
        let others = try KeyRing(current: MasterKey(bytes: [UInt8](1..<33)))
        #expect(throws: DownloadLink.Refusal.unknown) { try DownloadLink(text, others, nowS: 0) }
        for index in text.indices {
            var altered = text
            altered.replaceSubrange(index...index, with: text[index] == "1" ? "2" : "1")
            #expect(throws: DownloadLink.Refusal.unknown) { try DownloadLink(altered, keys, nowS: 0) }
        }
    }
}
