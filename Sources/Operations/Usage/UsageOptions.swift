/// The arguments of `usage`.
package struct UsageOptions: Equatable {
    package enum Form: Equatable { case text, json }

    /// The first and last day as the user wrote them; nil for the last 30 days.
    var from: String?
    var to: String?
    package var form: Form
    /// True if the crash reports are asked for, not the figures.
    package var areCrashes: Bool

    package init(from: String? = nil, to: String? = nil, form: Form = .text, areCrashes: Bool = false) {
        self.from = from
        self.to = to
        self.form = form
        self.areCrashes = areCrashes
    }
}
