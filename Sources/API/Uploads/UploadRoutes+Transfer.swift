import CloudSync
import HTTP
import Storage
import Uploads

extension UploadRoutes {
    /// Receives the content of a request that may append, and answers it.
    func receive(
        _ transfer: UploadTransfer,
        _ upload: OpenedUpload,
        _ call: UploadCall,
        _ answers: UploadAnswers,
        _ seat: UploadSeat
    ) async throws -> Response {
        try await catchingFailures(of: call) {
            let file = try await prepare(transfer, upload, call)
            seat.begin(call.request.cut)
            if transfer.start > 0 { uploads.noteResumed() }
            var reception = UploadReception(transfer, into: file, upload, call, answers, self)
            var failure: (any Error)?
            do {
                if transfer.isCreation { try await call.announce(answers) }
                if let stream = call.stream { try await reception.read(stream) }
            } catch {
                failure = error
            }
            try await reception.finish(failure)
            return Response(answers.stored(reception.state, isCreation: transfer.isCreation))
        }
    }

    /// Returns the response of `work`, which reads the content, or the one to its failure. Throws refusals.
    func catchingFailures(of call: UploadCall, _ work: () async throws -> Response) async throws -> Response {
        do {
            return try await work()
        } catch let refusal as UploadRefusal {
            throw refusal
        } catch StorageError.full {
            return call.refuse(StorageError.full)
        } catch RequestBodyError.malformed(let error) {
            return call.refuse(Problem(RequestBodyError.malformed(error), maxBytes: .max))
        } catch {
            return call.cutOff(error)
        }
    }

    /// Opens the upload's file, cut at the start of the content.
    private func prepare(_ transfer: UploadTransfer, _ upload: OpenedUpload, _ call: UploadCall) async throws
        -> UploadFile
    {
        let file = try await storage.createUpload(call.key)
        try await file.truncate(to: transfer.start)
        guard transfer.showsProgress, !upload.isOfBoot(settings.bootID) else { return file }
        let change = UploadChange(upload.state, bootID: settings.bootID)
        let key = call.key.description
        guard try await uploads.store(change, of: key, ifEpoch: upload.state.epoch, record: call.record) else {
            throw UploadRefusal.superseded
        }
        return file
    }
}
