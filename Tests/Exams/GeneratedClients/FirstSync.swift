// The README's first sync by the client that openapi-generator makes: built together with its sources.
import Foundation

struct Failure: Error { let text: String }

func expect(_ isTrue: Bool, _ text: String) throws { if !isTrue { throw Failure(text: text) } }

/// A device that has logged in.
struct Phone {
    let configuration: NeuroViewsAPIConfiguration

    init(_ url: String, _ email: String, _ name: String) async throws {
        let login = try await AccountsAPI.logIn(
            credentials: Credentials(email: email, password: FirstSync.password, deviceId: name, deviceName: name),
            apiConfiguration: NeuroViewsAPIConfiguration(basePath: url)
        )
        configuration = NeuroViewsAPIConfiguration(
            basePath: url,
            customHeaders: ["Authorization": "Bearer \(login.token)"],
            apiResponseQueue: .global()
        )
    }

    func pull(_ token: String? = nil) async throws -> Delta {
        try await ConfigurationsAPI.listConfigurations(syncToken: token, apiConfiguration: configuration)
    }

    func replace(_ document: CameraConfiguration, over tag: String) async throws -> UpdateReceipt {
        try await ConfigurationsAPI.updateConfiguration(
            id: document.id,
            configurationBody: ConfigurationBody(configuration: document),
            ifMatch: "\"\(tag)\"",
            apiConfiguration: configuration
        )
    }

    func write(_ operations: [BatchOperation]) async throws -> BatchReceipt {
        try await ConfigurationsAPI.writeConfigurations(
            configurationBatch: ConfigurationBatch(atomic: false, operations: operations),
            apiConfiguration: configuration
        )
    }
}

@main
struct FirstSync {
    static let password = "three quiet lenses"
    static let noon = Date(timeIntervalSince1970: 1_777_636_800)

    static func main() async {
        do {
            try await run(CommandLine.arguments[1])
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    /// With members that the schema does not know, at three depths.
    static func preset(_ name: String) -> CameraConfiguration {
        var exposure = CameraConfigurationExposureSettings(mode: .manual, iso: 200)
        exposure["metering"] = .string("spot")
        var document = CameraConfiguration(
            id: UUID(),
            name: name,
            preset: .night,
            videoFormat: .hPeriod265,
            resolution: ._4k_UHD,
            frameRate: 24,
            exposureSettings: exposure,
            createdAt: noon,
            modifiedAt: noon
        )
        document["focus_settings"] = .dictionary(["mode": .string("manual"), "range": .array([.double(0.25), .null])])
        document["stars"] = .int(5)
        return document
    }

    static func run(_ url: String) async throws {
        let anybody = NeuroViewsAPIConfiguration(basePath: url)
        let email = "\(UUID().uuidString)@example.org"
        let account = try await AccountsAPI.register(
            registration: Registration(email: email, password: password),
            apiConfiguration: anybody
        )
        try expect(account.user.email == email.lowercased() || account.user.email == email, "another address")
        let (phone, tablet) = (try await Phone(url, email, "phone"), try await Phone(url, email, "tablet"))

        var harbour = preset("Harbour at night")
        let football = preset("Football")
        for document in [harbour, football] {
            let receipt = try await ConfigurationsAPI.createConfiguration(
                configurationBody: ConfigurationBody(configuration: document),
                apiConfiguration: phone.configuration
            )
            try expect(receipt.id == document.id, "another id")
        }
        let known = try await phone.pull()
        let pulled = try await tablet.pull()
        try expect(
            pulled.configurations == [harbour, football] && pulled.deleted.isEmpty,
            "the tablet has not what the phone sent"
        )

        // What was read is changed and sent back: nothing that the client does not know is lost.
        let tags = pulled.versions
        let tag = { (id: UUID) in tags[id.uuidString] ?? tags[id.uuidString.lowercased()] ?? "" }
        harbour = pulled.configurations[0]
        harbour.name = "Harbour at dawn"
        harbour.modifiedAt = noon.addingTimeInterval(3600)
        _ = try await tablet.replace(harbour, over: tag(harbour.id))
        let changes = try await phone.pull(known.syncToken)
        try expect(changes.configurations == [harbour] && !changes.reset, "the phone has not what the tablet sent")

        try await batch(by: phone, harbour, over: changes, football, tag(football.id))
        try await refusals(by: tablet, harbour, tag(harbour.id))
    }

    /// A batch with every kind of operation.
    static func batch(
        by device: Phone,
        _ replaced: CameraConfiguration,
        over pulled: Delta,
        _ deleted: CameraConfiguration,
        _ tag: String
    ) async throws {
        let moss = preset("Moss")
        var noon = replaced
        noon.name = "Harbour at noon"
        noon.modifiedAt = Self.noon.addingTimeInterval(7200)
        let current = pulled.versions.values.first
        let receipt = try await device.write([
            .typeBatchCreate(BatchCreate(operation: .create, configuration: moss)),
            .typeBatchReplace(BatchReplace(operation: .replace, configuration: noon, ifMatch: current)),
            .typeBatchDelete(BatchDelete(operation: .delete, id: deleted.id, ifMatch: tag)),
        ])
        try expect(receipt.outcome == .done && receipt.results.map(\.status) == [201, 200, 200], "\(receipt)")
        let all = try await device.pull()
        try expect(Set(all.configurations) == [moss, noon] && all.deleted == [deleted.id], "the batch was not done")
        let refused = try await device.write([
            .typeBatchDelete(BatchDelete(operation: .delete, id: moss.id, ifMatch: "1-000000000000"))
        ])
        let problem = refused.results.first?.problem
        try expect(problem?.type.hasSuffix("/problems/version-mismatch") == true, "\(refused)")
    }

    /// A problem is told by its code, and has what stands on the server.
    static func refusals(by device: Phone, _ document: CameraConfiguration, _ tag: String) async throws {
        var late = document
        late.name = "Harbour at dusk"
        do {
            _ = try await device.replace(late, over: tag)
        } catch let .error(status, data, _, _) as ErrorResponse {
            let problem = try device.configuration.codableHelper.decode(ConflictProblem.self, from: data ?? Data())
                .get()
            try expect(status == 412 && problem.type.hasSuffix("/problems/version-mismatch"), "\(problem)")
            return try expect(problem.current?["stars"] == .int(5), "\(problem)")
        }
        throw Failure(text: "an edit of an old version was taken")
    }
}
