extension Device {
    /// Erases the account.
    @discardableResult
    package func erase(password: String = Device.password) throws -> HTTPAnswer {
        try send("DELETE", "/v2/account", body: #"{"password":"\#(password)"}"#)
    }

    /// Exports all data of the account.
    package func export() throws -> HTTPAnswer { try send("GET", "/v2/account/export") }

    /// Lists the account's security events, newest first.
    package func accountEvents(_ query: String = "") throws -> HTTPAnswer {
        try send("GET", "/v2/account/events" + (query.isEmpty ? "" : "?\(query)"))
    }
}
