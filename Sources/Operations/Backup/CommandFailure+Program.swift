import CommandWords
import Machine
import PrivateCluster

extension CommandFailure {
    /// The failure of a program with this `output`, which wrote to `folder`. A full disk is the reason before
    /// `sentence`: what the program read may be good.
    init(
        _ sentence: String,
        because output: String,
        writingTo folder: String,
        status: ExitStatus = .cannotCreate
    ) {
        let output = ProgramOutput.explained(output, writingTo: folder)
        let reason = ProgramOutput.firstUsefulLine(output)
        let isFull = ["no space left", "file too large"].contains { output.lowercased().contains($0) }
        self.init(
            "\(isFull ? "The disk is full" : sentence): \(reason).",
            status: isFull ? .cannotCreate : status
        )
    }
}
