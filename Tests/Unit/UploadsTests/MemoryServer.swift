import HTTP
import NeuroViewsCrypto
import Uploads

/// An upload resource in memory. It combines the module's parts like the routes.
struct MemoryServer {
    private(set) var state: UploadState
    /// The bytes on the disk. There may be more of them than the state's offset.
    private(set) var disk: [UInt8] = []
    var limits = UploadLimits(maxBytes: 1000)
    var announces = true
    /// Transfers that newer requests replaced. Their connections may still bring bytes.
    private(set) var overtaken: [UploadTransfer] = []
    private var running: (transfer: UploadTransfer, check: DigestCheck, whole: DigestCheck)?

    init(length: Int? = nil) { state = UploadState(length: length) }

    /// The bytes of the file up to the offset.
    var file: [UInt8] { Array(disk.prefix(state.offset)) }

    /// Handles a request with content in these pieces; `isCut` breaks the connection after them. Returns the answers
    /// that the client sees, interim ones first.
    mutating func handle(_ method: String, _ fields: [String], _ pieces: [[UInt8]] = [], isCut: Bool = false) throws
        -> [String]
    {
        interrupt()
        let head = try uploadHead(method, fields)
        do throws(UploadRefusal) {
            let request = try UploadRequest(head)
            let answers = UploadAnswers(request.dialect, location: "/u", limits: limits)
            switch try state.admit(request, limits: limits, announces: announces) {
            case .transfer(let transfer): return try receive(transfer, answers, pieces, isCut: isCut)
            case .resume: return [answers.announcement?.line ?? "none", "cut"]
            case .storedAnswer:
                guard pieces.allSatisfy(\.isEmpty) else { throw UploadRefusal.completed }
                return [answers.stored(state, isCreation: method != "PATCH").line]
            case .repetition:
                guard pieces.flatMap(\.self) == file else { throw UploadRefusal.otherContent }
                return [answers.stored(state, isCreation: true).line]
            case .report: return [answers.report(state).line]
            case .cancelled: return [answers.cancelled.line]
            case .describe: return [answers.capabilities.line]
            }
        } catch {
            return [UploadAnswers(UploadDialect(head.headers), location: "/u", limits: limits).refusal(error).line]
        }
    }

    /// Interrupts a hanging transfer, as a newer request does. Its bytes so far are kept.
    mutating func interrupt() {
        guard let running else { return }
        self.running = nil
        overtaken.append(running.transfer)
        _ = try? finish(running.transfer, .interrupted, running.check, running.whole)
    }

    private mutating func receive(
        _ transfer: UploadTransfer,
        _ answers: UploadAnswers,
        _ pieces: [[UInt8]],
        isCut: Bool
    ) throws(UploadRefusal) -> [String] {
        disk.removeLast(disk.count - transfer.start)
        var check = DigestCheck(transfer.content.contentDigests)
        var whole = DigestCheck(transfer.start == 0 ? transfer.content.representationDigests : [])
        var seen = transfer.isCreation ? [answers.announcement?.line].compactMap(\.self) : []
        for piece in pieces {
            check.update(piece.span)
            whole.update(piece.span)
            disk += piece
            try state.checkpoint(transfer, offset: disk.count, limits: limits)
        }
        if isCut {
            running = (transfer, check, whole)
            return seen
        }
        _ = try finish(transfer, .whole, check, whole)
        seen.append(answers.stored(state, isCreation: transfer.isCreation).line)
        return seen
    }

    private mutating func finish(
        _ transfer: UploadTransfer,
        _ end: UploadTransfer.End,
        _ check: DigestCheck,
        _ whole: DigestCheck
    ) throws(UploadRefusal) -> Bool {
        try state.finish(
            transfer,
            offset: disk.count,
            end,
            content: check.verdict,
            representation: whole.verdict,
            limits: limits
        )
    }
}
