import Foundation
import Testing

/// This run of the tests.
package enum TestRun {
    /// True in `deploy/test --full`: tests may take long.
    package static let isFull = ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_FULL"] == "1"

    /// True in `deploy/test` alone, without a filter.
    package static let isUsual = ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_USUAL"] == "1"

    /// The first `count` cases of a test if the others rarely find more; all of them in `--full`.
    package static func cases<Case>(_ count: Int, of all: [Case]) -> [Case] { isFull ? all : Array(all.prefix(count)) }
}

extension Trait where Self == ConditionTrait {
    /// For tests of seconds, if few changes can break them or a cheaper test notices the same fault. They run in
    /// `--full` and by a filter.
    package static var inFull: Self { .enabled(if: !TestRun.isUsual, "runs in --full") }
}

/// The factor `NEUROVIEWS_TEST_PATIENCE` for the time limits of tests. It is for busy machines and for sanitized
/// programs, several times slower than others. It extends time limits, never a measured value.
package enum Patience {
    /// The factor, at least 1.
    package static let factor = max(
        1,
        ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_PATIENCE"].flatMap(Double.init) ?? 1
    )

    /// Extends a limit in milliseconds.
    package static func ms(_ usual: Int) -> Int { Int(Double(usual) * factor) }

    /// Extends the time limit of a suite, in minutes.
    package static func minutes(_ usual: Int) -> Int { Int((Double(usual) * factor).rounded(.up)) }
}
