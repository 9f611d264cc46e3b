extension SettingDefinition {
    #if DEBUG
        /// Constants, and defaults of services, that tests change. No release has these settings.
        static let ofTests: [SettingDefinition] = [
            number("password_cost", \.constants.passwordCost, 1...15),
            file("common_passwords", \.constants.commonPasswords),
            number("open_uploads_max", \.constants.openUploadsMax),
            number("sync_overlap_s", \.constants.syncOverlapSeconds),
            number("batch_body_max_bytes", \.constants.batchBodyMaxBytes),
            number("slow_request_ms", \.constants.slowRequestMs),
            number("drain_timeout_ms", \.drainTimeoutMs),
            number("header_timeout_ms", \.server.headerTimeoutMs),
            number("request_timeout_ms", \.server.requestTimeoutMs),
            number("answer_timeout_ms", \.server.transferTimeoutMs),
            number("login_failures_max", \.attempts.login),
            number("login_failures_per_device_max", \.attempts.device),
            number("login_failures_per_known_address_max", \.attempts.knownAddress),
            number("login_failures_per_address_max", \.attempts.address),
            number("registrations_per_address_max", \.attempts.registrations),
        ]

        private static func number<Value: FixedWidthInteger & Sendable>(
            _ name: String,
            _ place: Place<Value>,
            _ range: ClosedRange<Value> = 0...Value(Int32.max)
        ) -> SettingDefinition {
            .integer(name, place, range, explanation)
        }

        private static func file(_ name: String, _ place: Place<String>) -> SettingDefinition {
            .text(
                name,
                place,
                allowed: "a file",
                defaultText: Settings()[keyPath: place],
                accept: path,
                explanation
            )
        }

        private static let explanation = "a constant; only builds for tests have this setting"
    #else
        static let ofTests: [SettingDefinition] = []
    #endif
}
