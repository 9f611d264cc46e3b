extension SettingDefinition {
    /// The identity of this server for passkeys.
    static let passkeys: [SettingDefinition] = [
        .text(
            "passkey_rp_id",
            \.passkeyRPID,
            allowed: "a domain name, such as example.org",
            defaultText: "the host of public_url; none where that is an IP address",
            accept: PasskeyNames.domain,
            "the domain that passkeys belong to; with another one, those that were made are of no use"
        ),
        .text(
            "passkey_origins",
            \.passkeyOrigins,
            allowed: "origins with commas between them; an Android app is android:apk-key-hash:HASH",
            defaultText: "https:// and the domain, and the origin of public_url within it",
            accept: PasskeyNames.origins,
            "the sites and Android apps that passkeys are used from; iOS apps use https:// and the domain"
        ),
        .text(
            "apple_app_ids",
            \.appleAppIDs,
            allowed: "team and bundle identifiers with commas between them, such as A1B2C3D4E5.org.example.neuroviews",
            defaultText: "none",
            accept: PasskeyNames.apps,
            "the apps that /.well-known/apple-app-site-association names, without which iOS has no passkeys"
        ),
    ]
}
