import CloudSync
import Testing

@testable import Operations

@Suite("The doctor's check of the database's clock", .blocking)
struct ClockCheckTests {
    private static let day = 86_400

    @Test("The doctor accepts a clock that went on as noted, also after a night off", arguments: [0, 36_000, -day])
    func even(databaseS: Int) {
        let finding = ClockCheck.finding(ClockNote(notedAtS: 0), databaseS: databaseS, serverS: databaseS)
        #expect(finding.verdict == .ok && finding.remedy == nil)
    }

    @Test("The doctor warns of a clock that is ahead of the note, of this machine, or of another server")
    func ahead() {
        var note = ClockNote(notedAtS: 0)
        note.evenSeconds = 5 * 3600
        let ofNote = ClockCheck.finding(note, databaseS: 730 * Self.day, serverS: 730 * Self.day)
        #expect(
            ofNote.detail
                == "nothing is deleted by age: the database's clock is 730 days ahead of 1970-01-01T00:00:00Z, "
                + "the last time that was noted; servers have run 5 of 24 hours evenly"
        )
        let ofServer = ClockCheck.finding(note, databaseS: 0, serverS: -5 * 3600)
        #expect(ofServer.detail.contains("the database's clock is 5 hours ahead of this machine's"))
        note.doubt = .aheadOfServer
        let ofOther = ClockCheck.finding(note, databaseS: 0, serverS: 0)
        #expect(ofOther.detail.contains("ahead of another server's"))
        for finding in [ofNote, ofServer, ofOther] {
            #expect(finding.verdict == .warning && finding.remedy?.contains("admin accept-clock") == true)
        }
    }
}
