import Postgres

/// A member of the document that an account is exported as: the rows of a table, or items with the rows of their versions.
public struct ExportSection: Sendable {
    /// What makes rows of one item a part of it.
    struct Item {
        /// The rows' column with the item's id.
        let id: String
        /// The item as JSON, asked for with the first of its rows `t`.
        let json: String
        /// Where its file `f` in the store comes from; nil where items have none.
        var file: String?
    }

    /// A column that a page may begin at.
    struct Key {
        let column: String
        let type: String
        /// No value is lower.
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
    public let name: String
    /// The tables whose rows it has.
    public let tables: [String]
    /// Whether it is one object, and no array.
    public let isSingle: Bool
    let keys: [Key]
    let statement: Statement

    /// The rows of `tables[0]`, called `t`, in the order of a key that begins with the user. `members` are names and expressions; `bytes` is about how
    /// large a row's JSON is, where rows may be large. What `condition` does not hold for is left out.
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

    /// The first page begins here.
    var beginning: [Parameter] { keys.map { .text($0.lowest) } }

    /// The text of a JSON object, without a blank between its parts. What is JSON already is taken byte for byte.
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

    /// A page ends before the first row that is not within its limits; that row tells where the next one begins. Large values are only read of
    /// rows within. See `ExportPage` for the columns.
    ///
    /// $1 user, $2 rows at most, $3 bytes at most (a first row comes whatever its size), from $4 on the key of the first row.
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

    /// The item's id and, with the first of its rows, the item. Then its file.
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
