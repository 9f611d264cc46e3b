import Foundation
import Synchronization

// pace PORT RATE SECONDS CONNECTIONS REQUESTS: sends requests at a steady rate, whatever the answers take. REQUESTS is a JSON array of whole requests. Each
// connection has its own schedule. A latency counts from the scheduled time, so a request that waits for the one before counts as slow (Tene's
// "coordinated omission"). Prints JSON.

let placeholder = Array("1000000000000000".utf8)
let timeoutSeconds = 10
let port = UInt16(CommandLine.arguments[1]) ?? 0
let rate = Double(CommandLine.arguments[2]) ?? 1
let seconds = Double(CommandLine.arguments[3]) ?? 1
let connections = Int(CommandLine.arguments[4]) ?? 1
let texts = try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(filePath: CommandLine.arguments[5])))

/// Nanoseconds of the monotonic clock.
func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func sleep(until moment: Int64) {
    var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}

/// A request, and where the number is that makes it unlike all others.
struct Message {
    var bytes: [UInt8]
    let place: Int?

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.bytes = bytes
        place = bytes.indices.first { bytes[$0...].starts(with: placeholder) }
    }

    mutating func number(_ number: Int64) {
        guard let place else { return }
        bytes.replaceSubrange(place..<place + placeholder.count, with: String(number).utf8)
    }
}

/// What one connection measured, in nanoseconds.
struct Figures {
    var latencies: [Int64] = []
    /// How late a request was sent although the connection was free: the fault of this program and of the machine.
    var lateness: [Int64] = []
    var failures = 0
}

struct Connection {
    private static let capacity = 1 << 16
    private let socket: Int32
    private var buffer = [UInt8](repeating: 0, count: capacity)

    init?(port: UInt16) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard status == 0 else { return nil }
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The status; nil when the connection failed.
    mutating func ask(_ request: [UInt8]) -> Int? {
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        var count = 0
        while true {
            let received = receive(from: count)
            guard received > 0 else { return nil }
            count += received
            if let (status, length) = head(count) { return discard(length - count) ? status : nil }
        }
    }

    /// Leaves room for a zero behind what was received.
    private mutating func receive(from start: Int) -> Int {
        buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress.map { $0 + start }, $0.count - start - 1, 0) }
    }

    /// The status, and the bytes of head and content; nil while the head is not complete.
    private mutating func head(_ count: Int) -> (status: Int, bytes: Int)? {
        buffer[count] = 0
        return buffer.withUnsafeBytes { buffer in
            guard let begin = buffer.bindMemory(to: CChar.self).baseAddress, let end = strstr(begin, "\r\n\r\n") else {
                return nil
            }
            let bytes = UnsafePointer(end) - begin + 4
            let status = buffer[9..<12].reduce(0) { $0 * 10 + Int($1) - 0x30 }
            let field = "\r\nContent-Length:"
            guard let length = strstr(begin, field), UnsafePointer(length) < UnsafePointer(end) else {
                return (status, bytes)
            }
            return (status, bytes + atol(length + field.utf8.count))
        }
    }

    private mutating func discard(_ bytes: Int) -> Bool {
        var left = bytes
        while left > 0 {
            let received = receive(from: 0)
            guard received > 0 else { return false }
            left -= received
        }
        return left == 0
    }
}

/// Sends the requests that one connection is scheduled for.
func run(_ number: Int, from begin: Int64) -> Figures {
    var figures = Figures()
    var messages = texts.map(Message.init)
    guard var connection = Connection(port: port) else { return Figures(failures: 1) }
    var free = begin
    for index in stride(from: number, to: Int(rate * seconds), by: connections) {
        let scheduled = begin + Int64(Double(index) / rate * 1e9)
        let which = index % messages.count
        messages[which].number(begin / 1000 + 1_000_000_000_000_000 + Int64(index))
        sleep(until: scheduled)
        figures.lateness.append(now() - max(scheduled, free))
        guard let status = connection.ask(messages[which].bytes) else { return failed(figures) }
        if status >= 400 { figures.failures += 1 }
        free = now()
        figures.latencies.append(free - scheduled)
    }
    return figures
}

func failed(_ figures: Figures) -> Figures {
    var figures = figures
    figures.failures += 1
    return figures
}

func milliseconds(_ sorted: [Int64], _ share: Double) -> Double {
    sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1e6
}

// The kernel may wake a thread 50 us late, to save power; the threads have this one's setting.
try "1000".write(toFile: "/proc/self/timerslack_ns", atomically: false, encoding: .utf8)
let total = Mutex(Figures())
let done = DispatchSemaphore(value: 0)
let begin = now() + 100_000_000
for number in 0..<connections {
    Thread {
        let figures = run(number, from: begin)
        total.withLock {
            $0.latencies += figures.latencies
            $0.lateness += figures.lateness
            $0.failures += figures.failures
        }
        done.signal()
    }.start()
}
for _ in 0..<connections { done.wait() }
let duration = Double(now() - begin) / 1e9
var usage = rusage()
getrusage(RUSAGE_SELF.rawValue, &usage)
let cpu = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec + 1_000_000 * (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
let latencies = total.withLock { $0.latencies.sorted() }
let lateness = total.withLock { $0.lateness.sorted() }
let result: [String: Double] = [
    "count": Double(latencies.count), "failures": Double(total.withLock(\.failures)), "seconds": duration,
    "p50_ms": milliseconds(latencies, 0.5), "p99_ms": milliseconds(latencies, 0.99),
    "p999_ms": milliseconds(latencies, 0.999), "maximum_ms": milliseconds(latencies, 1),
    "late_p99_ms": milliseconds(lateness, 0.99), "client_cores": Double(cpu) / 1e6 / duration,
]
print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
