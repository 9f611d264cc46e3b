/// The bytes `first`, `first + 1`, … `last`.
func ascending(_ first: UInt8, _ last: UInt8) -> [UInt8] { Array(first...last) }
