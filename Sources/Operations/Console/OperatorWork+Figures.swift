import CloudSync
import HTTP
import Machine
import Net
import NeuroViewsJSON
import Settings
import Storage

/// What the admin listener says, what the doctor finds, and the use of all accounts.
extension OperatorWork {
    private static let (figuresMaxBytes, figuresLimitMs) = (8 << 20, 10_000)
    private static let daysUsual = 30

    /// The metrics as they are.
    func metrics() async -> Response {
        do {
            let (status, text) = try await admin("/metrics")
            guard status == 200 else { return Self.away("the admin listener answers \(status)") }
            return Response(.ok, fields: [("Content-Type", "text/plain; charset=utf-8")], content: .bytes(text))
        } catch {
            return Self.away(Self.reason(error))
        }
    }

    /// Ready, not ready, or away.
    func readiness() async -> Response {
        let server = await server()
        return .object { writer in
            writer.member("status", string: server.status)
            writer.member("reason", optional: server.reason)
        }
    }

    private func server() async -> (status: String, reason: String?) {
        do {
            let body = try JSONParser.parse(try await admin("/readyz").bytes, policy: .rfc8259)
            return (body["status"]?.string ?? "not ready", body["reason"]?.string)
        } catch {
            return ("away", Self.reason(error))
        }
    }

    func doctor() async throws -> Response {
        let begunAtMs = Monotonic.nowMs()
        let findings = try await onThread { [settings] in
            DoctorCommand(settings: .success(settings), isJSON: true).findings()
        }
        let seconds = Double(Monotonic.nowMs() - begunAtMs) / 1000
        return .object { writer in
            writer.member("seconds", raw: Array("\(seconds)".utf8))
            writer.list("findings", findings) { finding, writer in
                writer.member("verdict", string: finding.verdict.rawValue)
                writer.member("subject", string: finding.subject)
                writer.member("detail", string: finding.detail)
                writer.member("remedy", optional: finding.remedy)
            }
        }
    }

    /// What `usage --json` prints, for the last `days`.
    func usage(_ query: QueryParameters) async throws -> Response {
        let text = query.values("days").first ?? String(Self.daysUsual)
        guard let days = Int(text), (1...UsageService.daysMax).contains(days) else {
            throw OperatorProblem.badRequest("days must be a number from 1 to \(UsageService.daysMax).")
        }
        let first = CalendarDate(number: CalendarDate(on: Timestamp(seconds: Clock.now())).number - days + 1)
        let report = try await onThread { [settings] in
            try UsageCommand(options: UsageOptions(from: first.text, form: .json), settings: settings).text()
        }
        return Response(.ok, fields: [("Content-Type", "application/json")], content: .bytes(Array(report.utf8)))
    }

    private func admin(_ path: String) async throws -> (status: Int, bytes: [UInt8]) {
        let address = settings.served(at: DataPlace(settings)).adminListen
        guard let authority = address.authority else {
            throw CommandFailure(
                "NEUROVIEWS_ADMIN_LISTEN is \(address): set an address such as 127.0.0.1:8081 for figures"
            )
        }
        return try await figures.run { [client] in
            try client.read(
                "http://\(authority)\(path)",
                maxBytes: Self.figuresMaxBytes,
                limitMs: Self.figuresLimitMs
            )
        }
    }

    private static func away(_ reason: String) -> Response { .object(503) { $0.member("reason", string: reason) } }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case StorageError.unavailable(let reason): "the admin listener does not answer: \(reason)"
        default: "\(error)"
        }
    }
}
