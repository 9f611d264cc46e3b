import Testing

@testable import CloudSync

@Suite("Days, weeks and zones")
struct CalendarTests {
    @Test(
        "A date is written in ten characters, and has a week of ISO 8601",
        arguments: [
            ("1970-01-01", 0, "1970-W01"), ("1969-12-31", -1, "1970-W01"), ("2026-11-22", 20779, "2026-W47"),
            ("2024-02-29", 19782, "2024-W09"), ("2021-01-03", 18630, "2020-W53"), ("2021-01-04", 18631, "2021-W01"),
            ("2027-01-03", 20821, "2026-W53"), ("2018-12-31", 17896, "2019-W01"), ("0001-01-01", -719162, "0001-W01"),
            ("9999-12-31", 2_932_896, "9999-W52"),
        ]
    )
    func dates(text: String, number: Int, week: String) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.number == number && date.text == text && date.isoWeek == week)
        #expect(CalendarDate(on: Timestamp(seconds: number * 86400)) == date)
        #expect(CalendarDate(on: Timestamp(seconds: number * 86400 + 86399)) == date)
    }

    @Test(
        "What is no date is none",
        arguments: ["", "2026-2-01", "2026-02-30", "0000-01-01", "2026-02-01Z", "26-02-01"]
    )
    func noDates(text: String) { #expect(CalendarDate(text) == nil) }

    @Test("A quarter hour belongs to one day; a day that a zone left out has none")
    func quarters() throws {
        let days = try #require(ZonedDays(starts: [10, 20, 20, 25, 30]))
        #expect([9, 10, 19, 20, 24, 25, 29, 30].map(days.index) == [nil, 0, 0, 2, 2, 3, 3, nil])
        #expect(days.count == 4)
        #expect(ZonedDays(starts: [10, 9]) == nil && ZonedDays(starts: [10]) == nil)
    }

    @Test(
        "Arrays are read as PostgreSQL writes them",
        arguments: [("{}", []), ("{7}", [7]), ("{0,-12,345}", [0, -12, 345])]
    )
    func arrays(text: String, values: [Int]) { #expect(Array(IntegerArrayText(Array(text.utf8))) == values) }

    @Test(
        "PostgreSQL knows every zone of the list, and has its days in order, also where one is left out or begins late"
    )
    func zones() async throws {
        try await World.with { world in
            let unknown = try await world.sql(
                """
                CREATE FUNCTION pg_temp.knows(zone text) RETURNS boolean LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM now() AT TIME ZONE zone;
                    RETURN true;
                EXCEPTION WHEN invalid_parameter_value THEN RETURN false;
                END $$;
                SELECT zone FROM unnest('{\(TimeZoneNames.all.joined(separator: ","))}'::text[]) zone WHERE NOT pg_temp.knows(zone)
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
