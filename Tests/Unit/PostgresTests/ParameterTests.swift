import TestSupport
import Testing

@testable import Postgres

@Suite("Statement parameters and rows", .timeLimit(.minutes(Patience.minutes(2))))
struct ParameterTests {
    private static let text = Statement("SELECT $1::text, $1::text IS NULL, octet_length($1::text)")
    private static let bytes = Statement("SELECT encode($1::bytea, 'hex'), octet_length($1::bytea)")

    @Test(
        "Text parameters survive a round trip byte for byte",
        arguments: [
            "", "a", "'; DROP TABLE t; --", "\u{1F600} e\u{301} \u{E9}", "\\x00 \\", "line\r\n\ttab", "NULL",
            "\u{1}\u{7f}",
        ]
    )
    func roundTrip(text: String) async throws {
        try await withConnection { connection in
            for parameter in [Parameter.text(text), .utf8(Array(text.utf8)[...])] {
                let row = try await connection.run([Self.text(parameter)])[0].first
                #expect(row?.utf8(0) == Array(text.utf8))
                #expect(row?.text(0).map { Array($0.utf8) } == Array(text.utf8))
                #expect(row?.bool(1) == false)
                #expect(row?.int(2) == text.utf8.count)
                var appended: [UInt8] = [1]
                row?.append(0, to: &appended)
                #expect(appended == [1] + Array(text.utf8))
            }
        }
    }

    @Test("NULL in a row is neither an empty text nor zero bytes")
    func null() async throws {
        try await withConnection { connection in
            let rows = try await connection.run([
                Self.text(.null), Self.text(.text(nil)), Self.bytes(.null), Self.bytes(.bytes([])),
            ])
            #expect(rows[0].first?.isNull(0) == true)
            #expect(rows[0].first?.text(0) == nil)
            #expect(rows[0].first?.bool(1) == true)
            #expect(rows[1].first?.isNull(0) == true)
            #expect(rows[2].first?.isNull(0) == true)
            #expect(rows[3].first?.text(0) == "")
            #expect(rows[3].first?.int(1) == 0)
        }
    }

    @Test("Parameters with bytes of all 256 values survive a round trip")
    func allBytes() async throws {
        let all = (0...255).map { UInt8($0) }
        try await withConnection { connection in
            let hex = try await connection.run([Self.bytes(.bytes(all))])[0].first?.text(0)
            #expect(hex == all.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
    }

    @Test("U+0000 in a text parameter is refused before it is sent, and invalid UTF-8 by PostgreSQL")
    func refused() async throws {
        try await withConnection { connection in
            for parameter in [Parameter.text("a\u{0}b"), .utf8([97, 0][...]), .utf8([0xff, 0xfe][...])] {
                let refused = try await refusal { try await connection.run([Self.text(parameter)]) }
                #expect(refused?.state == "22021")
            }
            #expect(try await connection.run([Self.text(.text("on"))])[0].first?.text(0) == "on")
        }
    }

    @Test(
        "Integers in rows are read as PostgreSQL writes them",
        arguments: [0, 1, -1, 9_007_199_254_740_993, .max, .min]
    )
    func integers(value: Int) async throws {
        try await withConnection { connection in
            let row = try await connection.run([Statement("SELECT $1::bigint")(.int(value))])[0].first
            #expect(row?.int(0) == value)
        }
    }

    @Test("A row's value of another type reads as nil")
    func otherTypes() async throws {
        let values = Statement("SELECT '-', '', '12a', '9223372036854775808', 'true', 't', 'f', NULL")
        try await withConnection { connection in
            let row = try await connection.run([values()])[0].first
            #expect((0..<8).map { row?.int($0) } == Array(repeating: nil, count: 8))
            #expect((4..<8).map { row?.bool($0) } == [nil, true, false, nil])
            #expect(row?.text(8) == nil)
            #expect(row?.isNull(8) == true)
        }
    }

    @Test("Array parameters survive, also empty ones and those with NULL")
    func arrays() async throws {
        let uuids = ["00112233-4455-6677-8899-aabbccddeeff", nil, "FFEEDDCC-BBAA-9988-7766-554433221100"]
        let arrays: [(String, Parameter, String)] = [
            ("uuid[]", .uuids(uuids), "{" + uuids.map { $0?.lowercased() ?? "NULL" }.joined(separator: ",") + "}"),
            ("int[]", .ints([1, -1, .max, .min]), "{1,-1,2147483647,-2147483648}"),
            ("bigint[]", .integers([1, nil, .min]), "{1,NULL,-9223372036854775808}"),
            ("text[]", .texts(["", "NULL", nil, "a\"b,{}", "\u{1F600}"]), #"{"","NULL",NULL,"a\"b,{}",\#u{1F600}}"#),
            (
                "timestamptz[]", .times(microseconds: [0, -1, 946_684_800_000_001]),
                #"{"1970-01-01 00:00:00+00","1969-12-31 23:59:59.999999+00","2000-01-01 00:00:00.000001+00"}"#
            ),
            ("uuid[]", .uuids([]), "{}"),
            ("timestamptz[]", .times(microseconds: []), "{}"),
        ]
        try await withConnection { connection in
            _ = try await connection.run([Statement("SET timezone TO 'UTC'")()])
            for (type, parameter, text) in arrays {
                let rows = try await connection.run([Statement("SELECT $1::\(type)::text")(parameter)])
                #expect(rows[0].first?.text(0) == text)
            }
        }
    }

    @Test(
        "A UUID parameter of another length is refused",
        arguments: ["", "00112233-4455-6677-8899-aabbccddeef", "0", "é", "ÿÿÿÿ"]
    )
    func noUUID(text: String) async throws {
        try await withConnection { connection in
            await #expect(throws: DatabaseError.self) {
                try await connection.run([Statement("SELECT $1::uuid[]")(.uuids([text]))])
            }
        }
    }

    @Test("Batches of several megabytes are sent both ways concurrently, and a small batch follows")
    func large() async throws {
        let echo = Statement("SELECT $1::bytea")
        let content = BytePattern.bytes(6_000_000)
        try await withConnection { connection in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let rows = try? await connection.run([echo(.bytes(content)), Self.bytes(.bytes(content))])
                        return rows?[0].first?.utf8(0)?.count == 2 + 2 * content.count
                            && rows?[1].first?.int(1) == content.count
                    }
                }
                group.addTask { (try? await connection.run([Self.text(.text("x"))]))?[0].first?.text(0) == "x" }
                for await isRight in group { #expect(isRight) }
            }
        }
    }
}
