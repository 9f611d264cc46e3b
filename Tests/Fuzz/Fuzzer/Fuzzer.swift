import Foundation

/// What libFuzzer, whose `main` is linked in, calls with each input. The environment names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do {
        // The buffer is libFuzzer's, and only valid until this returns.
        try Fuzzer.target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}

private enum Fuzzer {
    static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["NEUROVIEWS_FUZZ"] ?? ""
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            fatalError("NEUROVIEWS_FUZZ must be one of \(FuzzTarget.all)")
        }
        return target
    }()
}
