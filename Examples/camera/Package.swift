// swift-tools-version: 6.1
import PackageDescription

// In Xcode, make an app, add the package neuroviews-cloud, and take the files of Sources/camera over.
let package = Package(
    name: "camera",
    platforms: [.iOS(.v17), .macOS(.v14), .visionOS(.v1)],
    dependencies: [.package(name: "neuroviews-cloud", path: "../..")],
    targets: [
        .executableTarget(
            name: "camera",
            dependencies: [.product(name: "NeuroViewsClient", package: "neuroviews-cloud")]
        )
    ]
)
