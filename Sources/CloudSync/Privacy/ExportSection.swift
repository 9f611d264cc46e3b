import Postgres

/// A member of the document of an exported account: the rows of a table, or items with their versions.
package struct ExportSection: Sendable {
    /// Groups the rows of a section by item.
    struct Item {
        /// The rows' column with the item's id.
        let id: String
        /// The item as JSON; read with its first row `t`.
        let json: String
        /// The SQL that joins the item's file `f`; nil if items have no files.
        var file: String?
    }

    /// A column of the key that pages are ordered by.
    struct Key {
        let column: String
        let type: String
        /// The lowest possible value.
        let lowest: String

        static func uuid(_ column: String) -> Key {
            Key(column: column, type: "uuid", lowest: "00000000-0000-0000-0000-000000000000")
        }
        static func text(_ column: String) -> Key { Key(column: column, type: "text", lowest: "") }
        static func bytes(_ column: String) -> Key { Key(column: column, type: "bytea", lowest: "\\x") }
        static func int(_ column: String) -> Key { Key(column: column, type: "integer", lowest: "0") }
        static func time(_ column: String) -> Key { Key(column: column, type: "timestamptz", lowest: "-infinity") }
        static func day(_ column: String) -> Key { Key(column: column, type: "date", lowest: "-infinity") }
    }

    /// The member's name.
    package let name: String
    /// The tables that it exports.
    package let tables: [String]
    /// True if it is one object, not an array.
    package let isSingle: Bool
    let keys: [Key]
    let statement: Statement

    /// Exports the rows of `tables[0]`, named `t`, ordered by a key that begins with the user. `members` are names and
    /// expressions. `bytes` estimates the size of a row's JSON, for tables with large rows. `condition` filters the
    /// rows.
    init(
        _ name: String,
        of tables: String...,
        by keys: [Key],
        owner: String = "user_id",
        columns: String = "t.*",
        bytes: String = "0",
        where condition: String = "true",
        item: Item? = nil,
        isSingle: Bool = false,
        _ members: [(name: String, value: String)]
    ) {
        self.name = name
        self.tables = tables
        self.keys = keys
        self.isSingle = isSingle
        let source = Source(
            table: tables.first ?? "",
            keys: keys,
            owner: owner,
            columns: columns,
            bytes: bytes,
            condition: condition
        )
        statement = Statement(Self.page(source, item, json: Self.object(members)))
    }

    /// The key of the first page.
    var beginning: [Parameter] { keys.map { .text($0.lowest) } }

    /// The SQL text of a JSON object without white space. JSON values are copied byte for byte.
    static func object(_ members: [(name: String, value: String)]) -> String {
        let texts = members.map { "'\"\($0.name)\":' || coalesce(to_json(\($0.value))::text, 'null')" }
        return "'{' || " + texts.joined(separator: " || ',' || ") + " || '}'"
    }

    private struct Source {
        let table: String
        let keys: [Key]
        let owner: String
        let columns: String
        let bytes: String
        let condition: String

        func list(_ text: (Int, Key) -> String) -> String { keys.enumerated().map(text).joined(separator: ", ") }
    }

    /// A page ends before the first row beyond its limits; the key of that row begins the next page. Large values are
    /// read only of rows within the page. See `ExportPage` for the columns.
    ///
    /// $1 user, $2 limit of rows, $3 limit of bytes (a page always has its first row), from $4 on the key of the first
    /// row.
    private static func page(_ source: Source, _ item: Item?, json: String) -> String {
        let key = source.list { _, key in "t.\(key.column)" }
        let from = source.list { index, key in "$\(index + 4)::\(key.type)" }
        let shown = (0..<ExportPage.keysMax).map {
            source.keys.count > $0 ? "t.\(source.keys[$0].column)::text" : "NULL"
        }
        return """
            SELECT t.is_within, \(shown.joined(separator: ", ")), CASE WHEN t.is_within THEN \(json) END, \(itemColumns(item, source))
            FROM (
                SELECT *, row_number() OVER before <= $2::int AND coalesce(sum(t.row_bytes) OVER before, 0) < $3::int AS is_within
                FROM (
                    SELECT \(source.columns), \(source.bytes) AS row_bytes FROM \(source.table) t
                    WHERE t.\(source.owner) = $1::uuid AND (\(key)) >= (\(from)) AND \(source.condition)
                    ORDER BY \(key) LIMIT $2::int + 1
                ) t
                WINDOW before AS (ORDER BY \(key) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            ) t \(item?.file ?? "")
            ORDER BY \(key)
            """
    }

    /// The item's id, the item with its first row, and its file.
    private static func itemColumns(_ item: Item?, _ source: Source) -> String {
        guard let item, let last = source.keys.last?.column else { return "NULL, NULL, \(noFile)" }
        let isFirst = """
            NOT EXISTS (SELECT FROM \(source.table) b
                WHERE b.user_id = t.user_id AND b.\(item.id) = t.\(item.id) AND b.\(last) < t.\(last))
            """
        return """
            t.\(item.id)::text, CASE WHEN t.is_within AND \(isFirst) THEN \(item.json) END, \(item.file == nil ? noFile : fileColumns)
            """
    }

    private static let noFile = "NULL, NULL, NULL, NULL, NULL, NULL"
    private static let fileColumns =
        "f.object_key, f.content_type, f.filename, f.is_encrypted, f.has_thumbnail, f.has_preview"
}
