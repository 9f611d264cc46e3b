/// Reads freed memory.
@main
enum UseAfterFree {
    static func main() {
        let bytes = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        bytes.initialize(to: 1)
        bytes.deallocate()
        print(bytes.pointee)
    }
}
