import CloudSync
import Net
import NeuroViewsCrypto
import NeuroViewsJSON
import Postgres
import Storage
import TestSupport
import Testing

@testable import API

@Suite("OpenAPI document and code")
struct InterfaceTests {
    /// The interface of a server with services and without a database. The services open nothing before their first
    /// use.
    static func application() async throws -> Application {
        let loop = try EventLoop(index: 0)
        let database = try Database(Database.Configuration(connectionString: ""), loops: [loop])
        let hashing = try BlockingPool(threads: 0, queueMax: 0)
        let keys = try KeyRing(current: MasterKey(bytes: Array(0..<32)))
        let disk = try DiskStorage(folder: Sandbox.makeFolder(), reserveBytes: 0, pool: hashing)
        let accounts = AccountService(
            database: database,
            keys: keys,
            hashing: hashing,
            limits: AttemptLimits(database: database, keys: keys),
            settings: .init(registration: .open, now: { 0 })
        )
        let settings = Application.Settings(
            publicURL: "http://127.0.0.1:8080/v2",
            signatures: .required(),
            batchBodyMaxBytes: 4 << 20,
            version: "0",
            uploads: .init(bootID: "00000000-0000-0000-0000-000000000000"),
            report: { _ in }
        )
        var services = try services(database, keys, accounts, .disk(disk))
        services.realtime = realtime(database, loop)
        let application = try Application(services, settings)
        await database.close()
        return application
    }

    private static func services(
        _ database: Database,
        _ keys: KeyRing,
        _ accounts: AccountService,
        _ storage: ObjectStorage
    ) throws -> Application.Services {
        let devices = DeviceService(database: database, now: { 0 })
        let work = try LargeWork(threads: 0)
        return Application.Services(
            accounts: accounts,
            authenticator: Authenticator(keys: keys, clockSkewSeconds: 300, now: { 0 }),
            work: work,
            configurations: ConfigurationService(
                database: database,
                devices: devices,
                work: work,
                overlapSeconds: 86400
            ),
            recordings: RecordingService(database: database, keys: keys, devices: devices, overlapSeconds: 86400),
            uploads: UploadService(database: database, keys: keys),
            quotas: QuotaService(database: database, items: AccountQuotas(), files: RecordingService.Limits()),
            downloads: DownloadService(database: database, keys: keys, now: { 0 }),
            storage: storage,
            store: StoreIdentity(database: database, storage: storage),
            directUploads: nil,
            devices: devices,
            usage: UsageService(database: database, work: work),
            consents: ConsentService(database: database),
            events: EventService(database: database, settings: .init(clockSkewSeconds: 300, keptDays: 400, now: { 0 })),
            exports: ExportService(database: database),
            erasure: AccountErasure(
                database: database,
                place: AccountErasure.Place(storage: storage, ledgerDigest: { _ in [] })
            ),
            readiness: ServiceReadiness { nil }
        )
    }

    private static func realtime(_ database: Database, _ loop: EventLoop) -> RealtimeServices {
        let counts = RealtimeCounts()
        let serverID = "00000000-0000-4000-8000-000000000000"
        let hub = RealtimeHub(database: database, serverID: serverID, loops: [loop], hints: AccountHints())
        return RealtimeServices(
            hub: hub,
            commands: CommandService(database: database, hub: hub, counts: counts),
            counts: counts,
            loops: [loop],
            connectionsMax: 2,
            drainTimeoutMs: 0,
            now: { 0 },
            report: { _ in }
        )
    }

    @Test("The document has exactly the code's routes, except health outside /v2 and the WebSocket")
    func routes() async throws {
        let document = try InterfaceDocument()
        let documented = try document.operations.map { "\($0.method) \(try document.target(of: $0))" }
        let routed = try await Self.application().router.routes.map { "\($0.method.name) \($0.pattern)" }
        #expect(!routed.isEmpty)
        let undocumented = Set(routed).subtracting(documented)
        let others: Set = ["GET \(ServiceRoutes.healthAlias)", "GET \(RealtimeRoutes.socketPath)"]
        #expect(undocumented == others, "routes that are not documented")
        #expect(Set(documented).subtracting(routed).isEmpty, "documented, but no route")
    }

    @Test("A path declares exactly the parameters that it contains")
    func pathParameters() throws {
        let document = try InterfaceDocument()
        for operation in document.operations {
            let inPath = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().dropLast()) }
            let declared = try document.parameters(of: operation).filter { $0["in"]?.string == "path" }
            #expect(declared.compactMap { $0["name"]?.string } == inPath, "\(operation)")
            for parameter in declared { #expect(parameter["required"]?.bool == true, "\(operation)") }
        }
    }

    @Test("Every documented operation has a unique name, a known tag, a summary and a description")
    func operations() throws {
        let document = try InterfaceDocument()
        let tags = try #require(document.root["tags"]?.array).compactMap { $0["name"]?.string }
        var names: Set<String> = []
        for operation in document.operations {
            let name = try #require(operation.value["operationId"]?.string, "\(operation)")
            #expect(names.insert(name).inserted, "\(name) stands there twice")
            for tag in try #require(operation.value["tags"]?.array, "\(operation)") {
                #expect(tags.contains(tag.string ?? ""), "\(operation)")
            }
            #expect(operation.value["summary"]?.string?.isEmpty == false, "\(operation)")
            #expect(operation.value["description"]?.string?.isEmpty == false, "\(operation)")
        }
    }

    @Test("The server accepts the document's examples of signatures, in both versions")
    func signature() throws {
        let schemes = try InterfaceDocument().root["components"]?["securitySchemes"]
        for (name, versions) in [("x-signature-example", [1, 3]), ("x-signature-example-bare", [3])] {
            let example = try #require(schemes?["signature"]?[name])
            for version in versions { try check(example, version) }
        }
    }

    private func check(_ example: JSONValue, _ number: Int) throws {
        func text(_ name: String) throws -> String { try #require(example[name]?.string) }
        let key = HMACSHA256(key: try #require(Base64.padded.decode(try text("signing_key"))))
        let digest = SHA256.hash(Array(try text("body").utf8))
        let lines = try #require(example["header_lines"]?.array).map { try #require($0.string) }
        let fields = lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: String(parts[0]), value: String(parts[1]))
        }
        let signed = try #require(SignedFields(fields))
        let signature = try #require(
            RequestSignature(
                version: number == 1 ? .one : .three(signed, bodyDigest: digest),
                method: try text("method"),
                url: try text("url"),
                timestamp: try text("timestamp"),
                nonce: try text("nonce")
            )
        )
        #expect(try signature.isValid(text("version_\(number)"), key: key))
        if number == 3 { #expect(try signature.message == Array(text("version_3_message").utf8)) }
    }
}
