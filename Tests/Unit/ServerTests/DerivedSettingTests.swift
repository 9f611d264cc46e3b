import Glibc
import Testing

@testable import Settings

@Suite("Values that follow from settings", .blocking)
struct DerivedSettingTests {
    @Test("Uploads leave 1 GiB of a volume free, or a tenth of a small one")
    func storageReserve() {
        var volume = statvfs()
        (volume.f_frsize, volume.f_blocks) = (4096, 2560)
        #expect(Settings.storageReserveBytes(of: volume) == 1 << 20)
        volume.f_blocks = 1 << 30
        #expect(Settings.storageReserveBytes(of: volume) == 1 << 30)
    }

    @Test("Mails lead to the console of the first public URL, unless account_url is set or the console is off")
    func accountURL() throws {
        let urls = "--public-url=https://cloud.example.org/nv/v2,https://Other.example:443/v2"
        let settings = try serve([urls]).get()
        #expect(settings.accountURL == "https://cloud.example.org/nv/console")
        #expect(settings.consoleOrigins == ["https://cloud.example.org", "https://other.example"])
        let named = try serve([urls, "--account-url=https://example.org/account"]).get()
        #expect(named.accountURL == "https://example.org/account")
        let off = try serve([urls, "--console=off"]).get()
        #expect(off.accountURL == nil && off.consoleOrigins.isEmpty)
        let local = try serve([]).get()
        #expect(local.accountURL == nil && local.consoleOrigins == ["http://127.0.0.1:8080"])
    }
}
