import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Digests of uploads", .blocking)
struct UploadDigestTests {
    private func server() throws -> ServerProcess { try Shared.server.get() }

    private func file(_ count: Int = 300_000, _ more: String = "") throws -> FileOnItsWay {
        try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(count), more)
    }

    @Test("Content that differs from its digest is not appended, and a wrong file digest fails the upload")
    func digests() throws {
        let field = FileOnItsWay.digest
        let file = try file(200_000)
        let first = Array(file.bytes[..<100_000])
        let wrong = try file.append(0..<100_000, isLast: false, [field("Content-Digest", [1])])
        #expect(wrong.verdict == "400 digest-mismatched-values")
        #expect(try file.offset() == 0)
        #expect(try file.append(0..<100_000, isLast: false, [field("Content-Digest", first)]).status == 204)
        let end = [field("Content-Digest", [1])]
        #expect(try file.append(100_000..<200_000, isLast: true, end).verdict == "400 digest-mismatched-values")
        #expect(try file.offset() == 100_000)
        #expect(try file.append(100_000..<200_000, isLast: true).status == 201)
        #expect(try file.isStored(server()))

        let other = try self.file(1000)
        let complete = FileOnItsWay.draft + [("Upload-Complete", "?1")]
        let failed = try other.answer("PUT", complete + [field("Repr-Digest", [1])], other.bytes)
        #expect(failed.verdict == "400 digest-mismatched-values")
        #expect(try other.answer("HEAD").status == 410)
        let again = try FileOnItsWay(other.device, other.bytes, id: other.id)
        #expect(try again.answer("PUT", complete + [field("Repr-Digest", again.bytes)], again.bytes).status == 201)
        #expect(try again.isStored(server()))
    }

    @Test("A digest of the whole file, sent with the first or the last part, is verified at the end")
    func lateDigest() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        let device = try Device.new(server.client)
        func verdict(_ isRight: Bool, comesFirst: Bool) throws -> String {
            let file = try FileOnItsWay(device, FileOnItsWay.random(300_000))
            let field = FileOnItsWay.digest("Repr-Digest", isRight ? file.bytes : [1])
            let connection = try file.begin(from: 0, sending: 100_000, comesFirst ? [field] : [])
            try Deadline.wait("the bytes", seconds: 20) { file.uploadBytes(server) == 100_000 }
            connection.socket.close()
            #expect(try file.offset() == 100_000)
            #expect(try file.append(100_000..<300_000, isLast: true, comesFirst ? [] : [field]).status == 201)
            #expect(try FileOnItsWay(file.device, file.bytes, id: file.id).objectKey == file.objectKey)
            #expect(try file.device.complete(file.id, Device.movie).status == 200)
            var status = ""
            try Deadline.wait("the verdict", seconds: 20) {
                status = try file.device.recording(file.id).string("processing_status")
                return status != "pending"
            }
            return try status + " " + file.device.recording(file.id).string("failure")
        }
        for comesFirst in [false, true] {
            #expect(try verdict(true, comesFirst: comesFirst) == "ready ")
            #expect(try verdict(false, comesFirst: comesFirst) == "failed wrong digest")
        }
    }

    @Test("A changed digest of the whole file is refused at once, and so is one without a comparable hash")
    func otherDigest() throws {
        let file = try file(1000)
        let field = FileOnItsWay.digest
        let connection = try file.begin(from: 0, sending: 100, [field("Repr-Digest", file.bytes)])
        try Deadline.wait("the bytes", seconds: 20) { try file.uploadBytes(server()) == 100 }
        connection.socket.close()
        let other = [field("Repr-Digest", [1])]
        #expect(try file.append(100..<1000, isLast: true, other).verdict == "400 digest-mismatched-values")
        #expect(try file.answer("PUT", other, file.bytes).verdict == "400 digest-mismatched-values")
        let sha512 = [("Repr-Digest", "sha-512=:\(String(repeating: "A", count: 86))==:")]
        #expect(try file.append(100..<1000, isLast: true, sha512).verdict == "400 digest-unsupported-algorithms")
        #expect(try file.append(100..<1000, isLast: true, [field("Repr-Digest", file.bytes)]).status == 201)
        #expect(try file.isStored(server()))

        let known = try self.file(1000, #","sha256":"\#(Base64.padded.encode(SHA256.hash([1])))""#)
        let refused = try known.answer("PUT", [field("Repr-Digest", known.bytes)], known.bytes)
        #expect(refused.verdict == "400 digest-mismatched-values")
    }

    @Test("Content with a digest that is cut off is discarded")
    func digestCut() throws {
        let file = try file(300_000)
        #expect(try file.append(0..<100_000, isLast: false).status == 204)
        let field = FileOnItsWay.digest("Content-Digest", Array(file.bytes[100_000...]))
        let connection = try file.begin(from: 100_000, sending: 150_000, [field])
        try Deadline.wait("the bytes", seconds: 20) { try file.uploadBytes(server()) == 250_000 }
        connection.socket.close()
        #expect(try file.offset() == 100_000)
        #expect(try file.uploadBytes(server()) == 100_000)
        #expect(try file.append(100_000..<300_000, isLast: true, [field]).status == 201)
        #expect(try file.isStored(server()))
    }
}
