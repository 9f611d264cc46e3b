/// The reason and the place of a text's rejection.
public struct JSONError: Error, Sendable, Equatable {
    /// The place of the error, in bytes from the text's start.
    public let offset: Int
    /// The kind of error.
    public let reason: Reason
    /// The value that was being read, if known; at most 1,000 bytes, or else an ancestor.
    public let pointer: JSONPointer

    /// The possible errors of a text.
    public enum Reason: Sendable, Equatable {
        /// The text ends in the middle of a value, or is empty.
        case unexpectedEnd
        /// A byte that can't start a value.
        case expectedValue
        /// An object's member doesn't start with a name in double quotes.
        case expectedName
        /// There is no colon after a member's name.
        case expectedColon
        /// There is neither a comma nor the closing bracket after a value.
        case expectedCommaOrEnd
        /// Something follows the value.
        case textAfterValue
        /// The text starts with a byte order mark.
        case byteOrderMark
        /// A number that doesn't follow the grammar.
        case invalidNumber
        /// A number with a leading zero.
        case leadingZero
        /// A number whose exponent has more than 18 digits.
        case exponentTooLarge
        /// No double is this large, so a reader would make it infinite.
        case numberTooLarge
        /// A control character that isn't escaped.
        case controlCharacter
        /// A backslash followed by something that isn't an escape.
        case invalidEscape
        /// Bytes that aren't UTF-8.
        case invalidUTF8
        /// More nested arrays and objects than the policy allows.
        case tooDeep(maxDepth: Int)
        /// More values than the policy allows.
        case tooManyValues(maxValues: Int)
        /// A number whose literal is longer than the policy allows.
        case numberTooLong(maxBytes: Int)
        /// A member name that the object already has.
        case duplicateName
        /// An escaped surrogate without its other half.
        case loneSurrogate
        /// The character U+0000.
        case nul
    }
}

extension JSONError.Reason: CustomStringConvertible {
    /// One sentence for the sender of the text.
    public var description: String {
        switch self {
        case .unexpectedEnd: "The text ends before the value is complete."
        case .expectedValue: "Expected a value."
        case .expectedName: "Expected a member name in double quotes."
        case .expectedColon: "Expected a colon after the member name."
        case .expectedCommaOrEnd: "Expected a comma or the closing bracket."
        case .textAfterValue: "The value is followed by more text."
        case .byteOrderMark: "The text must not start with a byte order mark."
        case .invalidNumber: "The number is not valid JSON."
        case .leadingZero: "A number must not have a leading zero."
        case .exponentTooLarge: "The exponent has more than 18 digits."
        case .numberTooLarge: "The number exceeds the range of a double (1.8e308)."
        case .controlCharacter: "Control characters in a string must be escaped."
        case .invalidEscape: "The backslash is not followed by a valid escape."
        case .invalidUTF8: "The text is not valid UTF-8."
        case .tooDeep(let maxDepth): "Arrays and objects may be nested at most \(maxDepth) levels deep."
        case .tooManyValues(let maxValues):
            "The text may have at most \(maxValues) values, arrays and objects included."
        case .numberTooLong(let maxBytes): "A number may have at most \(maxBytes) characters."
        case .duplicateName: "The object has this member name twice."
        case .loneSurrogate: "A string contains a lone surrogate."
        case .nul: "The character U+0000 is not allowed."
        }
    }
}

extension JSONError: CustomStringConvertible {
    /// The reason with its place.
    public var description: String {
        "\(reason) (byte \(offset)\(pointer.isRoot ? "" : ", at \(pointer)"))"
    }
}
