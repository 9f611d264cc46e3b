import Foundation
import Machine
import Net
import Testing

@testable import Settings

@Suite("The secret file", .blocking)
struct SecretFileTests {
    @Test("A secret file is made with 32 bytes and mode 0600, and read again")
    func made() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/key"
        let key = try SecretFile.loadOrCreate(path)
        #expect(key.count == 32 && Set(key).count > 8)
        #expect(try SecretFile.loadOrCreate(path) == key)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
        #expect(try SecretFile.loadOrCreate(folder.path + "/other") != key)
    }

    @Test("Eight concurrent starts read the same secret")
    func race() throws {
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let keys = Locked<[[UInt8]]>([])
            let done = DispatchSemaphore(value: 0)
            for _ in 0..<8 {
                Thread.detachNewThread {
                    let key = try? SecretFile.loadOrCreate(folder.path + "/key")
                    keys.withLock { $0.append(key ?? []) }
                    done.signal()
                }
            }
            for _ in 0..<8 { done.wait() }
            let all = keys.withLock { $0 }
            #expect(all.count == 8 && Set(all).count == 1 && all[0].count == 32)
        }
    }

    @Test("A secret file that others can read is refused", arguments: [0o640, 0o604, 0o620, 0o660, 0o777])
    func permissions(mode: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("key", String(repeating: "k", count: 32), mode: mode)
        let problem = #expect(throws: SecretFile.Problem.self) { try SecretFile.loadOrCreate(path) }
        #expect(
            problem?.description
                == "The secret file \(path) has mode \(String(mode, radix: 8)), so others can read it: chmod 600 \(path)."
        )
    }

    @Test("A secret file of another length is refused and left unchanged", arguments: [0, 31, 33, 100, 32 * 64 + 32])
    func length(bytes: Int) throws {
        let folder = try TemporaryFolder()
        let content = String(repeating: "k", count: bytes)
        let path = try folder.file("key", content)
        #expect(throws: SecretFile.Problem.wrongLength(path: path, bytes: bytes)) {
            try SecretFile.loadOrCreate(path)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test("A secret file with several keys is replaced whole, keeping its link, owner and mode")
    func several() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/key"
        let first = try SecretFile.loadOrCreate(path)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
        let second = try KernelRandom.bytes(SecretFile.keyBytes)
        try SecretFile.replace(folder.path + "/link", with: second + first, owner: (getuid(), getgid()))
        let bytes = try SecretFile.loadOrCreate(path)
        #expect(SecretFile.split(bytes) == [second, first])
        #expect(try SecretFile.keys(bytes).count == 2)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["key", "link"])
        let isLink = try? FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link")
        #expect(isLink == path)
    }

    @Test("A folder, a named pipe and a missing folder are refused as the secret file")
    func noFile() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SecretFile.Problem.notAFile(path: folder.path)) { try SecretFile.loadOrCreate(folder.path) }
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: SecretFile.Problem.notAFile(path: pipe)) { try SecretFile.loadOrCreate(pipe) }
        let problem = #expect(throws: SecretFile.Problem.self) {
            try SecretFile.loadOrCreate(folder.path + "/none/key")
        }
        #expect(problem?.description.contains("No such file or directory; choose another") == true)
    }
}
