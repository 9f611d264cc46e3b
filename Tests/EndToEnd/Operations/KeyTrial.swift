import Credentials
import Foundation
import NeuroViewsCrypto
import Postgres
import TestSupport

/// A server on a database of its own. Tests change its master key.
struct KeyTrial {
    static let open = ["--registration", "open", "--signatures", "required", "--media-jobs", "0"]

    let database: String
    let server: ServerProcess
    /// A session with signed requests. It began before all changes of the key.
    var device: Device

    /// The options of a command that name the server's database and secret.
    var places: [String] { ["--data", server.data, "--database-url", database] }
    var secretPath: String { server.data + "/secret.key" }
    /// The ids of the keys in the secret file.
    var fileIDs: [String] { get throws { try Self.ids(of: secretPath) } }

    init() throws {
        database = try TestCluster.shared.get().makeDatabase()
        server = try ServerProcess(Self.open + ["--database-url", database])
        device = try Device.new(server.client)
        device.signatureVersion = 1
    }

    /// Another server on the same database, with a copy of the secret file in a folder of its own.
    func secondServer() throws -> ServerProcess {
        let folder = Sandbox.makeFolder()
        try FileManager.default.createDirectory(atPath: folder + "/data", withIntermediateDirectories: true)
        try copySecret(to: folder + "/data")
        return try ServerProcess(Self.open + ["--database-url", database], folder: folder)
    }

    func copySecret(to data: String) throws {
        let file = data + "/secret.key"
        try? FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: secretPath, toPath: file)
    }

    func run(_ action: String) throws -> Program { try Operator.run(["secret", action] + places) }

    /// Rotates the master key, and returns the new key's id.
    func rotate() throws -> String {
        let told = try Operator.succeed(["secret", "rotate"] + places)
        return String(told.dropFirst("new sessions use the master key ".count).prefix(8))
    }

    /// Starts the server again, and connects the session to it.
    mutating func startAgain() throws {
        try server.start()
        device.client = server.client
    }

    /// Logs in to the session's account.
    func logIn(at server: ServerProcess? = nil) throws -> Device {
        var other = try Device.logIn((server ?? self.server).client, device.email, name: "tablet")
        other.signatureVersion = 1
        return other
    }

    /// Logs in until the server uses this key for new sessions.
    func logIn(until keyID: String, at server: ServerProcess? = nil) throws -> Device {
        var found: Device?
        try Deadline.wait("a session of \(keyID)", seconds: 30) {
            found = try logIn(at: server)
            return found?.keyID == keyID
        }
        guard let found else { throw Program.Failure("nobody logged in") }
        return found
    }

    /// Returns true if a login, a signed write and a refresh succeed.
    func hasWorkingLogin(at server: ServerProcess? = nil, until keyID: String? = nil) throws -> Bool {
        var device = try keyID.map { try logIn(until: $0, at: server) } ?? logIn(at: server)
        return try device.use() == ["201", "200"]
    }

    @discardableResult
    func sql(_ text: String) throws -> [String] {
        let rows = try BlockingSession(database).execute("SET search_path = neuroviews; \(text)")
        return (0..<rows.count).map { rows[$0].text(0) ?? "" }
    }

    static func ids(of path: String) throws -> [String] {
        let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
        return try stride(from: 0, to: bytes.count, by: 32).map { try MasterKey(bytes: Array(bytes[$0..<$0 + 32])).kid }
    }
}

extension Device {
    /// The id of the master key in the token.
    var keyID: String? {
        let part = token.split(separator: ".").first.flatMap { Base64.url.decode(String($0)) } ?? []
        return (try? JSONSerialization.jsonObject(with: Data(part)) as? [String: String])?["kid"]
    }

    /// Sends a signed write and a refresh. Returns both verdicts.
    mutating func use() throws -> [String] {
        let written = try post(Preset().json).verdict
        let refreshed = try send("POST", "/v2/auth/refresh")
        if refreshed.status == 200 { token = refreshed.string("token") }
        return [written, refreshed.verdict]
    }

    /// The path of a new upload's URL.
    func uploadPath(_ id: String = UUID().uuidString, bytes: Int = 10) throws -> String {
        let url = try openUpload(id, bytes: bytes).string("upload_url")
        guard let start = url.range(of: "/v2/") else { throw Program.Failure("no upload URL: \(url)") }
        return String(url[start.lowerBound...])
    }
}

/// An authenticator app of a trial's account.
struct TrialApp {
    private let totp: TOTP
    private let trial: KeyTrial

    /// Adds an app to the account, and activates it.
    init(_ trial: KeyTrial) throws {
        let begun = try trial.device.send("POST", "/v2/account/totp")
        totp = TOTP(secret: Base32.decode(begun.string("secret")) ?? [])
        self.trial = trial
        let body = #"{"code":"\#(AuthenticatorApp.code(of: totp))"}"#
        let confirmed = try trial.device.send("POST", "/v2/account/totp/confirm", body: body)
        guard confirmed.status == 200 else { throw Program.Failure("totp: \(confirmed.verdict)") }
    }

    /// Logs in by password and code. Returns the verdict of the second step.
    func logIn() throws -> String {
        // A code is valid once, and the logins follow each other before the next code.
        try trial.sql("UPDATE totp_secrets SET last_step = 0")
        let credentials = #"{"email":"\#(trial.device.email)","password":"\#(Device.password)"}"#
        let first = try trial.server.client.send("POST", "/v2/auth/login", body: credentials)
        let factor = #"{"challenge":"\#(first.string("challenge"))","code":"\#(AuthenticatorApp.code(of: totp))"}"#
        return try trial.server.client.send("POST", "/v2/auth/second-factor", body: factor).verdict
    }
}
