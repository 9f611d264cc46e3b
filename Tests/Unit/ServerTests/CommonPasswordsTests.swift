import CloudSync
import Foundation
import TestSupport
import Testing

@testable import Settings

@Suite("The list of common passwords", .blocking)
struct CommonPasswordsTests {
    private static func list(_ text: String) throws -> CommonPasswords {
        let path = Sandbox.makeFolder() + "/list"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return .load(path)
    }

    private static func refuses(_ list: CommonPasswords, _ password: String) -> Bool {
        (try? list.rules.accept(password, for: "ada@example.org")) == nil
    }

    @Test(
        "Common passwords are read from lines and from Python and JSON lists",
        arguments: [
            "short\nTrustNo1!\r\nletmein please\n",
            #"LISTS = {\#n    "passwords": "short,trustno1!,letmein please".split(",")}"#,
            #"["short", "trustno1!","letmein please"]"#,
        ]
    )
    func forms(_ text: String) throws {
        let list = try Self.list(text)
        for password in ["trustno1!", "TRUSTNO1!", "letmein please"] { #expect(Self.refuses(list, password)) }
        #expect(!Self.refuses(list, "letmein, please"))
        #expect(list.problem?.contains("and 3000 are needed") == true)
    }

    @Test("A missing or short list of common passwords is reported, and the other rules stay")
    func missing() throws {
        let list = CommonPasswords.load("/nowhere/list")
        #expect(list.problem == "cannot open /nowhere/list: No such file or directory")
        #expect(Self.refuses(list, "short") && !Self.refuses(list, "12345678"))
        #expect(try Self.list((0..<3000).map { "password-\($0)" }.joined(separator: "\n")).problem == nil)
    }

    @Test("The installed list has the most common passwords")
    func installed() {
        let list = CommonPasswords.load(Settings().constants.commonPasswords)
        #expect(list.problem == nil, "deploy/test installs python3-zxcvbn")
        for password in ["12345678", "Password1", "qwertyuiop", "1q2w3e4r", "iloveyou", "11111111", "michelle"] {
            #expect(Self.refuses(list, password), "\(password)")
        }
        #expect(!Self.refuses(list, Device.password))
    }
}
