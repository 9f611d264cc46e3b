/// The reason for the end of a connection (RFC 6455, 7.4).
package struct CloseCode: RawRepresentable, Equatable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = CloseCode(rawValue: 1000)
    package static let protocolError = CloseCode(rawValue: 1002)
    /// Text that is not UTF-8, or not what the receiver expects.
    package static let notText = CloseCode(rawValue: 1007)
    package static let policy = CloseCode(rawValue: 1008)
    package static let tooBig = CloseCode(rawValue: 1009)

    /// False for codes that no close frame may have: reserved ones, and those that only describe an end without a frame.
    package var isValidOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
