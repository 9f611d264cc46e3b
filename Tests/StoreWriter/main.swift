import Foundation
import NeuroViewsClient

// An app without a network, for tests of its store:
//   store-writer save FOLDER             saves configurations until it is killed, and prints each id when it is on disk
//   store-writer edit FOLDER ID COUNT    counts a member of a configuration up
//   store-writer measure FOLDER COUNT    prints milliseconds: of saves, of edits, of the list, of the opening
let words = Array(CommandLine.arguments.dropFirst()) + ["", "", "", ""]
var options = Options()
options.folder = URL(fileURLWithPath: words[1])
guard let server = URL(string: "https://server.invalid") else { exit(64) }
let client = try NeuroViews(server: server, options)

func print(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

switch words[0] {
case "save":
    while true {
        let saved = try await client.save(CameraConfiguration(name: "saved"))
        print(saved.id.uuidString.lowercased())
    }
case "edit":
    guard let id = UUID(uuidString: words[2]) else { exit(64) }
    for _ in 0..<(Int(words[3]) ?? 0) {
        try await client.edit(id) { configuration in
            let count = configuration["/count"]?.int64 ?? 0
            configuration["/count"] = .number(JSONValue.Number(count + 1))
        }
    }
case "measure":
    let measured = try await Measurement(client, server, options, count: Int(words[2]) ?? 0)
    print(measured.json)
default: exit(64)
}
