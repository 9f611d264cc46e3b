import CloudSync
import HTTP
import Net
import Storage
import Tracing
import Uploads

/// One request to an upload resource, and its responses.
struct UploadCall {
    let request: Request
    /// The body; nil where the method has none.
    let stream: BodyStream?
    /// The key of the object, and before that of the upload's file.
    let key: ObjectKey
    let dialect: UploadDialect
    /// True if a 104 can reach the client.
    let announces: Bool
    private let publicURL: String
    private let location: String

    /// Throws `.notFound` for a token that this server did not make.
    init(_ context: RequestContext, _ uploads: UploadService, announces: Bool, publicURL: String) throws {
        let token = context.parameters["token"] ?? ""
        guard let key = ObjectKey(try uploads.objectKey(ofToken: token)) else {
            throw CloudSyncError.problem(.notFound)
        }
        guard let request = context.request else { throw Problem(.internalError) }
        self.key = key
        self.request = request
        self.announces = announces && context.head.minorVersion > 0
        self.publicURL = publicURL
        stream = context.stream
        dialect = UploadDialect(context.head.headers)
        location = "\(context.publicURL)/uploads/\(token)"
    }

    var record: RequestRecord { request.record }

    /// The responses in the dialect of a request. A file sent with one PUT has no dialect, with any fields.
    func answers(_ dialect: UploadDialect, _ limits: UploadLimits = UploadLimits()) -> UploadAnswers {
        UploadAnswers(dialect, location: location, limits: limits)
    }

    /// Sends the 104 if the client can receive one. Throws `SocketFailure` when the client is gone.
    func announce(_ answers: UploadAnswers) async throws {
        guard announces, let head = answers.announcement else { return }
        try await request.sendInterim(head.status, fields: head.fields)
    }

    /// Reports an offset that is safely stored. A client that is gone is noticed later.
    func report(_ offset: Int, _ answers: UploadAnswers) async {
        guard announces, let head = answers.progress(offset) else { return }
        _ = try? await request.sendInterim(head.status, fields: head.fields)
    }
}

// MARK: Refusals

extension UploadCall {
    /// The response to a refused request.
    func response(to refusal: UploadRefusal) -> Response {
        let head = answers(dialect).refusal(refusal)
        var response = logged(Problem(refusal, head.status))
        response.fields.append(head.fields)
        return response
    }

    /// Ends the connection without a response, because only then the client resumes: URLSession treats a 5xx as the end
    /// of the upload. The returned response is for the log alone.
    func cutOff(_ reason: any Error) -> Response {
        request.cutOff()
        if let refusal = reason as? UploadRefusal { return response(to: refusal) }
        // A client that is gone is no failure of the server.
        let bodyError = reason is SocketFailure ? RequestBodyError.cutOff : reason as? RequestBodyError
        if let bodyError { return logged(Problem(bodyError, maxBytes: .max)) }
        record.isCutOff = true
        return Problem(reason, record).response(base: publicURL, instance: record.id)
    }

    /// The response to a failure before the content was read. Clients of the draft are cut off, also
    /// when they ask for the offset: they treat a 5xx as the end of the upload, as in `cutOff`.
    /// Others get a 503. A full disk is no fault.
    func fail(_ error: any Error) -> Response {
        let problem = Problem(error, record)
        let isFault = problem.status.code >= 500 && problem.type != .insufficientStorage
        guard dialect.interopVersion != nil, isFault else {
            return problem.response(base: publicURL, instance: record.id)
        }
        return cutOff(error)
    }

    /// The response to a request whose bytes could not be stored.
    func refuse(_ reason: any Error) -> Response {
        Problem(reason, record).response(base: publicURL, instance: record.id)
    }

    private func logged(_ problem: Problem) -> Response {
        record.problem = problem.type.code
        return problem.response(base: publicURL, instance: record.id)
    }
}

extension Problem {
    /// The response to a refused request of an upload, with the status of its dialect.
    init(_ refusal: UploadRefusal, _ status: Status) {
        self.init(refusal.problem, refusal.detail)
        self.status = status
        extensions = refusal.members.map { (name: $0.name, json: Array(String($0.value).utf8)) }
    }
}
