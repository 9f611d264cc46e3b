// swift-tools-version: 6.1
import PackageDescription

// No SwiftPM dependencies: the platform's sockets, OpenSSL, libpq, libcurl, zlib and SQLite are reached through the six C
// targets.
// Which target may import which is written down in ARCHITECTURE.md.

// An app gets the client's targets alone: always on a Mac, where the server does not build, elsewhere with this variable.
#if os(macOS)
    let isClientOnly = true
    let otherPlatforms = ["Linux"]
    let resources: [Resource] = [.copy("Apple/PrivacyInfo.xcprivacy")]
    let tests: [Target] = [
        .testTarget(
            name: "AppleTests",
            dependencies: ["NeuroViewsClient", "NeuroViewsCrypto"],
            path: "Tests/Apple/Suites"
        ),
        .testTarget(
            name: "RulesTests",
            dependencies: ["NeuroViewsCrypto", "NeuroViewsJSON", "NeuroViewsRules"],
            path: "Tests/Unit/RulesTests"
        ),
        .testTarget(
            name: "WebSocketTests",
            dependencies: ["NeuroViewsWebSocket"],
            path: "Tests/Unit/WebSocketTests"
        ),
    ]
#else
    let isClientOnly = Context.environment["NEUROVIEWS_CLIENT_ONLY"] != nil
    let otherPlatforms = ["Apple"]
    let resources: [Resource] = []
    let tests: [Target] = []
#endif

// The client's targets, which the server uses too. Their names are the package's own: SwiftPM refuses two modules of one
// name in an app's graph.
let package = Package(
    name: "neuroviews-cloud",
    platforms: [.iOS(.v17), .macOS(.v14), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "NeuroViewsClient", targets: ["NeuroViewsClient"])],
    targets: [
        .systemLibrary(name: "CNeuroViewsOpenSSL", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CNeuroViewsCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CNeuroViewsSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "NeuroViewsJSON"),
        .target(name: "NeuroViewsWebSocket"),
        .target(
            name: "NeuroViewsCrypto",
            dependencies: [.target(name: "CNeuroViewsOpenSSL", condition: .when(platforms: [.linux]))],
            // The server's tokens, passwords and keys.
            exclude: otherPlatforms + (isClientOnly ? ["Server"] : [])
        ),
        .target(name: "NeuroViewsRules", dependencies: ["NeuroViewsJSON"]),
        .target(
            name: "NeuroViewsClient",
            dependencies: [
                "NeuroViewsCrypto", "NeuroViewsJSON", "NeuroViewsRules", "NeuroViewsWebSocket", "CNeuroViewsSQLite",
                .target(name: "CNeuroViewsCurl", condition: .when(platforms: [.linux])),
            ],
            exclude: otherPlatforms,
            resources: resources
        ),
    ] + tests,
    swiftLanguageModes: [.v6]
)

// The server's targets, and all tests.
if !isClientOnly {
    package.targets += [
        .target(name: "CLinux"),
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Net", dependencies: ["CLinux", "CNeuroViewsOpenSSL"]),
        .target(name: "Tracing", dependencies: ["Net"]),
        .target(name: "HTTP", dependencies: ["Net", "Tracing"]),
        .target(name: "Postgres", dependencies: ["Net", "Tracing", "CPostgres"]),
        .target(name: "Compression", dependencies: ["CZlib"]),
        .target(name: "Storage", dependencies: ["Net", "NeuroViewsCrypto", "CLinux", "CNeuroViewsCurl"]),
        .target(name: "Problems"),
        .target(name: "Uploads", dependencies: ["HTTP", "NeuroViewsCrypto", "Problems"]),
        .target(name: "JSONSchema", dependencies: ["NeuroViewsJSON"]),
        .target(name: "Credentials", dependencies: ["NeuroViewsCrypto", "NeuroViewsJSON"]),
        .target(name: "Media", dependencies: ["NeuroViewsJSON", "Net"]),
        .plugin(name: "EmbedFiles", capability: .buildTool(), path: "Sources/EmbedFiles"),
        .target(name: "Migrations", path: "Migrations", plugins: ["EmbedFiles"]),
        .target(name: "Console", dependencies: ["NeuroViewsCrypto"], plugins: ["EmbedFiles"]),
        .target(
            name: "OpenAPI",
            path: "OpenAPI",
            // openapi.json is assembled from them.
            exclude: ["assemble", "features", "frame.json"],
            plugins: ["EmbedFiles"]
        ),
        .target(
            name: "CloudSync",
            dependencies: [
                "Net", "Tracing", "Postgres", "Credentials", "NeuroViewsCrypto", "NeuroViewsJSON", "JSONSchema",
                "Media", "Problems", "Storage", "Uploads",
            ]
        ),
        .target(
            name: "API",
            dependencies: [
                "HTTP", "CloudSync", "Compression", "Console", "Credentials", "NeuroViewsCrypto", "NeuroViewsJSON",
                "JSONSchema", "NeuroViewsWebSocket", "OpenAPI", "Net", "Problems", "Storage", "Tracing", "Uploads",
            ]
        ),
        .target(name: "CommandWords"),
        .target(name: "Machine", dependencies: ["CommandWords", "Net", "NeuroViewsCrypto", "CLinux"]),
        .target(
            name: "Settings",
            dependencies: [
                "CloudSync", "CommandWords", "Credentials", "NeuroViewsCrypto", "HTTP", "NeuroViewsJSON", "Machine",
                "Net", "Postgres", "Storage", "CLinux",
            ]
        ),
        .target(
            name: "PrivateCluster",
            dependencies: ["CommandWords", "Machine", "Settings", "Migrations", "Net", "Postgres", "CPostgres"]
        ),
        .target(
            name: "Operations",
            dependencies: [
                "CommandWords", "Console", "Machine", "Settings", "PrivateCluster", "CloudSync", "Credentials", "HTTP",
                "NeuroViewsCrypto", "NeuroViewsJSON", "Media", "Net", "Postgres", "Storage",
            ]
        ),
        .target(
            name: "Observability",
            dependencies: [
                "CommandWords", "Machine", "Settings", "API", "CloudSync", "HTTP", "Net", "Postgres", "Storage",
                "Tracing",
            ]
        ),
        .executableTarget(
            name: "neuroviews",
            dependencies: ["CommandWords", "JSONSchema", "NeuroViewsClient", "NeuroViewsJSON"]
        ),
        .executableTarget(
            name: "neuroviews-server",
            dependencies: [
                "CommandWords", "Machine", "Settings", "PrivateCluster", "Operations", "Observability", "API",
                "CloudSync", "NeuroViewsCrypto", "HTTP", "JSONSchema", "Media", "Net", "Postgres", "Storage",
            ]
        ),
        .target(
            name: "TestSupport",
            dependencies: [
                "CNeuroViewsOpenSSL", "Net", "Postgres", "NeuroViewsCrypto", "NeuroViewsJSON", "Migrations", "OpenAPI",
            ],
            path: "Tests/TestSupport"
        ),
        .executableTarget(
            name: "sync-client",
            dependencies: ["NeuroViewsClient", "NeuroViewsRules"],
            path: "Tests/SyncClient"
        ),
        .executableTarget(name: "store-writer", dependencies: ["NeuroViewsClient"], path: "Tests/StoreWriter"),
        .executableTarget(
            name: "websocket-echo",
            dependencies: ["HTTP", "Net", "NeuroViewsWebSocket"],
            path: "Tests/WebSocketEcho"
        ),
        .testTarget(name: "NetTests", dependencies: ["Net", "TestSupport"], path: "Tests/Unit/NetTests"),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTP", "Net", "TestSupport"],
            path: "Tests/Unit/HTTPServerTests"
        ),
        .testTarget(
            name: "PostgresTests",
            dependencies: ["Postgres", "Net", "Migrations", "TestSupport", "Tracing"],
            path: "Tests/Unit/PostgresTests"
        ),
        .testTarget(
            name: "CloudSyncTests",
            dependencies: [
                "CloudSync", "Credentials", "NeuroViewsCrypto", "NeuroViewsJSON", "JSONSchema", "Media", "Migrations",
                "Net", "OpenAPI", "Postgres", "Problems", "Storage", "TestSupport", "Tracing", "Uploads",
            ],
            path: "Tests/Service/CloudSyncTests"
        ),
        .testTarget(
            name: "OpenAPITests",
            dependencies: [
                "API", "CloudSync", "NeuroViewsCrypto", "HTTP", "NeuroViewsJSON", "JSONSchema", "Migrations", "Net",
                "OpenAPI", "Postgres", "Problems", "Storage", "TestSupport",
            ],
            path: "Tests/Unit/OpenAPITests"
        ),
        // A build of the tests makes all programs. As no dependencies, they are compiled beside this largest module.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CloudSync", "Credentials", "NeuroViewsClient", "NeuroViewsCrypto", "NeuroViewsJSON", "JSONSchema",
                "Net", "Postgres", "Storage", "TestSupport",
            ],
            path: "Tests/EndToEnd"
        ),
        .testTarget(
            name: "APITests",
            dependencies: [
                "API", "CloudSync", "Console", "NeuroViewsCrypto", "HTTP", "NeuroViewsJSON", "Net", "Problems",
                "TestSupport", "Tracing", "Uploads",
            ],
            path: "Tests/Unit/APITests"
        ),
        .testTarget(
            name: "CompressionTests",
            dependencies: ["Compression", "TestSupport"],
            path: "Tests/Unit/CompressionTests"
        ),
        .testTarget(
            name: "CredentialsTests",
            dependencies: ["Credentials", "NeuroViewsCrypto", "NeuroViewsJSON", "TestSupport"],
            path: "Tests/Unit/CredentialsTests"
        ),
        // `Portable` leads to the files of NeuroViewsClient/Apple that FoundationNetworking can compile, too.
        .testTarget(
            name: "AppleTests",
            dependencies: ["NeuroViewsClient", "NeuroViewsCrypto", "TestSupport"],
            path: "Tests/Apple",
            exclude: ["Declarations"]
        ),
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "NeuroViewsClient", "NeuroViewsCrypto", "NeuroViewsJSON", "NeuroViewsRules", "HTTP", "Net",
                "TestSupport",
                "store-writer",
            ],
            path: "Tests/Unit/ClientTests"
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "neuroviews", "CommandWords", "NeuroViewsClient", "NeuroViewsJSON", "NeuroViewsRules", "TestSupport",
            ],
            path: "Tests/Unit/CommandTests"
        ),
        .testTarget(
            name: "CryptoTests",
            dependencies: ["NeuroViewsCrypto", "TestSupport"],
            path: "Tests/Unit/CryptoTests"
        ),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP", "Net", "TestSupport"], path: "Tests/Unit/HTTPTests"),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Storage", "NeuroViewsCrypto", "Net", "TestSupport"],
            path: "Tests/Unit/StorageTests"
        ),
        .testTarget(
            name: "UploadsTests",
            dependencies: ["Uploads", "NeuroViewsCrypto", "HTTP", "TestSupport"],
            path: "Tests/Unit/UploadsTests"
        ),
        .testTarget(name: "JSONTests", dependencies: ["NeuroViewsJSON", "TestSupport"], path: "Tests/Unit/JSONTests"),
        .testTarget(
            name: "MediaTests",
            dependencies: ["NeuroViewsJSON", "Media", "Net", "TestSupport"],
            path: "Tests/Unit/MediaTests"
        ),
        .testTarget(
            name: "RulesTests",
            dependencies: ["NeuroViewsCrypto", "NeuroViewsJSON", "NeuroViewsRules"],
            path: "Tests/Unit/RulesTests"
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "neuroviews-server", "CommandWords", "Machine", "Settings", "PrivateCluster", "Operations",
                "Observability", "CloudSync", "Console", "HTTP", "NeuroViewsJSON", "Net", "TestSupport",
            ],
            path: "Tests/Unit/ServerTests"
        ),
        .testTarget(
            name: "WebSocketTests",
            dependencies: ["NeuroViewsWebSocket"],
            path: "Tests/Unit/WebSocketTests"
        ),
        .testTarget(
            name: "JSONSchemaTests",
            dependencies: ["JSONSchema", "NeuroViewsJSON", "TestSupport"],
            path: "Tests/Unit/JSONSchemaTests"
        ),
    ]

    // The fuzzers and the test that replays their corpus are made of the same files, and only a build for fuzzing has the
    // runtime that the fuzzers need: Tests/Fuzz/run.
    let isFuzzing = Context.environment["NEUROVIEWS_FUZZ"] != nil
    let fuzzed: [Target.Dependency] = [
        "API", "CloudSync", "Compression", "Credentials", "NeuroViewsCrypto", "HTTP", "NeuroViewsJSON", "JSONSchema",
        "NeuroViewsClient", "NeuroViewsWebSocket", "Net", "OpenAPI", "Storage", "Uploads",
    ]
    package.targets.append(
        isFuzzing
            ? .executableTarget(
                name: "fuzz",
                dependencies: fuzzed,
                path: "Tests/Fuzz",
                exclude: ["Corpus", "Dictionaries", "Replay", "run"]
            )
            : .testTarget(
                name: "FuzzTests",
                dependencies: fuzzed,
                path: "Tests/Fuzz",
                exclude: ["Corpus", "Dictionaries", "Fuzzer", "run"]
            )
    )
}

// An async function runs where its caller does, instead of asking the runtime at each call which executor is
// right: on the hot path that question cost more than the work (SE-0461).
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
