import NeuroViewsRules
import Testing

@Suite("Times of edits")
struct InstantTests {
    @Test(
        "A time in RFC 3339 is read with its offset, its leap second and each digit",
        arguments: [
            // text, seconds since 1970, digits of the fraction
            ("1970-01-01T00:00:00Z", 0, ""),
            ("1970-01-01t00:00:00z", 0, ""),
            ("1970-01-01T00:00:00-00:00", 0, ""),
            ("1970-01-01T00:00:00.000Z", 0, ""),
            ("1970-01-01T00:00:00.0100Z", 0, "01"),
            ("1970-01-01T00:00:00.123456789012345678901Z", 0, "123456789012345678901"),
            ("1970-01-01T01:30:00+01:30", 0, ""),
            ("1969-12-31T23:59:59.9Z", -1, "9"),
            ("1969-12-31T18:30:00-05:30", 0, ""),
            ("2016-12-31T23:59:60Z", 1_483_228_800, ""),
            ("2017-01-01T00:59:60+01:00", 1_483_228_800, ""),
            ("2026-11-20T18:00:00Z", 1_795_197_600, ""),
            ("2000-02-29T00:00:00Z", 951_782_400, ""),
            ("0000-01-01T00:00:00Z", -62_167_219_200, ""),
            ("0000-01-01T00:00:00+23:59", -62_167_305_540, ""),
            ("9999-12-31T23:59:59Z", 253_402_300_799, ""),
            ("9999-12-31T23:59:59-23:59", 253_402_387_139, ""),
        ] as [(String, Int64, String)]
    )
    func reading(text: String, seconds: Int64, fraction: String) {
        let time = Instant(text)
        #expect(time?.seconds == seconds)
        #expect(time?.fraction == fraction)
    }

    @Test(
        "A text that is no time of RFC 3339 is rejected",
        arguments: [
            "", "2026", "2026-11-20", "2026-11-20T18:00Z", "2026-11-20T18:00:00", "2026-11-20 18:00:00Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-11-31T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T18:60:00Z", "2026-11-20T18:00:61Z",
            "2026-11-20T18:00:00.Z", "2026-11-20T18:00:00,5Z", "2026-11-20T18:00:00+24:00", "2026-11-20T18:00:00+0100",
            "2026-11-20T18:00:00Z ", "12026-11-20T18:00:00Z", "２026-11-20T18:00:00Z", "2026-11-20T18:00:00Zé",
        ]
    )
    func rejection(text: String) {
        #expect(Instant(text) == nil)
    }

    @Test("Times are ordered by second and then digit by digit")
    func order() {
        let texts = [
            "1969-12-31T23:59:59.9Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.0000000001Z",
            "1970-01-01T00:00:00.09Z", "1970-01-01T00:00:00.1Z", "1970-01-01T00:00:00.10000000000000000000001Z",
            "1970-01-01T00:00:00.2Z", "1970-01-01T00:00:01Z",
        ]
        let times = texts.compactMap { Instant($0) }
        #expect(times.count == texts.count)
        #expect(times.sorted() == times)
        #expect(Set(times).count == times.count)
    }

    @Test("Equal moments in other words are equal times")
    func equality() {
        #expect(Instant("2026-11-20T18:00:00.50Z") == Instant("2026-11-20T19:00:00.5+01:00"))
        #expect(Instant("2016-12-31T23:59:60Z") == Instant("2017-01-01T00:00:00Z"))
    }

    @Test(
        "The text of a time is read as the same time",
        arguments: [
            "1970-01-01T00:00:00Z", "1969-12-31T23:59:59.9Z", "2000-02-29T12:34:56.000001Z", "2024-12-31T23:59:59Z",
            "0000-03-01T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "1600-02-29T00:00:00Z",
        ]
    )
    func text(text: String) {
        #expect(Instant(text)?.text == text)
    }

    @Test("A clock's time has microseconds, and keeps to the years that RFC 3339 can write")
    func clock() {
        #expect(Instant(seconds: 0, microseconds: 25).text == "1970-01-01T00:00:00.000025Z")
        #expect(Instant(seconds: 0, microseconds: 500_000).text == "1970-01-01T00:00:00.5Z")
        #expect(Instant(seconds: .max).text == "9999-12-31T23:59:59Z")
        #expect(Instant(seconds: .min).text == "0000-01-01T00:00:00Z")
        #expect(Instant("9999-12-31T23:59:59-23:59")?.text == "9999-12-31T23:59:59Z")
    }
}
