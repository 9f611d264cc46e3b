import Net
import Testing

@testable import API

@Suite("Places of sockets")
struct RealtimePlacesTests {
    @Test("No more places are taken than there are, and one that is left can be taken again")
    func limit() {
        let places = RealtimePlaces(max: 2)
        #expect(places.take(for: nil) && places.take(for: nil) && !places.take(for: nil))
        places.leave(nil)
        #expect(places.take(for: nil) && !places.take(for: nil))
        #expect(places.count == 2)
    }

    @Test("The site with the most places is the largest, and one without places is forgotten")
    func largest() throws {
        let places = RealtimePlaces(max: 10)
        let (a, b) = (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("192.0.2.2")))
        #expect(places.largestSite == nil)
        for site in [a, b, b] { #expect(places.take(for: site)) }
        #expect(places.largestSite == .some(b))
        places.pass(from: b, to: a)
        #expect(places.largestSite == .some(a) && places.count == 3)
        places.leave(a)
        places.leave(b)
        #expect(places.largestSite == .some(a))
        places.leave(a)
        #expect(places.largestSite == nil)
    }
}
