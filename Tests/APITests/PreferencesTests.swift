import HTTP
import Testing

@testable import API

@Suite("Prefer (RFC 7240)")
struct PreferencesTests {
    private func preferences(_ lines: [String]) throws -> Preferences {
        var parser = RequestParser()
        let fields = lines.map { "Prefer: \($0)\r\n" }.joined()
        parser.input = Array("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n".utf8)
        guard case .head(let head) = try parser.next() else { throw WireFailure() }
        return Preferences(head.headers)
    }

    private struct WireFailure: Error {}

    @Test(
        "Lists over several lines, parameters, quotes and either case are read",
        arguments: [
            ["merge"], ["MERGE"], ["a", "merge"], ["a=b;c=d, merge ;e"], ["x=\"1, 2\", merge"], ["merge = \"\""],
            ["x=\"\\\"a, b\\\"\",merge"], [",", "merge,"], ["merge, merge=no"],
        ]
    )
    func there(lines: [String]) throws { #expect(try preferences(lines).contains("merge")) }

    @Test(
        "What is no such preference, or can't be read, is left out",
        arguments: [
            [], [""], ["mergex"], ["merge=1"], ["merge=no", "merge"], ["x=merge"], ["x;merge"], ["\"merge\""],
            ["x=\"a", "y, merge\""], ["x=\"a, merge"], ["merge="], ["merge=\""], ["merge=a=b"], ["m erge"], ["mérge"],
        ]
    )
    func notThere(lines: [String]) throws { #expect(try preferences(lines).contains("merge") == false) }
}
