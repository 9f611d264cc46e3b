extension WriteRule {
    static let all = retries + edits + deletions + revivals

    private static let retries = [
        WriteRule(
            "a POST whose answer was lost",
            [.create("A", .version(1)), .create("A", .version(1))],
            end: "A"
        ),
        WriteRule(
            "POST, lost answer, another device edits, POST again",
            [.create("A", .version(1)), .update("B", edited: 2, by: 2, .version(2)), .create("A", .version(1))],
            end: "B"
        ),
        WriteRule(
            "an old POST again by a device that has written since is no retry",
            [
                .create("A", .version(1)), .update("B", edited: 2, .version(2)),
                .create("A", .conflict(.exists, current: 2)),
            ],
            end: "B",
            losers: ["A"]
        ),
        WriteRule(
            "PUT, lost answer, another device edits with If-Match, PUT again",
            [
                .create("A", .version(1)), .update("B", edited: 2, if: .version(1), .version(2)),
                .update("C", edited: 3, if: .version(2), by: 2, .version(3)),
                .update("B", edited: 2, if: .version(1), .version(2)),
            ],
            end: "C"
        ),
        WriteRule(
            "without If-Match a PUT again is a retry as long as the device has written nothing else",
            [
                .create("A", .version(1)), .update("B", edited: 2, if: .version(1), .version(2)),
                .update("C", edited: 3, if: .version(2), by: 2, .version(3)), .update("B", edited: 2, .version(2)),
            ],
            end: "C"
        ),
        WriteRule(
            "with If-Match a retry is known also after the device has written more",
            [
                .create("A", .version(1)), .update("B", edited: 2, if: .version(1), .version(2)),
                .update("C", edited: 3, if: .version(2), .version(3)),
                .update("B", edited: 2, if: .version(1), .version(2)),
            ],
            end: "C"
        ),
        WriteRule(
            "the same PUT by another device is no retry; while it says what is current, it is answered with that",
            [
                .create("A", .version(1)), .update("B", edited: 2, if: .version(1), .version(2)),
                .update("B", edited: 2, if: .version(1), by: 2, .version(2)),
                .update("C", edited: 3, if: .version(2), .version(3)),
                .update("B", edited: 2, if: .version(1), by: 2, .conflict(.versionMismatch, current: 3)),
            ],
            end: "C"
        ),
        WriteRule(
            "with If-Match: * a PUT again is a retry until the device writes something else",
            [
                .create("A", .version(1)), .update("B", edited: 2, if: .any, .version(2)),
                .update("C", edited: 3, if: .any, by: 2, .version(3)), .update("B", edited: 2, if: .any, .version(2)),
                .update("D", edited: 4, if: .any, .version(4)), .update("B", edited: 2, if: .any, .version(5)),
            ],
            end: "B"
        ),
        WriteRule(
            "who names a version that somebody else has replaced is no retry of the own newest version",
            [
                .create("A", .version(1)), .update("B", edited: 2, if: .version(1), by: 2, .version(2)),
                .update("C", edited: 3, if: .version(2), .version(3)),
                .update("D", edited: 4, if: .version(3), by: 2, .version(4)),
                .update("C", edited: 3, if: .version(1), .conflict(.versionMismatch, current: 4)),
            ],
            end: "D"
        ),
        WriteRule(
            "who names the current version beside one that the same write has replaced writes anew",
            [
                .create("A", .version(1)), .update("B", edited: 2, if: .version(1), .version(2)),
                .update("C", edited: 3, if: .version(2), .version(3)),
                .update("B", edited: 2, if: .versions([1, 3]), .version(4)),
            ],
            end: "B"
        ),
        WriteRule(
            "a PUT of what the same device has POSTed is no retry of the POST",
            [
                .create("A", edited: 5, .version(1)), .update("B", edited: 6, by: 2, .version(2)),
                .update("A", edited: 5, .conflict(.editedLater, current: 2)), .create("A", edited: 5, .version(1)),
            ],
            end: "B",
            losers: ["A"]
        ),
        WriteRule(
            "a base of another history is no base: neither for a retry nor for a write",
            [
                .create("A", .version(1)), .update("B", edited: 2, if: .version(1), .version(2)),
                .update("C", edited: 3, if: .version(2), .version(3)),
                .update("B", edited: 2, if: .foreign(1), .conflict(.versionMismatch, current: 3)),
                .update("D", edited: 4, if: .foreign(3), .conflict(.versionMismatch, current: 3)),
                .delete(if: .foreign(3), .conflict(.versionMismatch, current: 3)),
            ],
            end: "C"
        ),
    ]

    private static let edits = [
        WriteRule(
            "POST of a known id with other content",
            [.create("A", .version(1)), .create("B", edited: 2, .conflict(.exists, current: 1))],
            end: "A",
            losers: ["B"]
        ),
        WriteRule(
            "PUT of what was edited before the stored one",
            [
                .create("A", edited: 9, .version(1)), .update("B", edited: 5, .conflict(.editedLater, current: 1)),
                .update("B", edited: 5, .conflict(.editedLater, current: 1)), .update("C", edited: 10, .version(2)),
            ],
            end: "C",
            losers: ["B"]
        ),
        WriteRule(
            "PUT with If-Match, edited before the stored one",
            [.create("A", edited: 9, .version(1)), .update("B", edited: 5, if: .version(1), .version(2))],
            end: "B"
        ),
        WriteRule(
            "PUT with If-Match of an old version",
            [
                .create("A", .version(1)), .update("B", edited: 2, .version(2)),
                .update("C", edited: 3, if: .version(1), .conflict(.versionMismatch, current: 2)),
            ],
            end: "B"
        ),
        WriteRule(
            "off, on, off by one device are three edits, whatever its clock says",
            [
                .create("new", .version(1)), .update("off", .version(2)), .update("on", .version(3)),
                .update("off", .version(4)), .update("off", .version(4)),
            ],
            end: "off"
        ),
        WriteRule(
            "going back to an old document, edited then, with the current If-Match and without",
            [
                .create("A", .version(1)), .update("B", edited: 2, .version(2)),
                .update("A", .conflict(.editedLater, current: 2)), .update("A", if: .version(2), .version(3)),
                .update("A", if: .version(2), .version(3)),
            ],
            end: "A",
            losers: ["A"]
        ),
        WriteRule(
            "the current document again is answered as the current version, unless If-Match names that",
            [
                .create("A", .version(1)), .update("A", by: 2, .version(1)), .update("A", if: .any, by: 2, .version(1)),
                .update("A", if: .version(1), by: 2, .version(2)), .update("A", if: .version(1), by: 2, .version(2)),
                .update("A", if: .version(1), .version(2)), .update("A", if: .foreign(2), .version(2)),
                .update("A", if: .version(2), by: 2, .version(3)), .update("A", by: 3, .version(3)),
            ],
            end: "A"
        ),
        WriteRule("PUT of an unknown id", [.update("A", .notFound)], end: nil),
        WriteRule(
            "a phone set to 2099 does not win for ever",
            [
                .create("A", .version(1)), .update("B", edited: year2099, .version(2)),
                .update("C", edited: year2099 - 86400, .version(3)),
            ],
            end: "C"
        ),
    ]

    private static let year2099 = 79 * 365 * 86400

    private static let deletions = [
        WriteRule("DELETE of an unknown id", [.delete(.notFound)], end: nil),
        WriteRule(
            "DELETE, and again, by whomever",
            [.create("A", .version(1)), .delete(.version(2)), .delete(.version(2)), .delete(by: 2, .version(2))],
            end: nil
        ),
        WriteRule(
            "DELETE with If-Match of an old version, and of the current one",
            [
                .create("A", .version(1)), .update("B", edited: 2, .version(2)),
                .delete(if: .version(1), .conflict(.versionMismatch, current: 2)),
                .delete(if: .version(2), .version(3)),
            ],
            end: nil
        ),
        WriteRule(
            "a conditional DELETE again, after somebody brought the item back",
            [
                .create("A", .version(1)), .update("B", edited: 2, .version(2)), .delete(if: .version(2), .version(3)),
                .update("C", edited: 3, if: .version(3), .version(4)), .delete(if: .version(2), .version(3)),
                .delete(if: .version(3), .conflict(.versionMismatch, current: 4)),
                .delete(if: .version(1), .conflict(.versionMismatch, current: 4)),
                .delete(if: .version(2), by: 2, .conflict(.versionMismatch, current: 4)),
            ],
            end: "C"
        ),
        WriteRule(
            "a DELETE without If-Match again, after others brought the item back, is a retry",
            [
                .create("A", .version(1)), .delete(.version(2)),
                .update("B", edited: 2, if: .version(2), by: 2, .version(3)),
                .delete(.version(2)), .delete(by: 3, .version(4)),
            ],
            end: nil
        ),
        WriteRule(
            "a day later a DELETE without If-Match is a new one, unless the item is deleted",
            [
                .create("A", .version(1)), .delete(.version(2)),
                .update("B", edited: 2, if: .version(2), by: 2, .version(3)), .delete(.version(2)),
                .delete(.version(4)).after(days: 2), .delete(.version(4)).after(days: 2),
            ],
            end: nil
        ),
        WriteRule(
            "a day later a DELETE without If-Match of an item that others deleted is answered by their deletion",
            [
                .create("A", .version(1)), .delete(.version(2)),
                .update("B", edited: 2, if: .version(2), by: 2, .version(3)), .delete(by: 2, .version(4)),
                .delete(.version(4)).after(days: 2),
            ],
            end: nil
        ),
        WriteRule(
            "a day later a DELETE with If-Match is a retry still",
            [
                .create("A", .version(1)), .delete(if: .version(1), .version(2)),
                .update("B", edited: 2, if: .version(2), by: 2, .version(3)),
                .delete(if: .version(1), .version(2)).after(days: 2),
            ],
            end: "B"
        ),
        WriteRule(
            "a DELETE without If-Match deletes again what the device itself brought back",
            [
                .create("A", .version(1)), .delete(.version(2)), .update("B", edited: 2, if: .version(2), .version(3)),
                .delete(.version(4)),
            ],
            end: nil
        ),
        WriteRule(
            "a DELETE again is answered by the deletion that it made; the current version is deleted anew",
            [
                .create("A", .version(1)), .delete(if: .version(1), .version(2)),
                .update("B", edited: 3, if: .version(2), .version(3)), .delete(if: .version(3), .version(4)),
                .update("C", edited: 4, if: .version(4), .version(5)), .delete(if: .version(1), .version(2)),
                .delete(if: .version(3), .version(4)),
                .delete(if: .foreign(2_147_483_646), .conflict(.versionMismatch, current: 5)),
                .delete(if: .version(5), .version(6)), .delete(if: .version(3), .version(4)), .delete(.version(6)),
            ],
            end: nil
        ),
    ]

    private static let revivals = [
        WriteRule(
            "a year offline, then POST and PUT of an id that another device has deleted",
            [
                .create("A", .version(1)), .delete(by: 2, .version(2)),
                .create("B", edited: 3, .conflict(.deleted, current: 2)),
                .update("C", edited: 4, .conflict(.deleted, current: 2)), .create("A", .version(1)),
            ],
            end: nil,
            losers: ["B", "C"]
        ),
        WriteRule(
            "back to life, with the tombstone's If-Match only",
            [
                .create("A", .version(1)), .delete(.version(2)),
                .update("B", edited: 3, if: .version(1), .conflict(.deleted, current: 2)),
                .update("B", edited: 3, if: .any, .conflict(.deleted, current: 2)),
                .update("B", edited: 3, if: .foreign(2), .conflict(.deleted, current: 2)),
                .update("B", edited: 3, if: .version(2), .version(3)),
            ],
            end: "B",
            losers: ["B"]
        ),
    ]
}
