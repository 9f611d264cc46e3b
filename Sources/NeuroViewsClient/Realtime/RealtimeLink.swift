/// Keeps a client in touch with the server: by a socket, or by the long poll where sockets do not get through. It does not
/// keep the client: an app that lets go of it ends the link.
struct RealtimeLink: Sendable {
    enum Opening: Sendable {
        case opened(OpenedChannel)
        case failed(ClientError)
        /// The client was stopped, or nobody is logged in.
        case over
    }

    enum Polled: Sendable {
        case state(tag: String?)
        /// Nothing has happened.
        case same
        case failed(ClientError)
        case over
    }

    /// A socket that is read, until its token is due for another one.
    private enum Part: Sendable {
        case ended(ChannelEnd, hasHeard: Bool)
        case next(OpenedChannel?)
    }

    private enum PollEnd: Sendable {
        case failed(ClientError)
        /// It is time for a socket.
        case isDue
        case over
    }

    /// After so long a poll, a socket is tried again.
    private static let pollLength = Duration.seconds(600)
    private static let renewPause = Duration.seconds(60)
    private static let (newsPause, pollPause) = (Duration.milliseconds(100), Duration.seconds(10))

    /// Nil once the app has let go of it.
    let client: @Sendable () -> NeuroViews?

    /// Runs until the client is stopped, or until the server has no realtime.
    func run(_ pauses: ReconnectPauses) async {
        var pauses = pauses
        while !Task.isCancelled {
            switch await client()?.openSocket() ?? .over {
            case .over: return
            case .opened(let opened):
                let began = ContinuousClock.now
                let (end, hasHeard) = await follow(opened)
                let length = ContinuousClock.now - began
                let chance = Double.random(in: 0...1)
                guard let pause = pauses.next(after: end, openFor: length, hasHeard: hasHeard, fraction: chance) else {
                    return
                }
                await rest(pause, isOfServer: end.code != nil)
            case .failed(let error):
                guard error.allowsRealtime else { return }
                await rest(after: error, &pauses)
            }
            guard pauses.needsPoll else { continue }
            switch await poll() {
            case .over: return
            case .isDue: continue
            case .failed(let error): await rest(after: error, &pauses)
            }
        }
    }

    /// Waits after a failure. A server that ends all polls at once would otherwise get all openings at once.
    private func rest(after error: ClientError, _ pauses: inout ReconnectPauses) async {
        let retryAfterS = error.retryAfterSeconds
        let pause = pauses.next(afterFailure: retryAfterS, fraction: .random(in: 0...1))
        await rest(pause, isOfServer: retryAfterS != nil)
    }

    /// Waits. A network that is back ends no pause of the server's.
    private func rest(_ pause: Duration, isOfServer: Bool) async {
        _ = await NeuroViews.wait(until: .now + pause, watchesNetwork: !isOfServer)
    }

    // MARK: Sockets

    /// Reads a socket to its end. Before its token expires, another socket takes its place. Returns also whether the last one told anything.
    func follow(_ first: OpenedChannel) async -> (ChannelEnd, hasHeard: Bool) {
        var opened = first
        while true {
            let (end, hasHeard, next) = await read(opened)
            guard let next else { return (end, hasHeard) }
            opened = next
        }
    }

    /// Reads a socket to its end, and opens the next one when it is time.
    private func read(_ opened: OpenedChannel) async -> (ChannelEnd, hasHeard: Bool, next: OpenedChannel?) {
        await withTaskGroup(of: Part.self) { group in
            group.addTask { await readAll(opened.channel) }
            group.addTask { .next(await renewed(after: opened.renewAfter)) }
            var (end, hasHeard, next) = (ChannelEnd(), false, nil as OpenedChannel?)
            for await part in group {
                switch part {
                case .ended(let reason, let wasHeard):
                    (end, hasHeard) = (reason, wasHeard)
                    group.cancelAll()
                case .next(let another):
                    next = another
                    // What is on its way still comes.
                    if another != nil { opened.channel.close() }
                }
            }
            return (end, hasHeard, next)
        }
    }

    private func readAll(_ channel: any Channel) async -> Part {
        var hasHeard = false
        while true {
            switch await channel.receive() {
            case .message(let message, let at):
                hasHeard = true
                await client()?.take(message, from: channel, at: at)
            case .ended(let end):
                await client()?.ended(channel)
                return .ended(end, hasHeard: hasHeard)
            }
        }
    }

    private func renewed(after pause: Duration) async -> OpenedChannel? {
        var pause = pause
        while (try? await Task.sleep(for: pause)) != nil {
            switch await client()?.openSocket() ?? .over {
            case .opened(let opened): return opened
            case .over: return nil
            case .failed: pause = Self.renewPause
            }
        }
        return nil
    }

    // MARK: The long poll

    /// Polls until a request fails, or until it is time for a socket.
    private func poll() async -> PollEnd {
        let end = ContinuousClock.now + Self.pollLength
        var tag: String?
        while !Task.isCancelled, .now < end {
            let began = ContinuousClock.now
            var hasNews = false
            switch await client()?.pollState(tag) ?? .over {
            case .state(let newest): (hasNews, tag) = (newest != nil, newest)
            case .same: break
            case .failed(let error): return error.allowsRealtime ? .failed(error) : .over
            case .over: return .over
            }
            // A server that does not wait is asked no more often.
            let hasWaited = ContinuousClock.now - began > Self.pollPause
            await rest(hasNews || hasWaited ? Self.newsPause : Self.pollPause, isOfServer: true)
        }
        return Task.isCancelled ? .over : .isDue
    }
}

extension ClientError {
    /// False if another attempt would fail as this one did.
    fileprivate var allowsRealtime: Bool {
        switch self {
        // A server without realtime has no such route.
        case .refused(let problem): problem.status != 404
        case .needsLogIn, .cancelled: false
        default: true
        }
    }
}
