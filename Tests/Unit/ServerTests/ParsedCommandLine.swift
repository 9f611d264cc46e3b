import CommandWords

@testable import Machine
@testable import Settings
@testable import neuroviews_server

/// Parses `serve` with this environment and these files.
func serve(
    _ arguments: [String] = [],
    _ environment: [String: String] = [:],
    files: [String: String] = [:]
) -> Result<Settings, UsageError> {
    parse(["serve"] + arguments, environment, files: files).map { invocation in
        guard case .serve(let settings) = invocation else { return Settings() }
        return settings
    }
}

func parse(
    _ arguments: [String],
    _ environment: [String: String] = [:],
    files: [String: String] = [:]
) -> Result<Invocation, UsageError> {
    CommandLineInterface.parse(arguments: arguments, environment: environment) { path in
        guard let text = files[path] else { throw FileError("open", path, code: 2) }
        return text
    }
}

func sentence<Value>(_ result: Result<Value, UsageError>) -> String? {
    if case .failure(let error) = result { return error.sentence }
    return nil
}

func status<Value>(_ result: Result<Value, UsageError>) -> Int32? {
    if case .failure(let error) = result { return error.status.rawValue }
    return nil
}
