import CommandWords
import FoundationEssentials
import Glibc
import NeuroViewsClient

/// `upload`: recordings to the server.
enum UploadCommand {
    static func upload(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        var metadata: [(file: URL, metadata: RecordingMetadata)] = []
        let configuration = try await configuration(call, device)
        for path in call.words {
            var known = RecordingMetadata(creationDate: try modificationDate(path))
            known.configurationID = configuration?.id
            known.configurationTag = configuration?.tag
            metadata.append((URL(filePath: path), known))
        }
        var uploads: [Upload] = []
        var begun = try await asking { () async throws(ClientError) in try await device.uploads() }
            .filter { !$0.state.isOver && $0.isSealed == call.has("--sealed") }
        for (file, known) in metadata {
            if let upload = begun.first(where: { $0.file.isSameFile(as: file) }) {
                call.output.remark("\(upload.file.path) is on its way already, and goes on as it was begun.")
                if !uploads.contains(where: { $0.id == upload.id }) { uploads.append(upload) }
                continue
            }
            let upload = try await asking { () async throws(ClientError) in
                try await device.queueUpload(file, known, sealed: call.has("--sealed"))
            }
            uploads.append(upload)
            // The same file twice is one upload.
            begun.append(upload)
        }
        guard !call.isOffline else {
            call.output.result(
                ["uploads": .array(uploads.map(\.json))],
                uploads.map { $0.id.text + "\n" }.joined()
            )
            return .done
        }
        for upload in uploads {
            try await asking { () async throws(ClientError) in try await device.resumeUpload(upload.id) }
        }
        return try await UploadFollowing.follow(uploads, device, call.output)
    }

    private static func configuration(_ call: CommandCall, _ device: NeuroViews) async throws(Failure)
        -> StoredConfiguration?
    {
        guard let word = call.value("--configuration") else { return nil }
        let id = try await call.configuration(word, of: device)
        let stored = try await asking { () async throws(ClientError) in try await device.configuration(id) }
        guard let stored else { throw Failure(ClientError.nothingShown(id)) }
        return stored
    }

    /// The time of the recording is that of the file's last change.
    private static func modificationDate(_ path: String) throws(Failure) -> Date {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Failure("\(path) can't be read: \(String(cString: strerror(errno))).", .noInput)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("\(path) is no file.", .noInput) }
        return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    }
}

extension URL {
    /// True if both name one file, by whichever path.
    fileprivate func isSameFile(as other: URL) -> Bool {
        var (own, others) = (stat(), stat())
        guard stat(path, &own) == 0, stat(other.path, &others) == 0 else { return false }
        return own.st_dev == others.st_dev && own.st_ino == others.st_ino
    }
}
