import Foundation
import NeuroViewsCrypto
import TestSupport

/// Recordings that the database marks as uploaded. These tests send no bytes to upload URLs.
extension Device {
    static let movie = #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z"}"#

    /// Marks an upload as complete.
    func finishUpload(_ id: String, _ server: ServerProcess) throws {
        try server.sql(
            """
            UPDATE recording_files SET upload = 'complete', upload_offset = size, uploaded_at = now()
            WHERE user_id = '\(userID)' AND id = '\(id)'
            """
        )
    }

    /// Puts a file in the place of the recording's file.
    func storeFile(_ id: String, _ bytes: [UInt8], _ server: ServerProcess) throws {
        let keys = try server.sql("SELECT object_key FROM recording_files WHERE user_id = '\(userID)' AND id = '\(id)'")
        guard let key = keys.first else { throw Program.Failure("there is no recording \(id)") }
        let folder = Hex.encode(Array(SHA256.hash(Array(key.utf8)).prefix(1)))
        let path = "\(server.data)/objects/objects/\(folder)/\(key)"
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            throw Program.Failure("\(path) can't be written")
        }
    }

    /// A completed recording with this metadata.
    @discardableResult
    func addRecording(
        _ metadata: String = movie,
        id: String = UUID().uuidString,
        _ upload: String = "",
        bytes: Int = 1000,
        at server: ServerProcess? = nil
    ) throws -> String {
        let opened = try openUpload(id, bytes: bytes, upload)
        guard opened.status == 200 else { throw Program.Failure("upload-url: \(opened.verdict) \(opened.text)") }
        try finishUpload(id, server ?? Shared.server.get())
        let completed = try complete(id, metadata)
        guard completed.status == 200 else { throw Program.Failure("complete: \(completed.verdict) \(completed.text)") }
        return id
    }
}
