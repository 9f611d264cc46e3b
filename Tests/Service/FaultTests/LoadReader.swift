import Foundation
import TestSupport

/// Polls with the token of the previous answer while the writers run.
struct LoadReader {
    private let client: LoadClient
    private let observations: Observations
    private let limit: Int?
    private(set) var items: [String: Belief] = [:]
    private(set) var resets = 0
    private var token: String?

    init(_ client: LoadClient, _ observations: Observations, limit: Int?) {
        self.client = client
        self.observations = observations
        self.limit = limit
    }

    mutating func run() throws {
        while !observations.isStopping {
            _ = try poll()
            // Without a pause, polling would take the CPU from the writers.
            usleep(5000)
        }
    }

    /// Polls until there are no more changes.
    mutating func finish() throws {
        while try poll() {}
    }

    /// Stores the listed items; a reset first clears all items. Returns true if there are more changes.
    private mutating func poll() throws -> Bool {
        let query = [token.map { "sync_token=\($0)" }, limit.map { "limit=\($0)" }].compactMap { $0 }
        let answer = try client.send(
            "GET",
            "/v2/configurations" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        )
        let versions = answer.versionNumbers
        guard answer.status == 200 else {
            throw Program.Failure("a poll: \(answer.verdict) \(answer.text)")
        }
        if answer.json["reset"] as? Bool == true {
            items = [:]
            resets += 1
        }
        for document in answer.rawElements("configurations") {
            let id = String(document.dropFirst(#"{ "id":""#.count).prefix(36))
            items[id] = Belief(version: versions[id] ?? 0, document: document)
        }
        for id in answer.json["deleted"] as? [String] ?? [] {
            items[id] = Belief(version: versions[id] ?? 0, document: nil)
        }
        token = answer.string("sync_token")
        return answer.json["has_more"] as? Bool ?? false
    }
}
