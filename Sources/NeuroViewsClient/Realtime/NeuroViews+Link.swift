#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The link to the server in realtime, while the client is started.
extension NeuroViews {
    /// Opens the link, unless there is one.
    func startRealtime() {
        guard core.isStarted, link == nil, core.channels != nil, core.account?.id != nil else { return }
        realtime.linkNumber += 1
        let number = realtime.linkNumber
        let client: @Sendable () -> NeuroViews? = { [weak self] in self }
        let pauses = ReconnectPauses(maxMs: core.account?.loop?.setup.pauseMaxMs ?? .max)
        link = Task.detached {
            await RealtimeLink(client: client).run(pauses)
            await client()?.linkEnded(number)
        }
    }

    /// Ends the link, and returns when nothing runs any more. Nobody knows the presence then.
    func stopRealtime() async {
        let ended = link
        link = nil
        ended?.cancel()
        await ended?.value
    }

    /// A link that found nothing to do is opened again with the next start. Nobody knows the presence until then.
    func linkEnded(_ number: Int) {
        guard realtime.linkNumber == number else { return }
        link = nil
        presenceFeed.forget()
    }

    /// Opens a socket for the account that is logged in now.
    func openSocket() async -> RealtimeLink.Opening {
        guard core.isStarted, let channels = core.channels, let user = core.account?.id else { return .over }
        do throws(ClientError) {
            let opened = try await session.channel(by: channels, as: user)
            guard core.isStarted, core.account?.id == user, !Task.isCancelled else {
                opened.channel.close()
                return .over
            }
            realtime.connect(opened.channel, of: user)
            return .opened(opened)
        } catch {
            return .failed(error)
        }
    }

    /// A message has come.
    func take(_ message: [UInt8], from channel: any Channel, at arrival: ContinuousClock.Instant) {
        guard let user = realtime.user, core.account?.id == user else { return channel.close() }
        guard let told = RealtimeArrival(message) else { return }
        if realtime.begins(channel) { showBeginning(of: channel) }
        switch told {
        case .heads(let configurations, let recordings):
            noteHeads(configurations: configurations, recordings: recordings)
        case .command(let command): receive(command, at: arrival)
        case .refused(let problem, let command): refused(problem, replyTo: command)
        default:
            // The server sends states to every other socket, also to another one of this device.
            guard (try? session.deviceID) != told.device, realtime.take(told) else { return }
            if realtime.beginning != .isHere { presenceFeed.show(realtime.book.presence) }
        }
    }

    private func showBeginning(of channel: any Channel) {
        Task { [weak self] in
            try? await Task.sleep(for: Realtime.beginningPause)
            await self?.endBeginning(of: channel)
        }
    }

    private func endBeginning(of channel: any Channel) async {
        guard realtime.user == core.account?.id, realtime.endBeginning(of: channel) else { return }
        presenceFeed.show(realtime.book.presence)
    }

    /// A socket has ended.
    func ended(_ channel: any Channel) { realtime.disconnect(channel) }

    /// Long-polls the state: waits until it differs from that of the tag.
    func pollState(_ tag: String?) async -> RealtimeLink.Polled {
        guard core.isStarted, let user = core.account?.id else { return .over }
        do throws(ClientError) {
            guard let state = try await RealtimeState.wait(tag, session, as: user) else { return .same }
            guard core.isStarted, core.account?.id == user else { return .over }
            presenceFeed.show(state.presence)
            noteHeads(configurations: state.configurations, recordings: state.recordings)
            return .state(tag: state.tag)
        } catch {
            return .failed(error)
        }
    }
}
