import CloudSync
import HTTP
import Storage
import Uploads

/// `/uploads/{token}`: the bytes of a recording, by the IETF's draft, tus 1.0 or one PUT. The token is the permission.
struct UploadRoutes: Sendable {
    let uploads: UploadService
    let storage: DiskStorage
    let store: StoreIdentity
    let desk: UploadDesk
    let settings: Application.Settings.Uploads
    let publicURL: String

    /// The most attempts of a request. It starts again when another server's request intervenes.
    private static let triesMax = 5

    var routes: [RouteEntry] {
        let rate = MinimumRate(bytesPerSecond: settings.minBytesPerSecond)
        let streamed = EndpointPolicy(.anybody, body: .streamed(.bytes(.max)), time: .minimumRate(rate))
        let policies: [(Method, EndpointPolicy)] = [
            (.head, .anybody), (.patch, streamed), (.post, streamed), (.put, streamed), (.delete, .anybody),
            (.options, .anybody),
        ]
        return policies.map { ($0, "/v2/uploads/{token}", Endpoint($1, handle)) }
    }

    private func handle(_ context: RequestContext) async throws -> Response {
        let call = try UploadCall(context, uploads, announces: settings.announces, publicURL: publicURL)
        do {
            try await store.confirm()
            return try await withSeat(try UploadRequest(context.head), call)
        } catch UploadRefusal.superseded {
            return call.cutOff(UploadRefusal.superseded)
        } catch let refusal as UploadRefusal {
            return call.response(to: refusal)
        } catch {
            return call.fail(error)
        }
    }

    /// Makes the request the one that owns the upload, until it has its response.
    private func withSeat(_ wish: UploadRequest, _ call: UploadCall) async throws -> Response {
        if wish.action == .describe {
            let upload = try await uploads.load(call.key.description, record: call.record)
            return Response(call.answers(wish.dialect, UploadLimits(upload)).capabilities)
        }
        let seat = await desk.take(call.key.description)
        defer { desk.leave(seat) }
        return try await admit(wish, call, seat)
    }

    /// Asks the upload's state for the next step, stores the change, and takes the step.
    private func admit(_ wish: UploadRequest, _ call: UploadCall, _ seat: UploadSeat) async throws -> Response {
        for _ in 0..<Self.triesMax {
            guard var upload = try await standing(call, wish.dialect) else { continue }
            seat.found(UploadSeat.Recording(userID: upload.row.userID, id: upload.row.id))
            let before = upload.state
            let admission = try upload.state.admit(wish, limits: upload.limits, announces: call.announces)
            try upload.requireSameDigest(wish)
            if admission == .cancelled {
                guard try await uploads.cancel(call.key.description, ifEpoch: before.epoch) else { continue }
            } else if upload.state != before {
                var change = upload.change(settings.bootID)
                change.note(wish, admission)
                guard try await store(change, ifEpoch: before.epoch, call) else { continue }
            }
            return try await act(on: admission, wish, upload, call, seat)
        }
        throw UploadRefusal.superseded
    }

    private func act(
        on admission: UploadAdmission,
        _ wish: UploadRequest,
        _ upload: OpenedUpload,
        _ call: UploadCall,
        _ seat: UploadSeat
    ) async throws -> Response {
        let answers = call.answers(wish.dialect, upload.limits)
        switch admission {
        case .transfer(let transfer): return try await receive(transfer, upload, call, answers, seat)
        case .resume:
            try? await call.announce(answers)
            await call.request.hangUp()
            return Response(answers.report(upload.state))
        case .storedAnswer: return try await storedResponse(wish, upload, call, answers, seat)
        case .repetition: return try await compare(upload, call, answers, seat)
        case .report: return Response(answers.report(upload.state))
        case .cancelled:
            try await storage.deleteUpload(call.key)
            return Response(answers.cancelled)
        case .describe: return Response(answers.capabilities)
        }
    }
}

extension Response {
    /// A response without content. The application adds Cache-Control to every response.
    init(_ head: ResponseHead) {
        self.init(head.status, fields: FieldBlock(head.fields.list.filter { $0.name != "Cache-Control" }))
    }
}

extension UploadLimits {
    init(_ upload: StoredUpload) {
        self.init(maxBytes: upload.size, lifetimeSeconds: max(0, upload.secondsLeft))
    }
}
