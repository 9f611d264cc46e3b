// swift-tools-version: 6.1
import PackageDescription

// No SwiftPM dependencies: the platform's sockets, OpenSSL and libpq are reached through the three C targets.
// Which target may import which is written down in ARCHITECTURE.md.
let package = Package(
    name: "neuroviews-cloud",
    targets: [
        .target(name: "CLinux"),
        .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .target(name: "Net", dependencies: ["CLinux", "COpenSSL"]),
        .target(name: "HTTP", dependencies: ["Net"]),
        .target(name: "Postgres", dependencies: ["Net", "CPostgres"]),
        .target(name: "Crypto", dependencies: ["COpenSSL"]),
        .target(name: "JSON"),
        .target(name: "JSONSchema", dependencies: ["JSON"]),
    ],
    swiftLanguageModes: [.v6]
)
