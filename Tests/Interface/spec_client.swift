// spec_client URL EMAIL PASSWORD: a client with only what the specification says of the interface: its structs, its
// paths, JSON in snake_case with ISO 8601 times, URLSession. Makes every documented call, and ends with 1 when one
// answer is refused or can't be decoded.

import Foundation
import FoundationNetworking

// MARK: The specification's data

enum CameraPreset: String, Codable { case auto, portrait, landscape, macro, sport, night, professional }

enum VideoFormat: String, Codable {
    case h264 = "H.264"
    case h265 = "H.265"
    case proRes422 = "ProRes 422"
    case proRes4444 = "ProRes 4444"
    case av1 = "AV1"
}

enum VideoResolution: String, Codable {
    case sd480p = "SD 480p"
    case hd720p = "HD 720p"
    case fullHD1080p = "Full HD 1080p"
    case ultraHD4K = "4K UHD"
    case cinema4K = "4K Cinema"
    case uhd8K = "8K UHD"
}

struct ExposureSettings: Codable {
    var mode: String?
    var iso: Double?
    var shutterSpeed: Double?
    var exposureCompensation: Double?
}

struct CameraConfiguration: Codable {
    let id: UUID
    var name: String
    let preset: CameraPreset
    let videoFormat: VideoFormat
    let resolution: VideoResolution
    let frameRate: Int
    let exposureSettings: ExposureSettings?
    let createdAt: Date
    var modifiedAt: Date
}

struct Location: Codable {
    let latitude: Double
    let longitude: Double
}

struct RecordingMetadata: Codable {
    let creationDate: Date
    let location: Location?
    let deviceModel: String
    let appVersion: String
    let cameraPosition: String
    let exposureSettings: ExposureSettings?
    let customTags: [String: String]
}

struct AnalyticsEvent: Codable {
    let name: String
    let parameters: [String: String]
    let timestamp: Date
}

struct UsageStatistics: Codable {}

// MARK: Its answers

struct User: Codable {
    let id: UUID
    let email: String
}

struct Login: Codable {
    let token: String
    let user: User
    let expiresAt: Date
}

struct Refreshed: Codable {
    let token: String
    let expiresAt: Date
}

struct Pulled: Codable {
    let configurations: [CameraConfiguration]
    let deleted: [UUID]
}

struct Created: Codable {
    let id: UUID
    let createdAt: Date
}

struct Updated: Codable { let updatedAt: Date }

struct Deleted: Codable { let deletedAt: Date }

struct Listed: Codable {
    let recordings: [RecordingMetadata]
    let total: Int
}

struct UploadURL: Codable {
    let uploadUrl: String
    let expiresAt: Date
}

struct Completed: Codable {
    let processingStatus: String
    let thumbnailUrl: String
}

struct Processed: Codable { let processed: Int }

struct Usage: Codable { let usage: UsageStatistics }

// MARK: Its bodies

struct Configuration: Codable { let configuration: CameraConfiguration }

struct File: Codable {
    let fileSize: Int
    let contentType: String
}

struct Metadata: Codable { let metadata: RecordingMetadata }

struct Events: Codable { let events: [AnalyticsEvent] }

// MARK: The calls

struct Failure: Error, CustomStringConvertible { let description: String }

final class SpecClient {
    private let url: String
    private var token: String?
    private(set) var decodedCount = 0
    private(set) var failedCount = 0

    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(_ url: String) {
        self.url = url
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
    }

    func run(email: String, password: String) async {
        await session(email, password)
        await configurations()
        await recordings()
        await analytics()
    }

    private func session(_ email: String, _ password: String) async {
        token = await call("POST", "/auth/login", ["email": email, "password": password], Login.self)?.token
        token = await call("POST", "/auth/refresh", nil as String?, Refreshed.self)?.token ?? token
    }

    private func configurations() async {
        let pull = "/configurations?device_id=phone&last_sync=\(day(-7))T00:00:00Z"
        await call("GET", pull, nil as String?, Pulled.self)
        var preset = CameraConfiguration(
            id: UUID(),
            name: "Harbour",
            preset: .auto,
            videoFormat: .h264,
            resolution: .fullHD1080p,
            frameRate: 30,
            exposureSettings: nil,
            createdAt: Date(),
            modifiedAt: Date()
        )
        await call("POST", "/configurations", Configuration(configuration: preset), Created.self)
        (preset.name, preset.modifiedAt) = ("Harbour at night", Date())
        await call("PUT", "/configurations/\(preset.id)", Configuration(configuration: preset), Updated.self)
        await call("DELETE", "/configurations/\(preset.id)", nil as String?, Deleted.self)
        await call("GET", pull, nil as String?, Pulled.self)
    }

    private func recordings() async {
        await call("GET", "/recordings?limit=10&offset=0&device_id=phone", nil as String?, Listed.self)
        let path = "/recordings/\(UUID())"
        let bytes = Data("hello".utf8)
        let file = File(fileSize: bytes.count, contentType: "video/mp4")
        if let upload = await call("POST", path + "/upload-url", file, UploadURL.self) {
            await send(bytes, to: upload.uploadUrl)
        }
        let metadata = RecordingMetadata(
            creationDate: Date(),
            location: nil,
            deviceModel: "iPhone 15 Pro",
            appVersion: "2.0",
            cameraPosition: "back",
            exposureSettings: ExposureSettings(iso: 1600, shutterSpeed: 0.02),
            customTags: ["scene": "1"]
        )
        await call("POST", path + "/complete", Metadata(metadata: metadata), Completed.self)
        await call("GET", "/recordings?limit=10&offset=0", nil as String?, Listed.self)
    }

    private func analytics() async {
        let event = AnalyticsEvent(name: "camera_started", parameters: ["device_type": "wide"], timestamp: Date())
        await call("POST", "/analytics/events", Events(events: [event]), Processed.self)
        await call("GET", "/analytics/usage?start_date=\(day(-7))&end_date=\(day(0))", nil as String?, Usage.self)
    }

    @discardableResult
    private func call<Answer: Decodable>(
        _ method: String,
        _ path: String,
        _ body: (some Encodable)?,
        _ type: Answer.Type
    ) async -> Answer? {
        do {
            var request = try request(method, url + path)
            if let body {
                request.httpBody = try encoder.encode(body)
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            }
            if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            let (data, status) = try await answer(to: request)
            do {
                let decoded = try decoder.decode(type, from: data)
                print(method, path, status, "decoded")
                decodedCount += 1
                return decoded
            } catch {
                throw Failure(description: "\(status) not decoded: \(error) \(String(decoding: data, as: UTF8.self))")
            }
        } catch {
            print(method, path, error)
            failedCount += 1
            return nil
        }
    }

    private func send(_ bytes: Data, to address: String) async {
        do {
            let (_, answer) = try await URLSession.shared.upload(for: request("PUT", address), from: bytes)
            let status = Self.status(of: answer)
            guard (200..<300).contains(status) else { throw Failure(description: "\(status)") }
        } catch {
            print("PUT upload_url", error)
            failedCount += 1
        }
    }

    private func answer(to request: URLRequest) async throws -> (Data, Int) {
        let (data, answer) = try await URLSession.shared.data(for: request)
        return (data, Self.status(of: answer))
    }

    private func request(_ method: String, _ address: String) throws -> URLRequest {
        guard let url = URL(string: address) else { throw Failure(description: "no URL: \(address)") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        return request
    }

    private static func status(of answer: URLResponse) -> Int { (answer as? HTTPURLResponse)?.statusCode ?? 0 }

    private func day(_ offset: Int) -> String {
        let time = Date(timeIntervalSinceNow: Double(offset) * 86_400)
        return String(ISO8601DateFormatter().string(from: time).prefix(10))
    }
}

@main
struct Program {
    static func main() async {
        let words = CommandLine.arguments
        let client = SpecClient(words[1])
        await client.run(email: words[2], password: words[3])
        print("\(client.decodedCount) answers decoded, \(client.failedCount) calls failed")
        exit(client.decodedCount == 13 && client.failedCount == 0 ? 0 : 1)
    }
}
