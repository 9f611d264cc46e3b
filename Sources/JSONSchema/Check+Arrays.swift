import NeuroViewsJSON

extension Check {
    mutating func checkArray(_ keyword: Keyword, _ items: [JSONValue]) {
        switch keyword {
        case .minItems(let minimum):
            if items.count < minimum {
                report("minItems", "must have at least \(Phrase.items(minimum)), has \(items.count)")
            }
        case .maxItems(let maximum):
            if items.count > maximum {
                report("maxItems", "must have at most \(Phrase.items(maximum)), has \(items.count)")
            }
        case .uniqueItems: checkUnique(items)
        case .prefixItems(let nodes):
            for (index, (node, item)) in zip(nodes, items).enumerated() {
                apply(node, toItem: index, item, via: "prefixItems")
            }
        case .items(let node, let prefix): checkItems(node, items, from: prefix)
        case .contains(let node, let minimum, let maximum): checkContains(node, minimum, maximum, items)
        default: break
        }
    }

    private mutating func checkItems(_ node: Node, _ items: [JSONValue], from start: Int) {
        for index in items.indices.dropFirst(start) {
            if isFull { return }
            apply(node, toItem: index, items[index], via: "items")
        }
    }

    private mutating func checkUnique(_ items: [JSONValue]) {
        var seen: [JSONValue: Int] = [:]
        for (index, item) in items.enumerated() {
            if let first = seen.updateValue(index, forKey: item) {
                return report("uniqueItems", "must have unique items, items \(first) and \(index) are equal")
            }
        }
    }

    private mutating func checkContains(_ node: Node, _ minimum: Int, _ maximum: Int?, _ items: [JSONValue]) {
        let matches = items.count { Check.accepts($0, node) }
        if matches < minimum {
            let keyword = minimum == 1 ? "contains" : "minContains"
            report(keyword, "must have at least \(Phrase.items(minimum)) of the required kind, has \(matches)")
        }
        if let maximum, matches > maximum {
            report("maxContains", "must have at most \(Phrase.items(maximum)) of the limited kind, has \(matches)")
        }
    }
}
