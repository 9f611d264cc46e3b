import Foundation

// pace PORT RATE SECONDS CONNECTIONS REQUESTS: sends requests at a steady rate, whatever the answers take. REQUESTS is a JSON array of whole
// requests. One that finds no free connection waits. A latency counts from the scheduled time, so the wait is part of it (Tene's "coordinated
// omission"). Prints JSON. One thread: many would take as much CPU as the server.

let placeholder = Array("1000000000000000".utf8)
let timeoutNs: Int64 = 10_000_000_000
let port = UInt16(CommandLine.arguments[1]) ?? 0
let rate = Double(CommandLine.arguments[2]) ?? 1
let count = Int(rate * (Double(CommandLine.arguments[3]) ?? 1))
let connections = Int(CommandLine.arguments[4]) ?? 1
let texts = try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(filePath: CommandLine.arguments[5])))

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("pace: \(message)\n".utf8))
    exit(1)
}

/// Nanoseconds of the monotonic clock.
func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// A request, and where the number is that makes it unlike all others.
struct Message {
    private(set) var bytes: [UInt8]
    private let place: Int?

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

final class Connection {
    private static let capacity = 1 << 16
    let socket: Int32
    /// When the request in flight was due, in nanoseconds.
    var due: Int64 = 0
    private var buffer = [UInt8](repeating: 0, count: capacity)
    private var received = 0
    /// Of the answer, once its head is known: the status and all bytes.
    private var answer: (status: Int, bytes: Int)?

    init(port: UInt16) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard status == 0 else { fail("cannot connect") }
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    func send(_ request: [UInt8], due: Int64) {
        self.due = due
        (received, answer) = (0, nil)
        guard Glibc.send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            fail("cannot send")
        }
    }

    /// Reads what has arrived. Returns the status when the answer is complete.
    func receive() -> Int? {
        // What follows the head isn't kept. One byte is left for a zero.
        let start = answer == nil ? received : 0
        let count = buffer.withUnsafeMutableBytes {
            recv(socket, $0.baseAddress.map { $0 + start }, $0.count - start - 1, Int32(MSG_DONTWAIT))
        }
        guard count > 0 else { fail("the connection was closed") }
        received += count
        if answer == nil { answer = head() }
        guard let answer, received >= answer.bytes else { return nil }
        return answer.status
    }

    private func head() -> (status: Int, bytes: Int)? {
        buffer[received] = 0
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
}

/// The loop: sends what is due, then waits for answers or for the next time.
struct Pace {
    private let poll = epoll_create1(0)
    private let all: [Connection]
    private var idle: [Int]
    private var messages = texts.map(Message.init)
    private var events = [epoll_event](repeating: epoll_event(), count: connections)
    private var sent = 0
    let begin = now() + 10_000_000
    private(set) var latencies: [Int64] = []
    /// How late a request was sent although a connection was free: the fault of this program and of the machine.
    private(set) var lateness: [Int64] = []
    private(set) var failures = 0

    init() {
        all = (0..<connections).map { _ in Connection(port: port) }
        idle = Array(all.indices)
        for (index, connection) in all.enumerated() {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            epoll_ctl(poll, EPOLL_CTL_ADD, connection.socket, &event)
        }
    }

    mutating func run() {
        var isBehind = false
        while latencies.count < count {
            while sent < count, due(sent) <= now(), let index = idle.popLast() {
                let message = sent % messages.count
                messages[message].number(begin / 1000 + 1_000_000_000_000_000 + Int64(sent))
                if !isBehind { lateness.append(now() - due(sent)) }
                all[index].send(messages[message].bytes, due: due(sent))
                sent += 1
            }
            isBehind = idle.isEmpty
            receive(within: sent < count && !isBehind ? max(0, due(sent) - now()) : timeoutNs)
        }
    }

    private func due(_ number: Int) -> Int64 { begin + Int64(Double(number) / rate * 1e9) }

    private mutating func receive(within ns: Int64) {
        var timeout = timespec(tv_sec: Int(ns / 1_000_000_000), tv_nsec: Int(ns % 1_000_000_000))
        let ready = epoll_pwait2(poll, &events, Int32(events.count), &timeout, nil)
        if ready == 0, idle.count < connections, now() - due(sent - 1) > timeoutNs {
            fail("no answer within 10 s")
        }
        for event in events.prefix(Int(max(0, ready))) {
            let index = Int(event.data.u64)
            guard let status = all[index].receive() else { continue }
            latencies.append(now() - all[index].due)
            if status >= 400 { failures += 1 }
            idle.append(index)
        }
    }
}

func milliseconds(_ values: [Int64], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1e6
}

// The kernel may wake a thread 50 us late, to save power.
try? "1000".write(toFile: "/proc/self/timerslack_ns", atomically: false, encoding: .utf8)
var pace = Pace()
pace.run()
let seconds = Double(now() - pace.begin) / 1e9
var usage = rusage()
getrusage(RUSAGE_SELF.rawValue, &usage)
let cpu = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec + 1_000_000 * (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
let result: [String: Double] = [
    "count": Double(pace.latencies.count), "failures": Double(pace.failures), "seconds": seconds,
    "p50_ms": milliseconds(pace.latencies, 0.5), "p99_ms": milliseconds(pace.latencies, 0.99),
    "p999_ms": milliseconds(pace.latencies, 0.999), "maximum_ms": milliseconds(pace.latencies, 1),
    "late_p99_ms": milliseconds(pace.lateness, 0.99), "client_cores": Double(cpu) / 1e6 / seconds,
]
print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
