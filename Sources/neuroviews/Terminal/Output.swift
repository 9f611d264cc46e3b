import Glibc
import NeuroViewsClient

/// Results go to standard output, everything else to standard error.
struct Output: Sendable {
    let isJSON: Bool
    let isForTerminal: Bool
    /// Bars are for people: on a terminal, and never with --json.
    let hasBars: Bool

    init(isJSON: Bool) {
        self.isJSON = isJSON
        isForTerminal = Streams.isTerminal(STDOUT_FILENO)
        hasBars = !isJSON && Streams.isTerminal(STDERR_FILENO)
    }

    /// Prints results: the JSON value with --json, else the text.
    func result(_ json: @autoclosure () -> JSONValue, _ text: @autoclosure () -> String) {
        Streams.print(isJSON ? json().text + "\n" : text())
    }

    /// Prints results: the JSON value with --json, else the table.
    func result(_ json: @autoclosure () -> JSONValue, _ table: @autoclosure () -> Table) {
        result(json(), table().text(isForTerminal: isForTerminal))
    }

    /// Tells something that is no result and does not end the command, on standard error.
    func remark(_ sentence: String) {
        guard isJSON else { return Streams.complain("neuroviews: \(Shown.text(sentence))\n") }
        Streams.complain(JSONValue.object(["detail": .string(sentence)]).text + "\n")
    }

    /// Reports a failure.
    func failure(_ failure: Failure, status: Int32) {
        guard isJSON else { return Streams.complain("neuroviews: \(Shown.text(failure.sentence))\n") }
        var error: JSONValue.Object = [
            "detail": .string(failure.sentence), "exit_status": .number(.init(Int64(status))),
        ]
        if let code = failure.code { error["code"] = .string(code) }
        if let seconds = failure.retryAfterS { error["retry_after"] = .number(.init(seconds)) }
        Streams.complain(JSONValue.object(error).text + "\n")
    }
}
