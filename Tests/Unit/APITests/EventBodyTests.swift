import CloudSync
import NeuroViewsJSON
import Problems
import Testing

@testable import API

@Suite("The body of a batch of events")
struct EventBodyTests {
    private static let good = #"{"name":"tap","timestamp":"2026-11-22T09:30:00Z"}"#

    private static func read(_ text: String) throws -> EventBody {
        try EventBody(Array(text.utf8), Schemas()["analytics-events.json"])
    }

    private static func batch(_ events: String..., more: String = "") -> String {
        #"{\#(more)"events":[\#(events.joined(separator: " , "))]}"#
    }

    @Test(
        "An event that strict JSON does not allow is marked with its fault, and the others are read",
        arguments: [
            (#"{"name":"a\u0000b"}"#, .nul, ""), (#"{"a\u0000":1}"#, .nul, ""),
            (#"{"parameters":{"a":["\ud800"]}}"#, .loneSurrogate, "/parameters/a/0"),
            (#"{"parameters":{"a":1e400}}"#, .numberTooLarge, "/parameters/a"),
            (#"{"name":"a","name":"b"}"#, .duplicateName, "/name"),
            (#"{"name":"a","\u006eame":"b"}"#, .duplicateName, "/name"),
            (String(repeating: "[", count: 63) + String(repeating: "]", count: 63), .tooDeep(maxDepth: 62), ""),
            (String(repeating: "9", count: 1001), .numberTooLong(maxBytes: 1000), ""),
            (#"{"parameters":{"a":1e1000000000000000000}}"#, .exponentTooLarge, "/parameters/a"),
            (#"[1,-0.5E-9999999999999999999,"\u0000"]"#, .exponentTooLarge, "/1"),
            (String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000), .tooDeep(maxDepth: 62), ""),
        ] as [(String, JSONError.Reason, String)]
    )
    func faults(event: String, reason: JSONError.Reason, pointer: String) throws {
        let body = try Self.read(Self.batch(Self.good, event, Self.good))
        #expect(body.items.count == 3)
        #expect(Array(body.faults.keys) == [1])
        #expect(body.faults[1]?.reason == reason)
        if !pointer.isEmpty { #expect(body.faults[1]?.pointer.description == pointer) }
        #expect(body.items[0]["name"]?.string == "tap" && body.items[2]["name"]?.string == "tap")
        // The text stands for the event, so that other batches are told apart from this one.
        #expect(body.items[1].string == event)
    }

    @Test("Strict JSON has no faults, with white space, escapes and events of any type")
    func strict() throws {
        for text in [
            Self.batch(Self.good), " { \"events\" : [ 1 , null, \"\\ud83d\\ude00\" ] } ", #"{"\u0065vents":[{}]}"#,
            Self.batch(Self.good, more: #""x":{"events":[]},"#),
        ] {
            #expect(try Self.read(text).faults.isEmpty, "\(text)")
        }
    }

    @Test("Every event of a batch may have a fault, and numbers as times are left to the schema of events")
    func all() throws {
        let body = try Self.read(Self.batch(#""\ud800""#, #"{"x":"]\"\u0000"}"#, #"{"timestamp":1700000000}"#))
        #expect(body.faults.keys.sorted() == [0, 1])
        #expect(body.items[2]["timestamp"]?.number?.int64 == 1_700_000_000)
    }

    @Test("Faults beside the events do not matter, unless a name is there twice")
    func envelope() throws {
        for more in [#""x":"\u0000","#, #""\ud800":1,"#, #""x":1e400,"#, #""x":[{"events":"\udc00"}],"#] {
            let body = try Self.read(Self.batch(Self.good, more: more))
            #expect(body.items.count == 1 && body.faults.isEmpty, "\(more)")
        }
        for more in [#""events":[{}],"#, #""\u0065vents":[],"#, #""x":1,"x":2,"#] {
            #expect(throws: CloudSyncError.self) { try Self.read(Self.batch(Self.good, more: more)) }
        }
    }

    @Test(
        "Text that is not JSON is refused as a whole, also beside an event with a fault",
        arguments: [
            "", "{", #"{"events":[{"name":"\u0000"}"#, #"{"events":[{"name":"\ud800"},]}"#, #"{"events":[NaN]}"#,
            #"{"events":["\u0000"]} {}"#, "{\"events\":[\"\\u0000\", \"\u{1}\"]}",
        ]
    )
    func notJSON(text: String) {
        #expect {
            _ = try Self.read(text)
        } throws: { ($0 as? Problem)?.type == ProblemType.invalidJSON }
    }

    @Test("The refusal of text that is not JSON names the place in the body, also behind an event with a fault")
    func place() throws {
        let text = Self.batch(#"{"name":"\u0000"}"#, #"{"name":tru}"#)
        #expect {
            _ = try Self.read(text)
        } throws: { ($0 as? Problem)?.detail == "Expected a value. (byte 42, at /events/1/name)" }
        let outside = Self.batch(#"{"name":"\u0000"}"#) + " 1"
        #expect {
            _ = try Self.read(outside)
        } throws: { ($0 as? Problem)?.detail == "The value is followed by more text. (byte 31)" }
    }

    @Test("A batch has as many values as any other body, also beside an event with a fault")
    func valuesMax() throws {
        func events(_ count: Int) -> String { "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }
        let body = try Self.read(Self.batch(events(49_000), #""\u0000""#, events(49_000)))
        #expect(body.faults.keys.sorted() == [1])
        #expect {
            _ = try Self.read(Self.batch(events(51_000), #""\u0000""#, events(51_000)))
        } throws: { ($0 as? Problem)?.detail.hasPrefix("The text may have at most 100000 values") == true }
    }

    @Test("Bytes that are not UTF-8 are refused as a whole")
    func notUTF8() throws {
        let bytes = Array(#"{"events":["\u0000",""#.utf8) + [0xE9] + Array(#""]}"#.utf8)
        let schema = try Schemas()["analytics-events.json"]
        #expect(throws: Problem.self) { try EventBody(bytes, schema) }
    }

    @Test("A body without a batch is invalid", arguments: ["[]", "{}", #"{"events":[]}"#, #"{"events":"\u0000"}"#])
    func noBatch(text: String) {
        #expect(throws: CloudSyncError.self) { try Self.read(text) }
    }
}
