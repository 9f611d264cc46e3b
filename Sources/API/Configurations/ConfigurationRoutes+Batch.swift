import CloudSync
import HTTP
import NeuroViewsJSON

extension ConfigurationRoutes {
    /// Answers 200 for any outcome of the operations. Each result has the status of a request of its own.
    func batch(_ context: RequestContext) async throws -> Response {
        let request = try await context.read { [schemas] in try BatchRequest($0, schemas["configuration-batch.json"]) }
        context.record?.writes = request.writes
        let receipt = try await configurations.batch(
            request.operations,
            isAtomic: request.isAtomic,
            context.idempotencyKey(),
            for: context.caller()
        )
        let fields: FieldBlock = receipt.head.map { [(SyncHead.name, $0.text)] } ?? []
        return .json(.ok, fields: fields, reservingBytes: 64 + receipt.results.count * 160) { writer in
            writer.member("outcome", string: receipt.outcome.rawValue)
            writer.member("results")
            writer.beginArray()
            for (operation, result) in zip(request.operations, receipt.results) {
                writer.beginObject()
                switch result {
                case .success(let receipt): Self.write(receipt, of: operation, to: &writer)
                case .failure(let error):
                    let problem = Self.problem(error, of: operation)
                    write(problem, of: operation, instance: context.record?.id ?? "", to: &writer)
                }
                writer.endObject()
            }
            writer.endArray()
        }
    }

    /// The problem of an operation. If the item does not exist, its detail names the operation that makes it.
    private static func problem(_ error: CloudSyncError, of operation: ConfigurationOperation) -> Problem {
        var problem = Problem(error)
        if problem.type == .notFound, operation.isReplacement {
            problem.detail = "There is no configuration with this id. The operation create makes it."
        }
        return problem
    }

    private static func write(
        _ receipt: WriteReceipt,
        of operation: ConfigurationOperation,
        to writer: inout JSONWriter
    ) {
        let status: Status = operation.isCreation ? .created : .ok
        writer.member("status", integer: Int64(status.code))
        writer.member("id", string: receipt.id)
        writer.member("version", string: receipt.version.text)
        writer.member("etag", string: EntityTag.of(receipt.version))
        writer.member("changed_at", string: receipt.changedAt)
    }

    private func write(
        _ problem: Problem,
        of operation: ConfigurationOperation,
        instance: String,
        to writer: inout JSONWriter
    ) {
        writer.member("status", integer: Int64(problem.status.code))
        writer.member("id", string: operation.spelledID)
        writer.member("problem")
        problem.write(to: &writer, base: publicURL, instance: instance)
    }
}
