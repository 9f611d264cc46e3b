extension SettingDefinition {
    static let attempts: [SettingDefinition] = [
        attempt(
            "login_failures_max",
            \.loginFailuresMax,
            "failed logins of an account in 15 minutes from all unknown devices and addresses together; 0 means unlimited"
        ),
        attempt(
            "login_failures_per_device_max",
            \.loginFailuresPerDeviceMax,
            "the same from each known device of the account, and wrong passwords within each session; 0 means unlimited"
        ),
        attempt(
            "login_failures_per_known_address_max",
            \.loginFailuresPerKnownAddressMax,
            "the same from each IPv4 address or IPv6 /64 from which the account has logged in; 0 means unlimited"
        ),
        attempt(
            "login_failures_per_address_max",
            \.loginFailuresPerAddressMax,
            "the same for all accounts from one IPv4 address or IPv6 /64; 0 means unlimited"
        ),
        .integer(
            "writes_per_hour_max",
            \.writesPerHourMax,
            0...1_000_000_000,
            "write requests of an account in an hour, at each server; a batch counts as one; 0 means unlimited"
        ),
        attempt(
            "registrations_per_address_max",
            \.registrationsPerAddressMax,
            "registrations in an hour from one IPv4 address or IPv6 /48, and as many password resets; 0 means unlimited"
        ),
    ]

    /// The limit is bounded, because each attempt reads up to that many rows.
    private static func attempt(_ name: String, _ place: Place<Int>, _ explanation: String) -> SettingDefinition {
        .integer(name, place, 0...10_000, explanation)
    }
}
