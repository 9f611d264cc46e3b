import Glibc

/// Questions to a person at the terminal. Answers are read from standard input, questions go to standard error.
enum Prompt {
    private static let lineMaxBytes = 4096

    /// True if a person can be asked.
    static var isPossible: Bool { Streams.isTerminal(STDIN_FILENO) && Streams.isTerminal(STDERR_FILENO) }

    /// Asks for a line.
    static func line(_ question: String) throws(Failure) -> String {
        Streams.complain(question + " ")
        return try readLine()
    }

    /// Asks for a line that is not shown.
    static func secret(_ question: String) throws(Failure) -> String {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw Failure("The terminal can't hide what is typed.", .ioError)
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // Before the question: an answer that is typed, or sent by a program, as soon as it appears is hidden, too.
        guard tcsetattr(STDIN_FILENO, TCSANOW, &hidden) == 0 else {
            throw Failure("The terminal can't hide what is typed.", .ioError)
        }
        defer {
            tcsetattr(STDIN_FILENO, TCSANOW, &shown)
            Streams.complain("\n")
        }
        Streams.complain(question + " ")
        return try readLine()
    }

    /// Asks a question that "y" or "yes" agrees to.
    static func agrees(_ question: String) throws(Failure) -> Bool {
        ["y", "yes"].contains(try line(question + " [y/N]").lowercased())
    }

    /// The terminal gives a line at a time. Ctrl-D without a line, and a signal, stop the command.
    private static func readLine() throws(Failure) -> String {
        var line: [UInt8] = []
        while true {
            try awaitInput()
            var bytes = [UInt8](repeating: 0, count: lineMaxBytes)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure("Nothing was typed.", .usage) }
            line += bytes[..<count]
            if line.last == 0x0A { return String(decoding: line.dropLast(), as: UTF8.self) }
            guard line.count < lineMaxBytes else { throw .usage("The line is too long.") }
        }
    }

    /// Waits until standard input has something to read, or is at its end. A signal stops the command.
    static func awaitInput() throws(Failure) {
        var waits = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, nfds_t(waits.count), -1) < 0 {
            guard errno == EINTR else { throw Failure("Standard input can't be read.", .ioError) }
        }
        guard waits[1].revents == 0 else { throw .stopped }
    }
}
