#include "engine/record/LogScanner.h"

#include <QtTest>

#include <random>

using namespace ringmaster;
using namespace std::string_literals;

namespace {

using Found = LogScanner::Found;

/// Output of workers in chunks, as an agent records them.
class Output
{
public:
    Output& add(const std::string& bytes, int rank = 0, Stream stream = Stream::Stdout)
    {
        std::string& file = m_files[{rank, stream}];
        m_chunks.push_back({++m_cursor,
                            {static_cast<std::int64_t>(m_cursor), 0},
                            0,
                            rank,
                            stream,
                            file.size(),
                            bytes});
        file += bytes;
        return *this;
    }

    /// In chunks of that length.
    Output& addCut(const std::string& bytes, size_t length, int rank = 0)
    {
        for (size_t at = 0; at < bytes.size(); at += length)
            add(bytes.substr(at, length), rank);
        return *this;
    }

    const std::vector<LogChunk>& chunks() const { return m_chunks; }
    const std::map<std::pair<int, Stream>, std::string>& files() const { return m_files; }

private:
    std::vector<LogChunk> m_chunks;
    std::map<std::pair<int, Stream>, std::string> m_files;
    std::uint64_t m_cursor = 0;
};

LogScanner scannerFor(const std::string& filter, size_t linesAround = 0)
{
    return LogScanner({.filter = LogFilter::parse(filter).value(),
                       .linesAround = linesAround,
                       .wantsTexts = true});
}

/// All that is found when so many chunks are given at once.
std::vector<Found> search(LogScanner scanner, const Output& output, size_t atOnce = 1000)
{
    std::vector<Found> all;
    const auto take = [&](std::vector<Found> found) {
        std::ranges::move(found, std::back_inserter(all));
    };
    const std::span chunks(output.chunks());
    for (size_t at = 0; at < chunks.size(); at += atOnce)
        take(scanner.scan(chunks.subspan(at, std::min(atOnce, chunks.size() - at))));
    take(scanner.finish());
    return all;
}

std::vector<Found> search(const std::string& filter, const Output& output, size_t atOnce = 1000)
{
    return search(scannerFor(filter), output, atOnce);
}

/// "rank:number text", and a minus for lines that only stand around a match.
QStringList listed(const std::vector<Found>& found)
{
    QStringList lines;
    for (const Found& one : found)
        lines << QStringLiteral("%1%2%3 %4")
                     .arg(one.place.globalRank)
                     .arg(one.place.isMatch ? QLatin1Char(':') : QLatin1Char('-'))
                     .arg(one.place.number)
                     .arg(QString::fromStdString(shownText(one.bytes, 100)));
    return lines;
}

/// The same by looking at each line alone.
QStringList listedOneByOne(const LogFilter& filter, const Output& output)
{
    QStringList lines;
    for (const auto& [key, file] : output.files()) {
        std::istringstream text(file);
        std::string line;
        for (int number = 1; std::getline(text, line); ++number) {
            const std::string shown = shownText(line);
            if (filter.matches({.globalRank = key.first,
                                .stream = key.second,
                                .level = guessLevel(shown),
                                .text = shown}))
                lines << QStringLiteral("%1:%2 %3")
                             .arg(key.first)
                             .arg(number)
                             .arg(QString::fromStdString(shownText(line, 100)));
        }
    }
    lines.sort();
    return lines;
}

std::string numbered(int count)
{
    std::string text;
    for (int i = 1; i <= count; ++i)
        text += "line " + std::to_string(i) + "\n";
    return text;
}

} // namespace

class tst_log_scanner : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhereALineStands()
    {
        Output output;
        output.add("one\ntwo thr").add("other\n", 1).add("ee\nfour\n");
        const auto found = search("three", output);
        QCOMPARE(listed(found), QStringList{"0:2 two three"});
        const LogPlace& place = found.front().place;
        QCOMPARE(place.offset, std::uint64_t(4));
        QCOMPARE(place.length, std::uint64_t(9));
        QCOMPARE(place.cursor, std::uint64_t(1));
        QCOMPARE(place.at.monotonicNs, std::int64_t(1));
    }

    void findsAcrossEveryBorder()
    {
        const std::string text = "begin\nthe needle in it\nend\n";
        for (size_t length = 1; length <= text.size(); ++length) {
            for (size_t atOnce : {size_t(1), size_t(3), size_t(1000)}) {
                Output output;
                output.addCut(text, length);
                for (const char* filter : {"NEEDLE", "/e n.*le/", "needle /^the.*it$/"})
                    QCOMPARE(listed(search(filter, output, atOnce)),
                             QStringList{"0:2 the needle in it"});
            }
        }
    }

    void numbersLinesOfEachWorkerAndStream()
    {
        Output output;
        output.add("a\nx 1\n").add("x 2\n", 1).add("b\nc\nx 3\n").add("x 4\n", 0, Stream::Stderr);
        QCOMPARE(listed(search("x", output)),
                 QStringList({"0:2 x 1", "1:1 x 2", "0:5 x 3", "0:1 x 4"}));
        QCOMPARE(listed(search("x stream:stderr", output)), QStringList{"0:1 x 4"});
        QCOMPARE(listed(search("rank:1", output)), QStringList{"1:1 x 2"});
    }

    void findsWhatIsShown_data()
    {
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("lines");
        const auto row = [](const char* name, const std::string& output, const char* filter,
                            const QStringList& lines) {
            QTest::newRow(name) << QByteArray::fromStdString(output) << filter << lines;
        };
        row("colours between letters", "a\nwa\x1B[31mrn\x1B[0ming\n", "warning", {"0:2 warning"});
        row("what was drawn over", "\r 10%\r 50%\r100%\nend\n", "50%", {});
        row("what was drawn last", "\r 10%\r 50%\r100%\nend\n", "100%", {"0:1 100%"});
        row("windows lines", "done\r\nx\r\n", "/done$/", {"0:1 done"});
        row("not UTF-8",
            "a\xFF"
            "b\nx\n",
            "/a.b/", {"0:1 a\uFFFDb"});
        row("not UTF-8 beside", "\xFE\xFE needle\n", "needle", {"0:1 \uFFFD\uFFFD needle"});
        row("UTF-8", "x\nverlust 損失 0.3\n", "損失", {"0:2 verlust 損失 0.3"});
        row("no newline at the end", "a\nthe end", "end", {"0:2 the end"});
        row("empty lines", "\n\nx\n\n", "/^$/", {"0:1 ", "0:2 ", "0:4 "});
        row("not over a line's end", "ab\ncd\n", "/b\\s*c/", {});
        row("not over a line's end by a class", "ab\ncd\nacd\n", "/a[^x]*d/", {"0:3 acd"});
        row("beginning of the text", "a\nb a\na\n", "/\\Aa/", {"0:1 a", "0:3 a"});
        row("end of the text", "ab\nba\n", "/a\\z/", {"0:2 ba"});
        row("own flags", "a\nb\n", "/(?-m)^b/", {"0:2 b"});
        row("levels", "fine\nWARNING: slow\nValueError: no\n", "level:warning",
            {"0:2 WARNING: slow", "0:3 ValueError: no"});
        row("glog", "I1121 08:00:35.1 7 x] a\nE1121 08:00:35.1 7 x] b\n", "level:error",
            {"0:2 E1121 08:00:35.1 7 x] b"});
        row("all", "a\nb", "", {"0:1 a", "0:2 b"});
    }

    void findsWhatIsShown()
    {
        QFETCH(QByteArray, output);
        QFETCH(QString, filter);
        QFETCH(QStringList, lines);
        for (size_t length : {size_t(1), size_t(4), size_t(1000)}) {
            Output cut;
            cut.addCut(output.toStdString(), length);
            QCOMPARE(listed(search(filter.toStdString(), cut)), lines);
        }
    }

    void findsTheSameAsLineByLine()
    {
        std::mt19937 random(18);
        const std::vector<std::string> words{
            "loss ",   "ERROR ", "warning: ", "step 12",
            "\n",      "\n",     "\r",        "\x1B[31m",
            "\x1B[0m", "日本",   "\xE6\x97",  "\xFF",
            "a",       "\t",     "b\b",       "W1121 08:00:35.1 ",
            "Error: ", " ",      "12",        "\x1B]0;t",
            "\a",      "0.0031", "\n",        std::string("\0", 1)};
        const auto below = [&](size_t limit) { return random() % limit; };
        const QStringList filters{"loss",      "level:error",  "level:warning", "/step \\d+/",
                                  "/s\\b/",    "/日./",        "12 rank:1",     "/^$/",
                                  "/a[^b]*1/", "/(?i)LOSS|x/", "stream:stderr", "/\\Aa/"};
        for (int round = 0; round < 60; ++round) {
            Output output;
            for (int chunk = 0; chunk < 40; ++chunk) {
                std::string bytes;
                for (size_t word = below(12); word > 0; --word)
                    bytes += words[below(words.size())];
                output.add(bytes, static_cast<int>(below(2)),
                           below(2) == 0 ? Stream::Stdout : Stream::Stderr);
            }
            for (const QString& text : filters) {
                const LogFilter filter = LogFilter::parse(text.toStdString()).value();
                QStringList lines = listed(search(text.toStdString(), output, 1 + below(9)));
                lines.sort();
                const QStringList expected = listedOneByOne(filter, output);
                QVERIFY2(lines == expected,
                         qPrintable(text + QStringLiteral("\nfound:\n") +
                                    lines.join(QLatin1Char('\n')) + QStringLiteral("\nnot:\n") +
                                    expected.join(QLatin1Char('\n'))));
            }
        }
    }

    void findsInVeryLongLines()
    {
        const size_t length = IsSanitized ? 5U << 20U : 20U << 20U;
        std::string line(length, 'x');
        line.replace(length / 2 - 3, 6, "needle"); // astride of pieces
        Output output;
        output.addCut("first\n" + line + "\nlast needle\n", 1U << 20U);
        const auto found = search("needle", output, 2);
        QCOMPARE(found.size(), size_t(2));
        QCOMPARE(found[0].place.number, std::uint64_t(2));
        QCOMPARE(found[0].place.offset, std::uint64_t(6));
        QCOMPARE(found[1].place.number, std::uint64_t(3));
        QCOMPARE(listed({found[1]}), QStringList{"0:3 last needle"});
    }

    void findsAnOpenLineOnce()
    {
        Output output;
        output.add("one\nPassword").add(" please\nPassword again\n");
        LogScanner scanner = scannerFor("password");
        const std::span chunks(output.chunks());
        QVERIFY(scanner.scan(chunks.first(1)).empty());
        QCOMPARE(listed(scanner.scanOpenLines()), QStringList{"0:2 Password"});
        QVERIFY(scanner.scanOpenLines().empty());
        QCOMPARE(listed(scanner.scan(chunks.subspan(1))), QStringList{"0:3 Password again"});
        QVERIFY(scanner.finish().empty());
        QCOMPARE(scanner.matches(), std::uint64_t(2));
    }

    void doesNotJoinAcrossMissingBytes()
    {
        std::vector<LogChunk> chunks{{1, {}, 0, 0, Stream::Stdout, 0, "half"},
                                     {2, {}, 0, 0, Stream::Stdout, 100, "other\nhalf\n"}};
        LogScanner scanner = scannerFor("half");
        QCOMPARE(listed(scanner.scan(chunks)), QStringList({"0:1 half", "0:3 half"}));
        LogScanner joined = scannerFor("/halfother/");
        QVERIFY(joined.scan(chunks).empty());
    }

    void goesOnBehindAFileThatIsGone()
    {
        std::vector<LogChunk> chunks{{1, {}, 0, 0, Stream::Stdout, 0, ""},
                                     {2, {}, 0, 0, Stream::Stdout, 10, ""},
                                     {3, {}, 0, 1, Stream::Stdout, 0, "half\n"}};
        LogScanner scanner = scannerFor("");
        QCOMPARE(listed(scanner.scan(chunks)), QStringList{"1:1 half"});
        QVERIFY(scanner.finish().empty());
    }

    void showsLinesAroundAMatch_data()
    {
        QTest::addColumn<size_t>("length");
        for (size_t length : {1, 5, 6, 7, 13, 1000})
            QTest::addRow("chunks of %zu", length) << length;
    }

    void showsLinesAroundAMatch()
    {
        QFETCH(size_t, length);
        Output output;
        output.addCut(numbered(40) + "line 10 and no end", length);
        const QStringList expected{
            "0-8 line 8",   "0-9 line 9",   "0:10 line 10", "0-11 line 11",
            "0-12 line 12", "0-39 line 39", "0-40 line 40", "0:41 line 10 and no end"};
        for (size_t atOnce : {size_t(1), size_t(4), size_t(1000)})
            QCOMPARE(listed(search(scannerFor("\"line 10\"", 2), output, atOnce)), expected);
    }

    void putsNoLineOutTwice()
    {
        Output output;
        output.addCut(numbered(9), 5);
        for (size_t atOnce : {size_t(1), size_t(2), size_t(1000)})
            QCOMPARE(listed(search(scannerFor("/line [2457]/", 1), output, atOnce)),
                     QStringList({"0-1 line 1", "0:2 line 2", "0-3 line 3", "0:4 line 4",
                                  "0:5 line 5", "0-6 line 6", "0:7 line 7", "0-8 line 8"}));
    }

    void keepsTheLinesOfAWorkerTogether()
    {
        Output output;
        output.add("a\nx\n").add("b\n", 1).add("c\n").add("x\n", 1);
        QCOMPARE(listed(search(scannerFor("x", 1), output)),
                 QStringList({"0-1 a", "0:2 x", "0-3 c", "1-1 b", "1:2 x"}));
    }
};

QTEST_GUILESS_MAIN(tst_log_scanner)
#include "tst_log_scanner.moc"
