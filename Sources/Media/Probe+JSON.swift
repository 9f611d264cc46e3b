import NeuroViewsJSON

extension Probe {
    /// The entries requested from ffprobe.
    static let entries =
        "format=duration:format_tags=major_brand"
        + ":stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate"
        + ",start_time,duration,color_transfer"
        + ":stream_disposition=attached_pic:stream_side_data=rotation:frame=pict_type:frame_tags=none"
        + ":frame_side_data=rotation"

    /// Reads ffprobe's output; nil without picture and sound, or for an implausible picture size.
    init?(json: [UInt8], format: MediaFormat, sizeBytes: Int64) {
        guard let root = try? JSONParser.parse(json, policy: .rfc8259) else { return nil }
        let streams = root["streams"]?.array ?? []
        let videos = format.hasPicture ? streams.filter { $0.isOfType("video") && !$0.isAttachedPicture } : []
        let audios = streams.filter { $0.isOfType("audio") }
        // A track that can't be decoded does not hide one that can.
        let video = videos.first { $0.isDecodable } ?? videos.first
        let audio = audios.first { $0.isDecodable } ?? audios.first
        guard video != nil || audio != nil else { return nil }
        let isTurned = (video?.isTurned ?? false) || (root["frames"]?.array?.first?.isTurned ?? false)
        if let video {
            guard let size = video.pictureSize(format) else { return nil }
            (width, height) = isTurned ? (size.height, size.width) : size
        } else {
            (width, height) = (nil, nil)
        }
        self.sizeBytes = sizeBytes
        container = Self.container(of: format, brand: root["format"]?["tags"]?["major_brand"]?.string)
        durationSeconds = format.hasDuration ? MovieDuration.seconds(of: root["format"], tracks: videos + audios) : nil
        frameRate = format.isMoving ? video?.frameRate : nil
        videoCodec = video?.codec
        hdr = video?["color_transfer"]?.string.flatMap(HDRTransfer.init)
        audioCodec = audio?.codec
        videoTrack = video?.track
        audioTrack = audio?.isDecodable == true ? audio?.track : nil
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

    /// The size with square pixels.
    fileprivate func pictureSize(_ format: MediaFormat) -> (width: Int, height: Int)? {
        guard let width = self["width"]?.number?.int64, let height = self["height"]?.number?.int64 else { return nil }
        guard let width = Int(exactly: width), let height = Int(exactly: height) else { return nil }
        guard Probe.isPlausible(width: width, height: height) else { return nil }
        return PixelShape.shown((width, height), ratio: format.isMoving ? self["sample_aspect_ratio"]?.string : nil)
    }

    /// The codec's name; nil for ffprobe's placeholders of unknown codecs.
    fileprivate var codec: String? {
        guard let name = self["codec_name"]?.string, name != "unknown", name != "none" else { return nil }
        let isName = (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName ? name : nil
    }

    fileprivate var isDecodable: Bool { codec.map(FFmpegArguments.canDecode) ?? false }

    /// ffmpeg's number of the track.
    fileprivate var track: Int? { self["index"]?.number?.int64.flatMap { (0..<64).contains($0) ? Int($0) : nil } }

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
