import NeuroViewsJSON

extension Check {
    mutating func checkNumber(_ keyword: Keyword, _ number: JSONNumber) {
        switch keyword {
        case .minimum(let bound):
            if number.decimal < bound.decimal { reportBound("minimum", "at least", bound, number) }
        case .maximum(let bound):
            if bound.decimal < number.decimal { reportBound("maximum", "at most", bound, number) }
        case .exclusiveMinimum(let bound):
            if number.decimal <= bound.decimal { reportBound("exclusiveMinimum", "above", bound, number) }
        case .exclusiveMaximum(let bound):
            if bound.decimal <= number.decimal { reportBound("exclusiveMaximum", "below", bound, number) }
        case .multipleOf(let divisor):
            if !number.isMultiple(of: divisor.number) {
                reportBound("multipleOf", "a multiple of", divisor, number)
            }
        default: break
        }
    }

    private mutating func reportBound(_ keyword: String, _ relation: String, _ bound: Bound, _ number: JSONNumber) {
        report(keyword, "must be \(relation) \(bound.number.literal), is \(Phrase.echo(number))")
    }

    mutating func checkString(_ keyword: Keyword, _ string: String) {
        switch keyword {
        case .minLength(let minimum):
            // No string has more characters than bytes, nor fewer than a quarter of them.
            if string.utf8.count / 4 >= minimum { return }
            let count = string.unicodeScalars.count
            if count < minimum {
                report("minLength", "must have at least \(Phrase.characters(minimum)), has \(count)")
            }
        case .maxLength(let maximum):
            if string.utf8.count <= maximum { return }
            let count = string.unicodeScalars.count
            if count > maximum {
                report("maxLength", "must have at most \(Phrase.characters(maximum)), has \(count)")
            }
        case .format(let format):
            if !format.accepts(string) { report("format", "must be \(format.phrase)") }
        default: break
        }
    }
}
