import NeuroViewsRules

/// A request to the interface, without the fields of a session.
struct SessionRequest: Sendable {
    let method: String
    /// The path below the interface's version, with its query.
    let path: String
    let fields: [HeaderField]
    let body: [UInt8]
    let expectation: Expectation
    /// True if a 307 with a Location is a good answer.
    let acceptsRedirect: Bool
    /// True if the server answers when something happens.
    var waits = false

    init(
        _ method: String,
        _ path: String,
        fields: [HeaderField] = [],
        body: [UInt8] = [],
        _ expectation: Expectation = Expectation(.json),
        acceptsRedirect: Bool = false
    ) {
        (self.method, self.path, self.body) = (method, path, body)
        (self.expectation, self.acceptsRedirect) = (expectation, acceptsRedirect)
        let isTyped = body.isEmpty || fields.contains { $0.name.lowercased() == "content-type" }
        self.fields = isTyped ? fields : fields + [HeaderField("Content-Type", "application/json")]
    }

    /// The request to a server.
    func sent(to address: ServerAddress) -> TransferRequest {
        var request = TransferRequest(
            method,
            address.base + path,
            fields: fields.map { ($0.name, $0.value) },
            body: body.isEmpty ? .none : .bytes(body)
        )
        request.waits = waits
        return request
    }

    /// The server's verdict on the request.
    func judgement(_ answer: Answer) -> Judgement {
        if acceptsRedirect, answer.status == 307, answer.field("location") != nil { return .done }
        return answer.judgement(expectation)
    }

    /// The failure that stands for an answer without a verdict.
    func unknown(_ answer: Answer, retryAfterSeconds: Int64?) -> ClientError {
        if answer.isProblem { return .tryLater(Problem(answer.problem), seconds: retryAfterSeconds) }
        let name = "\(method) \(path.prefix { $0 != "?" })"
        return .unexpectedAnswer(
            "The answer to \(name) is not the server's (status \(answer.status)): check the network and the address."
        )
    }
}
