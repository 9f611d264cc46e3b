import HTTP
import Testing

@Suite("The distance of two names")
struct EditDistanceTests {
    @Test(
        "The distance counts inserted, removed and replaced letters, and ignores their case",
        arguments: [
            ("limit", "limit", 0), ("LIMIT", "limit", 0), ("lmit", "limit", 1), ("limits", "limit", 1),
            ("lomit", "limit", 1), ("limti", "limit", 2), ("", "to", 2), ("seen", "", nil),
            ("deviceid", "device_id", 1), ("before", "offset", nil), ("abc", "cab", 2),
        ] as [(String, String, Int?)]
    )
    func distance(left: String, right: String, expected: Int?) {
        #expect(EditDistance.between(Array(left.utf8), Array(right.utf8), most: 3) == expected)
        #expect(EditDistance.between(Array(right.utf8), Array(left.utf8), most: 3) == expected)
    }

    @Test("A greater distance than the allowed one, and a name of more than 64 bytes, are near to none")
    func bounds() {
        func distance(_ left: String, _ right: String, _ most: Int) -> Int? {
            EditDistance.between(Array(left.utf8), Array(right.utf8), most: most)
        }
        #expect(distance("limti", "limit", 1) == nil)
        let long = String(repeating: "a", count: 64)
        #expect(distance(long, long, 2) == 0)
        #expect(distance(long + "a", long + "a", 2) == nil)
    }

    @Test("The nearest name within its own distance is found, the first of several")
    func nearest() {
        func nearest(_ name: String) -> String? {
            EditDistance.nearest(to: name, among: ["from", "to", "tag", "form"]) { $0.utf8.count > 3 ? 2 : 1 }
        }
        #expect(nearest("fro") == "from")
        #expect(nearest("tags") == "tag")
        #expect(nearest("forms") == "form")
        #expect(nearest("frm") == "from")
        #expect(nearest("x") == nil)
    }
}
