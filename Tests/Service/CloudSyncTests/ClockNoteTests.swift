import Testing

@testable import CloudSync

/// The rule for the database's clock: when it is doubted, and when it is trusted again.
struct ClockNoteTests {
    private static let (hour, day) = (3600, 86_400)
    private static let year = 365 * day

    /// One look at a clock after the note: the times of database and server, and the verdict.
    static let looks: [(databaseS: Int, serverS: Int, acceptedS: Int, verdict: ClockVerdict)] = [
        (0, 0, 0, .trusted), (300, 300, 0, .trusted), (day, day, 0, .trusted),
        (day + 1, day + 1, 0, .doubted(.aheadOfNote, seconds: day + 1)),
        (2 * year, 2 * year, 0, .doubted(.aheadOfNote, seconds: 2 * year)),
        (2 * year, 0, 0, .doubted(.aheadOfNote, seconds: 2 * year)),
        (hour, 0, 0, .trusted), (hour + 1, 0, 0, .doubted(.aheadOfServer, seconds: hour + 1)),
        (300, 300 - 30 * day, 0, .doubted(.aheadOfServer, seconds: 30 * day)),
        (300, 300 - 30 * day, 30 * day, .trusted), (300, 300 - 30 * day, 30 * day - hour, .trusted),
        (300, 300 - 30 * day, 30 * day - hour - 1, .doubted(.aheadOfServer, seconds: 30 * day)),
        // A server's clock that is ahead says nothing about the database's.
        (300, 2 * year, 0, .trusted), (-2 * year, 0, 0, .trusted),
    ]

    @Test("A clock is doubted more than a day ahead of the note, or an hour ahead of the server", arguments: looks)
    func verdict(databaseS: Int, serverS: Int, acceptedS: Int, expected: ClockVerdict) {
        var note = ClockNote(notedAtS: 0)
        note.acceptedLeadSeconds = acceptedS
        #expect(note.verdict(databaseS: databaseS, serverS: serverS) == expected)
        #expect(note.take(ClockLook(databaseS: databaseS, serverS: serverS, ranSeconds: 0)) == expected)
        #expect((note.doubt == nil) == (expected == .trusted))
    }

    @Test(
        "The note follows a trusted clock, stays at a doubted one, and goes back more than an hour only",
        arguments: [
            (300, 300), (day, day), (day + 1, 0), (-300, 0), (-hour, 0), (-hour - 1, -hour - 1), (-year, -year),
        ]
    )
    func noted(databaseS: Int, notedAtS: Int) {
        var note = ClockNote(notedAtS: 0)
        _ = note.take(ClockLook(databaseS: databaseS, serverS: databaseS, ranSeconds: 300))
        #expect(note.notedAtS == notedAtS)
    }

    @Test("A machine that is off every night, or suspended, deletes by age all the time")
    func nights() {
        for suspends in [false, true] {
            var machine = ClockedMachine()
            for _ in 0..<30 {
                machine.run(hours: 14)
                machine.rest(hours: 10, suspends: suspends)
            }
            machine.run(hours: 1)
            #expect(machine.doubtedLooks == 0)
            #expect(machine.note.notedAtS == machine.databaseS)
        }
    }

    @Test("After three days off, and after a restored backup of last month, a day of running trusts the clock")
    func pause() {
        for hours in [72, 30 * 24] {
            for suspends in [false, true] {
                var machine = ClockedMachine()
                machine.run(hours: 1)
                machine.rest(hours: hours, suspends: suspends)
                machine.run(hours: 23)
                #expect(machine.isDoubted && machine.doubtedLooks > 270)
                machine.run(hours: 2)
                #expect(!machine.isDoubted && machine.note.notedAtS == machine.databaseS)
            }
        }
    }

    @Test("The day of running is counted over restarts, with nights between")
    func restarts() {
        var machine = ClockedMachine()
        machine.rest(hours: 60)
        for _ in 0..<2 {
            machine.run(hours: 9)
            machine.rest(hours: 15)
        }
        #expect(machine.isDoubted)
        machine.run(hours: 7)
        #expect(!machine.isDoubted)
    }

    @Test("A clock two years ahead is doubted, and trusted as soon as it is right again")
    func back() {
        var machine = ClockedMachine()
        machine.run(hours: 1)
        machine.aheadS = 2 * Self.year
        machine.run(hours: 20)
        #expect(machine.doubtedLooks == 240)
        machine.aheadS = 0
        machine.look()
        #expect(!machine.isDoubted && machine.note.notedAtS == machine.databaseS && machine.note.evenSeconds == 0)
    }

    @Test("A clock that was trusted two years ahead sets the note back, and is doubted there again")
    func trustedAhead() {
        var machine = ClockedMachine()
        machine.aheadS = 2 * Self.year
        machine.run(hours: 25)
        #expect(!machine.isDoubted)
        machine.aheadS = 0
        machine.look()
        #expect(!machine.isDoubted && machine.note.notedAtS == machine.databaseS)
        machine.aheadS = 2 * Self.year
        machine.look()
        #expect(machine.isDoubted)
    }

    @Test("A second jump begins the day of running anew, while servers run and while none does")
    func jumps() {
        for aheadS in [3 * Self.year, Self.year] {
            for restarts in [false, true] {
                var machine = ClockedMachine()
                machine.aheadS = 2 * Self.year
                machine.run(hours: 23)
                machine.aheadS = aheadS
                if restarts { machine.rest(hours: 1) }
                machine.run(hours: 23)
                #expect(machine.isDoubted)
                machine.run(hours: 2)
                #expect(!machine.isDoubted)
            }
        }
    }

    @Test("A clock that jumps to and fro is never trusted while it is ahead")
    func toAndFro() {
        var machine = ClockedMachine()
        for _ in 0..<400 {
            machine.aheadS = 2 * Self.year
            machine.run(hours: 1)
            #expect(machine.isDoubted)
            machine.aheadS = 0
            machine.look()
            #expect(!machine.isDoubted)
        }
    }

    @Test("A clock that stands still is not trusted however long servers run")
    func frozen() {
        var note = ClockNote(notedAtS: 0)
        for _ in 0..<1000 {
            let look = ClockLook(databaseS: Self.year, serverS: Self.year, ranSeconds: 300)
            #expect(note.take(look) != .trusted)
        }
    }

    @Test("Three servers that run at once count once")
    func servers() {
        var note = ClockNote(notedAtS: 0)
        var looks = 0
        // Each looks every 300 s, 100 s after the one before.
        while note.take(ClockLook(databaseS: Self.year + looks * 100, serverS: Self.year * 2, ranSeconds: 300))
            != .trusted
        {
            looks += 1
        }
        #expect(looks == Self.day / 100)
    }

    @Test("An accepted lead over the server's clock stays accepted until it is smaller")
    func lead() {
        var note = ClockNote(notedAtS: 0)
        func look(serverS: Int) -> ClockVerdict {
            note.take(ClockLook(databaseS: 300, serverS: serverS, ranSeconds: 300))
        }
        #expect(look(serverS: -Self.year) == .doubted(.aheadOfServer, seconds: Self.year + 300))
        note.accept(databaseS: 300, serverS: -Self.year)
        #expect(look(serverS: -Self.year - Self.hour) == .trusted)
        #expect(look(serverS: 0) == .trusted && note.acceptedLeadSeconds == 0)
        #expect(look(serverS: -Self.year) != .trusted)
    }
}

/// A server and its database on one machine. The server looks at the clock every five minutes.
private struct ClockedMachine {
    var note = ClockNote(notedAtS: 0)
    /// How far the clock is ahead of the true time.
    var aheadS = 0
    private(set) var doubtedLooks = 0
    private(set) var isDoubted = false
    private var trueS = 0
    /// The server's running time since its last look; nil before the first.
    private var ranSeconds: Int?

    var databaseS: Int { trueS + aheadS }

    mutating func run(hours: Int) {
        for _ in 0..<hours * 12 {
            trueS += 300
            ranSeconds = ranSeconds.map { $0 + 300 }
            look()
        }
    }

    /// Is off; the server starts anew. A suspended machine continues as if no time had passed.
    mutating func rest(hours: Int, suspends: Bool = false) {
        trueS += hours * 3600
        if !suspends { ranSeconds = nil }
    }

    mutating func look() {
        let look = ClockLook(databaseS: databaseS, serverS: databaseS, ranSeconds: ranSeconds ?? 0)
        isDoubted = note.take(look) != .trusted
        if isDoubted { doubtedLooks += 1 }
        ranSeconds = 0
    }
}
