// swift-tools-version: 6.1
import PackageDescription

// No SwiftPM dependencies: the platform's sockets, OpenSSL, libpq, libcurl and zlib are reached through the five C targets.
// Which target may import which is written down in ARCHITECTURE.md.
let package = Package(
    name: "neuroviews-cloud",
    targets: [
        .target(name: "CLinux"),
        .systemLibrary(name: "CNeuroViewsOpenSSL", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CNeuroViewsCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Net", dependencies: ["CLinux", "CNeuroViewsOpenSSL"]),
        .target(name: "Tracing", dependencies: ["Net"]),
        .target(name: "HTTP", dependencies: ["Net", "Tracing"]),
        .target(name: "Postgres", dependencies: ["Net", "Tracing", "CPostgres"]),
        .target(name: "NeuroViewsCrypto", dependencies: ["CNeuroViewsOpenSSL"]),
        .target(name: "Compression", dependencies: ["CZlib"]),
        .target(name: "Storage", dependencies: ["Net", "NeuroViewsCrypto", "CLinux", "CNeuroViewsCurl"]),
        .target(name: "Problems"),
        .target(name: "Uploads", dependencies: ["HTTP", "NeuroViewsCrypto", "Problems"]),
        .target(name: "NeuroViewsJSON"),
        .target(name: "JSONSchema", dependencies: ["NeuroViewsJSON"]),
        .target(name: "Credentials", dependencies: ["NeuroViewsCrypto", "NeuroViewsJSON"]),
        .target(name: "Media", dependencies: ["NeuroViewsJSON", "Net"]),
        .plugin(name: "EmbedFiles", capability: .buildTool(), path: "Sources/EmbedFiles"),
        .target(name: "Migrations", path: "Migrations", plugins: ["EmbedFiles"]),
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
                "HTTP", "CloudSync", "Compression", "Credentials", "NeuroViewsCrypto", "NeuroViewsJSON", "JSONSchema",
                "OpenAPI", "Net", "Problems", "Storage", "Tracing", "Uploads",
            ]
        ),
        .target(name: "Machine", dependencies: ["Net", "NeuroViewsCrypto", "CLinux"]),
        .target(
            name: "Settings",
            dependencies: [
                "CloudSync", "Credentials", "NeuroViewsCrypto", "HTTP", "NeuroViewsJSON", "Machine", "Net", "Postgres",
                "Storage", "CLinux",
            ]
        ),
        .target(
            name: "PrivateCluster",
            dependencies: ["Machine", "Settings", "Migrations", "Net", "Postgres", "CPostgres"]
        ),
        .target(
            name: "Operations",
            dependencies: [
                "Machine", "Settings", "PrivateCluster", "CloudSync", "Credentials", "NeuroViewsCrypto", "Media", "Net",
                "Postgres", "Storage",
            ]
        ),
        .target(
            name: "Observability",
            dependencies: ["Machine", "Settings", "API", "CloudSync", "HTTP", "Net", "Postgres", "Storage", "Tracing"]
        ),
        .executableTarget(
            name: "neuroviews-server",
            dependencies: [
                "Machine", "Settings", "PrivateCluster", "Operations", "Observability", "API", "CloudSync",
                "NeuroViewsCrypto", "HTTP", "JSONSchema", "Media", "Net", "Postgres", "Storage",
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
            dependencies: ["NeuroViewsCrypto", "NeuroViewsJSON", "TestSupport"],
            path: "Tests/SyncClient"
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
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "neuroviews-server", "Credentials", "NeuroViewsCrypto", "NeuroViewsJSON", "JSONSchema", "Net",
                "Postgres", "Storage", "TestSupport",
            ],
            path: "Tests/EndToEnd"
        ),
        .testTarget(
            name: "APITests",
            dependencies: [
                "API", "CloudSync", "NeuroViewsCrypto", "HTTP", "NeuroViewsJSON", "Net", "Problems", "TestSupport",
                "Tracing", "Uploads",
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
            name: "ServerTests",
            dependencies: [
                "neuroviews-server", "Machine", "Settings", "PrivateCluster", "Operations", "Observability",
                "CloudSync", "Net", "TestSupport",
            ],
            path: "Tests/Unit/ServerTests"
        ),
        .testTarget(
            name: "JSONSchemaTests",
            dependencies: ["JSONSchema", "NeuroViewsJSON", "TestSupport"],
            path: "Tests/Unit/JSONSchemaTests"
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzers and the test that replays their corpus are made of the same files, and only a build for fuzzing has the
// runtime that the fuzzers need: Tests/Fuzz/run.
let isFuzzing = Context.environment["NEUROVIEWS_FUZZ"] != nil
let fuzzed: [Target.Dependency] = [
    "API", "CloudSync", "Compression", "Credentials", "NeuroViewsCrypto", "HTTP", "NeuroViewsJSON", "JSONSchema", "Net",
    "OpenAPI", "Storage", "Uploads",
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

// An async function runs where its caller does, instead of asking the runtime at each call which executor is
// right: on the hot path that question cost more than the work (SE-0461).
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
}
