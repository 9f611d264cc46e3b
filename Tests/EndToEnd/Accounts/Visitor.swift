import Foundation
import TestSupport

/// A client at an address. The address comes from a trusted proxy on this machine.
struct Visitor: Sendable {
    var client: APIClient
    var address: String

    /// A server with the usual limits of attempts that trusts such a proxy.
    static func server(_ arguments: [String] = []) throws -> ServerProcess {
        let usual = ["--registration", "open", "--signatures", "optional", "--trusted-proxies", "127.0.0.1"]
        return try ServerProcess(usual + arguments, hasAttemptLimits: true)
    }

    func register(_ email: String, password: String = Device.password) throws -> HTTPAnswer {
        try post("/v2/auth/register", #"{"email":"\#(email)","password":"\#(password)"}"#)
    }

    func logIn(_ email: String, _ password: String = Device.password, device: String? = nil) throws -> HTTPAnswer {
        let member = device.map { #","device_id":"\#($0)""# } ?? ""
        return try post("/v2/auth/login", #"{"email":"\#(email)","password":"\#(password)"\#(member)}"#)
    }

    /// A login with a wrong password.
    func guess(_ email: String, device: String? = nil) throws -> HTTPAnswer {
        try logIn(email, "a wrong guess", device: device)
    }

    func at(_ address: String) -> Visitor { Visitor(client: client, address: address) }

    /// A new account with a device that has logged in from this address.
    func newAccount(device: String = "phone") throws -> String {
        let email = Device.newEmail()
        for answer in [try register(email), try logIn(email, device: device)] where answer.status > 201 {
            throw Program.Failure("\(answer.verdict) \(answer.text)")
        }
        return email
    }

    private func post(_ target: String, _ body: String) throws -> HTTPAnswer {
        try client.send("POST", target, [("X-Forwarded-For", address)], body: body)
    }
}
