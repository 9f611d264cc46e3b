import Testing

@testable import Storage

@Suite("XML of S3 services")
struct XMLElementTests {
    @Test("XML elements, attributes, prefixes, comments and entities are parsed")
    func parses() throws {
        let text = """
            \t<?xml version="1.0" encoding="UTF-8"?>
            <!-- a > b -->
            <s3:List xmlns:s3="http://s3/?a>b/" note='/>'>
              <Item><Key>a&amp;b&lt;&gt;&quot;&apos;&#228;&#x1F600;</Key><Size >12</Size></Item>
              <Item><Key/><!-- none --><Size>0</Size ></Item>
            </s3:List>

            """
        let root = try #require(XMLElement(Array(text.utf8)))
        #expect(root.name == "List" && root.text.isEmpty)
        let items = root.all("Item")
        #expect(items.map { $0["Key"] } == ["a&b<>\"'ä😀", ""] && items.map { $0["Size"] } == ["12", "0"])
        #expect(items[0]["Owner"] == nil)
    }

    @Test(
        "Malformed XML is refused",
        arguments: [
            "", "text", "<a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a>&unknown;</a>", "<a>&#xD800;</a>", "<a>&",
            "<a b='>", "<>", "<:>", "<a:!>", "<1>", "</a>", "<a>x</a>y",
            String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
        ]
    )
    func malformed(_ text: String) { #expect(XMLElement(Array(text.utf8)) == nil) }

    @Test("Escaped XML text survives a round trip")
    func escaping() {
        let text = "a<b>&amp;\"'ä"
        #expect(XMLElement(Array("<t>\(XMLElement.escaped(text))</t>".utf8))?.text == text)
    }
}
