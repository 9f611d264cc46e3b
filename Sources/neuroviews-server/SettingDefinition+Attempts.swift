import CloudSync

extension SettingDefinition {
    static let attempts: [SettingDefinition] = [
        attempt(
            "login_failures_max",
            \.loginFailuresMax,
            "failed logins of an account in 15 minutes from unknown devices and addresses, all together; 0: any number"
        ),
        attempt(
            "login_failures_per_device_max",
            \.loginFailuresPerDeviceMax,
            "those from each known device of the account, and wrong passwords within each session; 0: any number"
        ),
        attempt(
            "login_failures_per_known_address_max",
            \.loginFailuresPerKnownAddressMax,
            "those of an account from each IPv4 address or IPv6 /64 that it has logged in from; 0: any number"
        ),
        attempt(
            "login_failures_per_address_max",
            \.loginFailuresPerAddressMax,
            "those of all accounts from one IPv4 address or one IPv6 /64; 0: any number"
        ),
        .integer(
            "writes_per_hour_max",
            \.writesPerHourMax,
            0...1_000_000_000,
            "requests of an account in an hour that change something, at each server; a batch is one; 0: any number"
        ),
        attempt(
            "registrations_per_address_max",
            \.registrationsPerAddressMax,
            "registrations in an hour from one IPv4 address or one IPv6 /48, and as many resets asked for; 0: any number"
        ),
    ]

    /// The limit is bounded, because each attempt reads up to that many rows.
    private static func attempt(_ name: String, _ place: Place<Int>, _ explanation: String) -> SettingDefinition {
        .integer(name, place, 0...10_000, explanation)
    }
}

extension AttemptLimits.Maxima {
    init(_ settings: Settings) {
        self.init()
        login = settings.loginFailuresMax
        device = settings.loginFailuresPerDeviceMax
        knownAddress = settings.loginFailuresPerKnownAddressMax
        address = settings.loginFailuresPerAddressMax
        registrations = settings.registrationsPerAddressMax
    }
}
