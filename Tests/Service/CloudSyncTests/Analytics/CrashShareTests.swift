import Testing

@testable import CloudSync

@Suite("The crash reports that an account may send in a day")
struct CrashShareTests {
    private static let today = EventDay(of: Timestamp(seconds: 1_791_590_400))
    private static let tomorrow = today.adding(days: 1)

    @Test("An account has 20 a day, whatever others take")
    func daily() {
        let shares = CrashShares()
        #expect(shares.take(15, of: "a", on: Self.today) == 15)
        #expect(shares.take(30, of: "b", on: Self.today) == 20)
        #expect(shares.take(15, of: "a", on: Self.today) == 5)
        #expect(shares.take(1, of: "a", on: Self.today) == 0)
        #expect(shares.take(1, of: "a", on: Self.tomorrow) == 1)
        #expect(shares.accountCount == 1)
    }

    @Test("Reports that were given back can be taken again, and an account without reports needs no memory")
    func givenBack() {
        let shares = CrashShares()
        #expect(shares.take(20, of: "a", on: Self.today) == 20)
        shares.giveBack(5, of: "a", on: Self.today)
        #expect(shares.take(20, of: "a", on: Self.today) == 5)
        shares.giveBack(20, of: "a", on: Self.today)
        #expect(shares.accountCount == 0)
        // Those of a day before are forgotten already.
        #expect(shares.take(20, of: "a", on: Self.tomorrow) == 20)
        shares.giveBack(20, of: "a", on: Self.today)
        #expect(shares.take(1, of: "a", on: Self.tomorrow) == 0)
    }

    @Test("No more accounts are counted than the limit, and no account is refused for the others")
    func bounded() {
        let shares = CrashShares()
        for number in 0..<CrashShares.accountsMax {
            #expect(shares.take(20, of: "\(number)", on: Self.today) == 20)
        }
        #expect(shares.take(1, of: "7", on: Self.today) == 0)
        #expect(shares.take(1, of: "one more", on: Self.today) == 1)
        #expect(shares.accountCount == 1)
    }
}
