import Foundation

/// How much longer than usual tests wait before they give up: `NEUROVIEWS_TEST_PATIENCE`, for busy machines, and for
/// sanitized programs, which are several times slower. It lengthens the limits of waiting, never what a test measures.
public enum Patience {
    /// At least 1.
    public static let factor = max(
        1,
        ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_PATIENCE"].flatMap(Double.init) ?? 1
    )

    /// For a limit in milliseconds.
    public static func ms(_ usual: Int) -> Int { Int(Double(usual) * factor) }

    /// For the time limit of a suite.
    public static func minutes(_ usual: Int) -> Int { Int((Double(usual) * factor).rounded(.up)) }
}
