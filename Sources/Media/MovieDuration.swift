import NeuroViewsJSON

/// The duration of a movie: as its header states it, judged against its tracks. A header may have the mark of an
/// unknown duration (all ones, ISO/IEC 14496-12, 8.2.2), which ffprobe reads as weeks, or nonsense.
enum MovieDuration {
    /// The longest plausible duration: a year.
    private static let maxSeconds = 31_536_000.0
    /// Rounding and the start of sound make smaller differences.
    private static let differenceMaxSeconds = 1.0

    /// Chooses between ffprobe's duration of the file and the ends of its tracks.
    static func seconds(of file: JSONValue?, tracks: [JSONValue]) -> Double? {
        let stated = seconds(file?["duration"])
        guard let end = tracks.compactMap(end).max(), end > 0 else { return stated }
        guard let stated, abs(stated - end) <= min(differenceMaxSeconds, end / 2) else { return end }
        return stated
    }

    /// A track may begin late.
    private static func end(_ track: JSONValue) -> Double? {
        guard let length = seconds(track["duration"]) else { return nil }
        let end = (seconds(track["start_time"]) ?? 0) + length
        return end <= maxSeconds ? end : nil
    }

    /// A time; ffprobe writes it as a string.
    private static func seconds(_ time: JSONValue?) -> Double? {
        guard let seconds = time?.string.flatMap(Double.init), (0...maxSeconds).contains(seconds) else { return nil }
        return seconds
    }
}
