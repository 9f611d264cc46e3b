// swift-tools-version: 6.1
import PackageDescription

// `build-hummingbird` copies this folder below .build and builds it there. The project's own package knows nothing of it.
let package = Package(
    name: "hummingbird-peer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0")],
    targets: [
        .executableTarget(
            name: "hummingbird-peer",
            dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
            path: ".",
            exclude: ["Package.swift"],
            sources: ["main.swift", "AccessLog.swift", "Fields.swift"]
        )
    ]
)
