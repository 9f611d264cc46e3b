import TestSupport
import Testing

@testable import neuroviews

@Suite("The table of commands", .blocking)
struct CatalogueTests {
    @Test("A flag takes a value in all commands or in none, and is repeatable in all or in none")
    func flags() {
        let options = CommandOption.general + Catalogue.all.flatMap(\.options)
        for (flag, same) in Dictionary(grouping: options, by: \.flag) {
            #expect(Set(same.map { $0.value == nil }).count == 1, "\(flag)")
            #expect(Set(same.map(\.isRepeatable)).count == 1, "\(flag)")
        }
    }

    @Test("Each form begins with its command and names only options of it", arguments: Catalogue.all.map(\.name))
    func forms(name: String) throws {
        let entry = try #require(Catalogue.entry(name))
        for form in entry.forms {
            #expect(form == name || form.hasPrefix(name + " "))
            let flags = form.split(whereSeparator: { " []|".contains($0) }).filter { $0.hasPrefix("--") && $0 != "--" }
            for flag in flags { #expect(entry.allOptions.contains { $0.flag == flag }, "\(flag)") }
        }
        for option in entry.options { #expect(entry.forms.contains { $0.contains(option.flag) }, "\(option.flag)") }
    }

    @Test("The help of a command has each of its options", arguments: Catalogue.shown.map(\.name))
    func help(name: String) throws {
        let entry = try #require(Catalogue.entry(name))
        let help = HelpText.text(of: entry)
        for option in entry.allOptions { #expect(help.contains("  " + HelpText.form(option) + "  ")) }
        #expect(HelpText.overview.contains("  \(name) "))
    }

    @Test("The help and the man page name the columns of each table")
    func columns() {
        let tables = Catalogue.shown.filter { !$0.columns.isEmpty }
        let names: Set = ["list", "devices", "consent", "history", "conflicts", "lost", "usage", "upload", "uploads"]
        #expect(names.union(["recordings", "download", "presence", "send"]) == Set(tables.map(\.name)))
        for entry in tables {
            let line = "Columns: \(entry.columns.joined(separator: ", "))."
            #expect(HelpText.text(of: entry).contains(line) && Manual.text.contains(line), "\(entry.name)")
            #expect(entry.columns.filter(\.isEmpty).isEmpty, "\(entry.name)")
        }
    }

    @Test("The man page has every command, option and status, and no line that roff would take for a request")
    func manual() {
        for entry in Catalogue.shown {
            #expect(Manual.text.contains(".SS \(entry.name)\n"))
            for option in entry.allOptions {
                let flag = option.flag.replacing("-", with: "\\-")
                #expect(Manual.text.contains(".B \(flag)"), "\(option.flag)")
            }
        }
        for (status, _) in HelpText.statuses { #expect(Manual.text.contains("\n\(status)\n")) }
        let requests = [".TH", ".nh", ".ad", ".SH", ".B", ".I", ".RI", ".SS", ".nf", ".fi", ".PP", ".TP", ".BR"]
        for line in Manual.text.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
        }
    }
}
