import JSON

extension Probe {
    /// The entries requested from ffprobe.
    static let entries =
        "format=duration:format_tags=major_brand"
        + ":stream=codec_type,codec_name,width,height,avg_frame_rate,r_frame_rate,color_transfer"
        + ":stream_disposition=attached_pic:stream_side_data=rotation:frame=pict_type:frame_tags=none"
        + ":frame_side_data=rotation"

    /// Reads ffprobe's output; nil without picture and sound, or for an implausible picture size.
    init?(json: [UInt8], format: MediaFormat, sizeBytes: Int64) {
        guard let root = try? JSONParser.parse(json, policy: .rfc8259) else { return nil }
        let streams = root["streams"]?.array ?? []
        let video = format.hasPicture ? streams.first { $0.isOfType("video") && !$0.isAttachedPicture } : nil
        let audio = streams.first { $0.isOfType("audio") }
        guard video != nil || audio != nil else { return nil }
        let isTurned = (video?.isTurned ?? false) || (root["frames"]?.array?.first?.isTurned ?? false)
        if let video {
            guard let size = video.pictureSize else { return nil }
            (width, height) = isTurned ? (size.height, size.width) : size
        } else {
            (width, height) = (nil, nil)
        }
        self.sizeBytes = sizeBytes
        container = Self.container(of: format, brand: root["format"]?["tags"]?["major_brand"]?.string)
        durationSeconds = format.hasDuration ? root["format"]?["duration"]?.seconds : nil
        frameRate = format.isMoving ? video?.frameRate : nil
        videoCodec = video?.codec
        hdr = video?["color_transfer"]?.string.flatMap(HDRTransfer.init)
        audioCodec = audio?.codec
    }

    private static func container(of format: MediaFormat, brand: String?) -> String {
        switch format {
        case .movie: brand == "qt  " ? "mov" : "mp4"
        case .m4a: "mp4"
        case .heif, .jpeg, .wav, .aac, .flac, .mp3: format.rawValue
        }
    }
}

extension JSONValue {
    fileprivate func isOfType(_ type: String) -> Bool { self["codec_type"]?.string == type }

    /// True for a cover picture, which is not the video's own.
    fileprivate var isAttachedPicture: Bool { self["disposition"]?["attached_pic"]?.number?.int64 == 1 }

    /// True if the picture is shown turned by about a quarter. The angle is in degrees.
    fileprivate var isTurned: Bool {
        let angles = self["side_data_list"]?.array?.compactMap { $0["rotation"]?.number?.int64 } ?? []
        guard let angle = angles.first else { return false }
        return (45..<135).contains(angle.magnitude % 180)
    }

    fileprivate var pictureSize: (width: Int, height: Int)? {
        guard let width = self["width"]?.number?.int64, let height = self["height"]?.number?.int64 else { return nil }
        guard let width = Int(exactly: width), let height = Int(exactly: height) else { return nil }
        return Probe.isPlausible(width: width, height: height) ? (width, height) : nil
    }

    /// The codec's name; nil for ffprobe's placeholders of unknown codecs.
    fileprivate var codec: String? {
        guard let name = self["codec_name"]?.string, name != "unknown", name != "none" else { return nil }
        let isName = (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName ? name : nil
    }

    /// A time; ffprobe writes it as a string.
    fileprivate var seconds: Double? {
        guard let seconds = string.flatMap(Double.init), (0...31_536_000).contains(seconds) else { return nil }
        return seconds
    }

    /// The average; without one, the lowest rate that fits all frames.
    fileprivate var frameRate: Double? {
        self["avg_frame_rate"]?.string.flatMap(Self.rate) ?? self["r_frame_rate"]?.string.flatMap(Self.rate)
    }

    /// Parses "30000/1001"; "0/0" means none.
    private static func rate(_ text: String) -> Double? {
        let parts = text.split(separator: "/").compactMap { Double($0) }
        guard parts.count == 2, parts[1] != 0 else { return nil }
        let rate = parts[0] / parts[1]
        return rate > 0 && rate <= 10_000 ? rate : nil
    }
}
