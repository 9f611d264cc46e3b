import Testing

@testable import API

@Suite("Prefer (RFC 7240)")
struct PreferencesTests {
    @Test(
        "Lists over several lines, parameters, quotes and either case are read",
        arguments: [
            ["merge"], ["MERGE"], ["a", "merge"], ["a=b;c=d, merge ;e"], ["x=\"1, 2\", merge"], ["merge = \"\""],
            ["x=\"\\\"a, b\\\"\",merge"], [",", "merge,"], ["merge, merge=no"], ["@, merge"], ["=, ;, merge"],
            ["merge; quiet=\"yes, please\""], ["wait=10, handling=lenient, merge"],
        ]
    )
    func there(lines: [String]) { #expect(Preferences(lines: lines).contains("merge")) }

    @Test(
        "What is no such preference, or can't be read, is left out",
        arguments: [
            [], [""], ["mergex"], ["merge=1"], ["merge=no", "merge"], ["x=merge"], ["x;merge"], ["\"merge\""],
            ["x=\"a", "y, merge\""], ["x=\"a, merge"], ["x=\"a, merge, b\""], ["merge="], ["merge=\""], ["merge=a=b"],
            ["m erge"], ["mérge"],
        ]
    )
    func notThere(lines: [String]) { #expect(Preferences(lines: lines).contains("merge") == false) }
}
