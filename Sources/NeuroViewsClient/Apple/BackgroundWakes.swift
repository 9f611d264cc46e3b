import Foundation

extension NeuroViews {
    /// Goes on with uploads after the system has woken the app for them, and returns when the app may sleep again. For
    /// `.backgroundTask(.urlSession)` of SwiftUI; sessions of others are left alone.
    public func handleBackgroundEvents(identifier: String) async { await wake(identifier) }

    /// The same for `application(_:handleEventsForBackgroundURLSession:completionHandler:)`, whose last arguments these are.
    @MainActor
    public func handleBackgroundEvents(identifier: String, completion: @escaping () -> Void) {
        Task {
            await wake(identifier)
            completion()
        }
    }
}
