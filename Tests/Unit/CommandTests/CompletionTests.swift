import TestSupport
import Testing

@testable import neuroviews

@Suite("Completions", .blocking)
struct CompletionTests {
    private static let items = [
        ("11111111-0000-4000-8000-000000000001", "Harbour at night"),
        ("11111111-0000-4000-8000-000000000002", "Moss"), ("22222222-0000-4000-8000-000000000003", "Moss"),
        ("33333333-0000-4000-8000-000000000004", "red \u{1B}[31m"),
    ].map { (id: $0.0, name: $0.1) }

    private static func words(_ words: [String]) async -> [String] {
        await Completion(words: words) { operand in
            if case .configuration = operand { items } else { [] }
        }.candidates.map(\.word)
    }

    static let cases: [(words: [String], candidates: [String])] = [
        (["do"], ["download"]), (["h"], ["history", "help"]), (["help", "di"], []), (["help", "do"], ["download"]),
        (["lost", ""], ["bring-back", "forget"]), (["keys", ""], ["show", "enter"]), (["completion", "b"], ["bash"]),
        (["consent", "analytics", ""], ["on", "off"]),
        (["list", ""], []), (["edit", "x", ""], []), (["new", ""], [":files"]), (["upload", "a.mov", ""], [":files"]),
        (["show", "--ver"], ["--version"]), (["--profile", "tablet", "uploads", "p"], ["pause"]),
        (["show", "--version", ""], []), (["list", "--config", ""], [":files"]),
        (["show", "Har"], ["Harbour at night"]), (["delete", "Moss", "Har"], ["Harbour at night"]),
        (["edit", "--set", "/frame_rate=25", "Har"], ["Harbour at night"]),
        (["upload", "a.mov", "--configuration", "Har"], ["Harbour at night"]),
        (["show", "1111"], ["11111111-0000-4000-8000-000000000001", "11111111-0000-4000-8000-000000000002"]),
    ]

    @Test("Completions come from the table of commands, and ids from the store", arguments: cases)
    func candidates(words: [String], candidates: [String]) async {
        #expect(await Self.words(words) == candidates)
    }

    @Test("Without a letter, names are offered, and ids where a name is not unique or has control characters")
    func names() async {
        #expect(await Self.words(["show", ""]) == ["Harbour at night"] + Self.items.dropFirst().map(\.id))
    }

    @Test("Every command completes, but the hidden ones")
    func commands() async {
        let all = await Self.words([""])
        #expect(all == Catalogue.shown.map(\.name))
        #expect(!all.contains("complete") && !all.contains("manual"))
    }
}
