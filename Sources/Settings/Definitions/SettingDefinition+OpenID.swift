extension SettingDefinition {
    /// Settings of Sign in with Apple and other OpenID providers.
    static let openID: [SettingDefinition] = [
        .text(
            "openid_providers_file",
            \.openIDProvidersFile,
            allowed: "a file",
            defaultText: "none: nobody logs in by an ID token",
            accept: path,
            "a JSON file with the OpenID providers whose ID tokens are accepted; docs/interface.md has an example"
        )
    ]
}
