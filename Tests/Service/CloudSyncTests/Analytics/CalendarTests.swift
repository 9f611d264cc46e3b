import Foundation
import Testing

@testable import CloudSync

@Suite("Days and time zones of usage")
struct CalendarTests {
    @Test(
        "A calendar date is parsed and printed as YYYY-MM-DD",
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("2026-11-22", 20779), ("2024-02-29", 19782), ("2021-01-03", 18630),
            ("0001-01-01", -719162), ("9999-12-31", 2_932_896),
        ]
    )
    func dates(text: String, number: Int) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.number == number && date.text == text)
        #expect(CalendarDate(on: Timestamp(seconds: number * 86400)) == date)
        #expect(CalendarDate(on: Timestamp(seconds: number * 86400 + 86399)) == date)
    }

    @Test(
        "A malformed or impossible date is refused",
        arguments: ["", "2026-2-01", "2026-02-30", "0000-01-01", "2026-02-01Z", "26-02-01"]
    )
    func noDates(text: String) { #expect(CalendarDate(text) == nil) }

    @Test("Device names that differ only in their bytes are two devices")
    func spellings() throws {
        let days = try #require(ZonedDays(starts: [96, 192]))
        let rows = ["\u{E9}", "e\u{301}"].map { device in
            UsageSQL.EventRow.device(
                device,
                QuarterCounts(day: 1, quarters: Array("{1}".utf8), counts: Array("{2}".utf8))
            )
        }
        #expect(try UsageService.tally(rows, [days]).activeDevices == [2])
    }

    @Test("A quarter hour belongs to one day, and a day that its zone skips has none")
    func quarters() throws {
        let days = try #require(ZonedDays(starts: [10, 20, 20, 25, 30]))
        #expect([9, 10, 19, 20, 24, 25, 29, 30].map(days.index) == [nil, 0, 0, 2, 2, 3, 3, nil])
        #expect(days.count == 4)
        #expect(ZonedDays(starts: [10, 9]) == nil && ZonedDays(starts: [10]) == nil)
    }

    @Test(
        "Integer arrays are parsed from PostgreSQL's text form",
        arguments: [("{}", []), ("{7}", [7]), ("{0,-12,345}", [0, -12, 345])]
    )
    func arrays(text: String, values: [Int]) { #expect(Array(IntegerArrayText(Array(text.utf8))) == values) }

    @Test("A zone's former name leads to its current one, which Debian has without tzdata-legacy")
    func formerNames() throws {
        let table = try String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)
        let rows = table.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let known = Set(rows.compactMap { $0.split(separator: "\t").dropFirst(2).first.map(String.init) })
        for name in TimeZoneNames.all {
            let current = TimeZoneNames.current(name)
            let isKnown = known.contains(current) || current.hasPrefix("Etc/") || ["UTC", "GMT"].contains(current)
            #expect(isKnown && TimeZoneNames.contains(current), "\(name): \(current)")
        }
        #expect(TimeZoneNames.currentNames.keys.allSatisfy(TimeZoneNames.contains))
        #expect(TimeZoneNames.current("Asia/Calcutta") == "Asia/Kolkata")
        #expect(TimeZoneNames.current("Europe/Stockholm") == "Europe/Stockholm")
    }

    @Test("A zone's current name has the same time as its former one")
    func sameTime() async throws {
        try await World.with { world in
            // Debian has the former names' files in a package of their own.
            let there = TimeZoneNames.currentNames.filter {
                FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/\($0.key)")
            }
            let all = ["Etc/UTC": "Etc/UTC"].merging(there) { first, _ in first }
            let pairs = all.map { "('\($0.key)','\($0.value)')" }
            // PostgreSQL takes short names for abbreviations, which have no summer time.
            let different = try await world.sql(
                """
                SELECT DISTINCT former FROM (VALUES \(pairs.joined(separator: ","))) zone (former, present),
                    generate_series(timestamptz '2000-01-01Z', timestamptz '2037-01-01Z', interval '11 days') time
                WHERE former NOT IN ('CET', 'MET', 'EET', 'WET') AND time AT TIME ZONE former <> time AT TIME ZONE present
                """
            )
            #expect((0..<different.count).compactMap { different[$0].text(0) } == [])
        }
    }

    @Test("PostgreSQL knows the current name of every zone and orders its days, also skipped and shortened ones")
    func zones() async throws {
        let current = Set(TimeZoneNames.all.map(TimeZoneNames.current))
        try await World.with { world in
            let unknown = try await world.sql(
                """
                CREATE FUNCTION pg_temp.knows(zone text) RETURNS boolean LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM now() AT TIME ZONE zone;
                    RETURN true;
                EXCEPTION WHEN invalid_parameter_value THEN RETURN false;
                END $$;
                SELECT zone FROM unnest('{\(current.joined(separator: ","))}'::text[]) zone WHERE NOT pg_temp.knows(zone)
                """
            )
            #expect((0..<unknown.count).compactMap { unknown[$0].text(0) } == [])
            #expect(TimeZoneNames.all.count > 590)
            let caller = try await world.newAccount()[0]
            for (zone, day, quarters) in [
                // Samoa skipped a day; the next day begins at the skipped day's start.
                ("Pacific/Apia", "2011-12-29", [96, 0, 96]),
                // In Havana, 1 November 2026 has two midnights. In Santiago, 6 September 2026 has none.
                ("America/Havana", "2026-10-31", [96, 100, 96]), ("America/Santiago", "2026-09-05", [96, 92, 96]),
                ("Asia/Beirut", "2026-10-23", [96, 100, 96]), ("Australia/Lord_Howe", "2026-10-03", [96, 94, 96]),
                ("Antarctica/Troll", "2026-03-28", [96, 88, 96]), ("UTC", "2026-03-28", [96, 96, 96]),
            ] {
                let first = try #require(CalendarDate(day))
                let range = try #require(DateRange(first, CalendarDate(number: first.number + 2)))
                let found = try await CallerDatabase(world.databases[0]).read(
                    for: caller,
                    UsageSQL.days([.text(zone)] + UsageService.ends(range))
                )
                let starts = try #require(found.first?.starts)
                #expect(zip(starts.dropFirst(), starts).map(-) == quarters, "\(zone)")
            }
        }
    }
}
