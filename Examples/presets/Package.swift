// swift-tools-version: 6.1
import PackageDescription

// An app of yours names a clone, or a repository, of neuroviews-cloud in the place of this path.
let package = Package(
    name: "presets",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "neuroviews-cloud", path: "../..")],
    targets: [
        .executableTarget(
            name: "presets",
            dependencies: [.product(name: "NeuroViewsClient", package: "neuroviews-cloud")]
        )
    ]
)
