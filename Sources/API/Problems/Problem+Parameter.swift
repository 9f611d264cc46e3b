import JSONSchema
import NeuroViewsJSON
import Problems

extension Problem {
    /// The response to a parameter of the query or the path that can't be used. `rule` is what is asked for, as the end
    /// of a sentence without its full stop. `errors` names the parameter like a member of a body.
    init(parameter name: String, _ rule: String, keyword: String = "format") {
        self.init(ProblemType.invalidParameter, "\(name) \(rule).")
        let pointer = JSONPointer().appending(member: name).description
        violations = [Violation(pointer: pointer, keyword: keyword, detail: rule)]
    }
}
