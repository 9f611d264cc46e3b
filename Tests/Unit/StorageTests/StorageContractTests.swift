import TestSupport
import Testing

@testable import Storage

@Suite("Storage on disk keeps the contract", .timeLimit(.minutes(Patience.minutes(1))))
struct DiskContractTests {
    @Test("Storage on disk keeps each promise of the contract", arguments: StorageContract.all)
    func promise(_ contract: StorageContract) async throws {
        try await contract.check(.disk(makeDisk()))
    }
}

@Suite("Storage in S3 keeps the contract", .blocking, .needs(.python), .timeLimit(.minutes(Patience.minutes(2))))
struct S3ContractTests {
    @Test("Storage in S3 keeps each promise of the contract", arguments: StorageContract.all)
    func promise(_ contract: StorageContract) async throws {
        var s3 = try makeS3()
        s3.pageMax = 5
        try await contract.check(.s3(s3))
    }
}
