/// A fuzz target: code that accepts any bytes, and the properties that must hold for all of them.
struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name of the target's corpus folder and dictionary.
    let name: String
    /// Throws `BrokenProperty` if a property does not hold for these bytes. A trap is a finding too.
    let check: @Sendable ([UInt8]) throws -> Void

    static let all = [
        FuzzTarget(name: "request-parser", check: RequestParserTarget.check),
        FuzzTarget(name: "chunked-decoder", check: ChunkedDecoderTarget.check),
        FuzzTarget(name: "json-parser", check: JSONParserTarget.check),
        FuzzTarget(name: "schema-validator", check: SchemaValidatorTarget.check),
        FuzzTarget(name: "configuration", check: ConfigurationTarget.check),
        FuzzTarget(name: "event-body", check: EventBodyTarget.check),
        FuzzTarget(name: "merge", check: MergeTarget.check),
        FuzzTarget(name: "query", check: QueryTarget.check),
        FuzzTarget(name: "response-encoder", check: ResponseEncoderTarget.check),
        FuzzTarget(name: "forwarded", check: ForwardedTarget.check),
        FuzzTarget(name: "texts", check: TextsTarget.check),
        FuzzTarget(name: "gzip", check: GzipTarget.check),
        FuzzTarget(name: "xml", check: XMLTarget.check),
        FuzzTarget(name: "uploads", check: UploadTarget.check),
        FuzzTarget(name: "cbor", check: CBORTarget.check),
        FuzzTarget(name: "signed-token", check: SignedTokenTarget.check),
        FuzzTarget(name: "client", check: ClientTarget.check),
        FuzzTarget(name: "websocket-frames", check: FrameTarget.check),
        FuzzTarget(name: "websocket-handshake", check: HandshakeTarget.check),
    ]

    var description: String { name }
}

/// A violated property.
struct BrokenProperty: Error, CustomStringConvertible {
    let description: String
}

/// Throws if the property does not hold. The text is the expected property.
func property(_ text: @autoclosure () -> String, _ holds: Bool) throws {
    guard holds else { throw BrokenProperty(description: "not true: \(text())") }
}
