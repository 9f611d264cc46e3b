import NeuroViewsJSON
import TestSupport
import Testing

/// Generated clients refuse an answer that breaks a closed schema. The interface grows, so schemas are open.
@Suite("Growth of the interface")
struct GrowthTests {
    @Test("Every documented request and answer may have further members", arguments: try Content.all())
    func members(_ content: Content) {
        var closed = 0
        content.schema.walk { schema in
            let isClosed = schema["additionalProperties"]?.bool == false || schema["unevaluatedProperties"] != nil
            closed += isClosed ? 1 : 0
        }
        #expect(closed == 0)
    }

    @Test("Only complete lists of values are enums in answers, apart from those of configurations")
    func values() throws {
        var names: Set<String> = []
        for content in try Content.all() where !content.place.hasSuffix(" request") {
            // A configuration is sent by the same schema, and is known by its preset.
            content.schema.walk { schema in
                guard let properties = schema["properties"]?.object, !properties.contains("preset") else { return }
                for property in properties.members {
                    let values = property.value["enum"] ?? property.value["items"]?["enum"]
                    if values?.array != nil { names.insert(property.name) }
                }
            }
        }
        // The mode is that of a configuration's exposure.
        #expect(names == ["mode", "outcome", "winner"])
    }
}
