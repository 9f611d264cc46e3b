import Testing

@testable import API

@Suite("The Prefer field (RFC 7240)")
struct PreferencesTests {
    @Test(
        "Preferences are read from several lines, with parameters, quotes and either case",
        arguments: [
            ["merge"], ["MERGE"], ["a", "merge"], ["a=b;c=d, merge ;e"], ["x=\"1, 2\", merge"], ["merge = \"\""],
            ["x=\"\\\"a, b\\\"\",merge"], [",", "merge,"], ["merge, merge=no"], ["@, merge"], ["=, ;, merge"],
            ["merge; quiet=\"yes, please\""], ["wait=10, handling=lenient, merge"],
        ]
    )
    func there(lines: [String]) { #expect(Preferences(lines: lines).contains("merge")) }

    @Test(
        "Unknown and malformed preferences are ignored",
        arguments: [
            [], [""], ["mergex"], ["merge=1"], ["merge=no", "merge"], ["x=merge"], ["x;merge"], ["\"merge\""],
            ["x=\"a", "y, merge\""], ["x=\"a, merge"], ["x=\"a, merge, b\""], ["merge="], ["merge=\""], ["merge=a=b"],
            ["m erge"], ["mérge"],
        ]
    )
    func notThere(lines: [String]) { #expect(Preferences(lines: lines).contains("merge") == false) }
}
