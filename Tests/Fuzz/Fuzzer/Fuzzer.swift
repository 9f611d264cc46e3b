import Foundation

/// The entry point that libFuzzer calls with each input; its `main` is linked in. `NEUROVIEWS_FUZZ` names the target.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do {
        // libFuzzer owns the buffer; it is valid only until this function returns.
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
