#include "engine/record/LogAssembler.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::string_literals;

namespace {

/// The lines as a view holds them: what comes again replaces.
class View
{
public:
    View()
        : m_assembler([this](const LogLine& line) {
            m_longest = std::max(m_longest, line.text.size());
            m_count += 1;
            m_lines[line.number] = line;
        })
    {
    }

    View& add(const std::string& bytes, int rank = 0, Stream stream = Stream::Stdout,
              int attempt = 0)
    {
        auto& offset = m_offsets[{rank, stream, attempt}];
        m_assembler.add({++m_cursor, {m_moment++, 0}, attempt, rank, stream, offset, bytes});
        offset += bytes.size();
        return *this;
    }

    void skip(std::uint64_t bytes) { m_offsets[{0, Stream::Stdout, 0}] += bytes; }
    void finish() { m_assembler.finish(); }
    void forget() { m_lines.clear(); }

    std::vector<LogLine> lines() const
    {
        std::vector<LogLine> lines;
        for (const auto& [number, line] : m_lines)
            lines.push_back(line);
        return lines;
    }

    QStringList texts() const
    {
        QStringList texts;
        for (const LogLine& line : lines())
            texts << QString::fromStdString(line.text);
        return texts;
    }

    size_t longest() const { return m_longest; }
    size_t count() const { return m_count; }

private:
    LogAssembler m_assembler;
    std::map<std::uint64_t, LogLine> m_lines;
    std::map<std::tuple<int, Stream, int>, std::uint64_t> m_offsets;
    std::uint64_t m_cursor = 0;
    std::int64_t m_moment = 0;
    size_t m_longest = 0;
    size_t m_count = 0;
};

/// The high-water mark of this process.
long peakKilobytes()
{
    QFile status("/proc/self/status");
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = status.readAll();
    const auto at = text.indexOf("VmHWM:");
    return text.mid(at + 6, text.indexOf("kB", at) - at - 6).trimmed().toLong();
}

} // namespace

class tst_log_assembler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhatATerminalWouldShow_data()
    {
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QStringList>("lines");
        const auto row = [](const char* name, const std::string& output, const QStringList& lines) {
            QTest::newRow(name) << QByteArray::fromStdString(output) << lines;
        };
        row("lines", "a\nb\n", {"a", "b"});
        row("empty lines", "\n\na\n", {"", "", "a"});
        row("no newline at the end", "a\nb", {"a", "b"});
        row("windows lines", "a\r\nb\r\n", {"a", "b"});
        row("progress bar", "\r 10%\r 50%\r100%\n", {"100%"});
        row("progress bar, unfinished", "\r 10%\r 50%", {" 50%"});
        row("progress bar, return at the end", " 10%\r 50%\r", {" 50%"});
        row("shorter after a return", "long text\rx\n", {"x"});
        row("backspace", "ab\b\bc\n", {"c"});
        row("backspace over a character", "aé\bb\n", {"ab"});
        row("backspace at the start", "\b\ba\n", {"a"});
        row("tab", "a\tb\n", {"a\tb"});
        row("other controls", "a\0b\x01\x7F"s + "c\n", {"abc"});
        row("colours", "\x1B[1;31mred\x1B[0m\n", {"red"});
        row("window title", "\x1B]0;title\a"s + "a\n", {"a"});
        row("link", "\x1B]8;;http://x\x1B\\text\x1B]8;;\x1B\\\n", {"text"});
        row("character set", "\x1B(Ba\n", {"a"});
        row("single escape",
            "\x1B"
            "7a\x1B"
            "8\n",
            {"a"});
        row("cancelled sequence",
            "\x1B[3\x18"
            "a\n",
            {"a"});
        row("sequence cut by a newline", "a\x1B[3\nb\n", {"a", "b"});
        std::string endless = "\x1B]0;";
        endless.append(5000, 'x').append("a\nb\n");
        row("string without an end", endless, {QString(3 + 5000 - 4096, 'x') + "a", "b"});
        row("UTF-8", "Größe 日本 😀\n", {"Größe 日本 😀"});
        row("C1 controls",
            "a\xC2\x9B"
            "b\n",
            {"ab"});
        row("invalid bytes",
            "a\xFF\xC0"
            "b\n",
            {"a\uFFFD\uFFFDb"});
        row("cut character",
            "a\xE6\x97"
            "b\n",
            {"a\uFFFDb"});
        row("character cut by a newline", "a\xF0\x9F\n", {"a\uFFFD"});
        row("character cut by the end", "a\xF0\x9F", {"a\uFFFD"});
        row("surrogate", "\xED\xA0\x80\n", {"\uFFFD\uFFFD\uFFFD"});
        row("overlong", "\xE0\x80\x80\n", {"\uFFFD\uFFFD\uFFFD"});
        row("above Unicode", "\xF4\x90\x80\x80\n", {"\uFFFD\uFFFD\uFFFD\uFFFD"});
        row("lone continuation",
            "\x80"
            "a\n",
            {"\uFFFDa"});
    }

    void showsWhatATerminalWouldShow()
    {
        QFETCH(QByteArray, output);
        QFETCH(QStringList, lines);
        View whole;
        whole.add(output.toStdString()).finish();
        QCOMPARE(whole.texts(), lines);

        View bytewise;
        for (const char byte : output)
            bytewise.add({byte});
        bytewise.finish();
        QCOMPARE(bytewise.texts(), lines);
    }

    void keepsWorkersStreamsAndAttemptsApart()
    {
        View view;
        view.add("a", 0).add("b", 1).add("c", 0, Stream::Stderr);
        view.add("1\n", 0).add("2\n", 1).add("3\n", 0, Stream::Stderr);
        QCOMPARE(view.texts(), QStringList({"a1", "b2", "c3"}));
        QCOMPARE(view.lines()[1].globalRank, 1);
        QVERIFY(view.lines()[2].stream == Stream::Stderr);
        QCOMPARE(view.lines()[1].cursor, std::uint64_t(2));
        QCOMPARE(view.lines()[1].at.monotonicNs, 1);
    }

    void showsAnOpenLineAndThenReplacesIt()
    {
        View view;
        view.add(" 10%");
        QVERIFY(view.lines().at(0).isOpen);
        view.add("\r 20%");
        QCOMPARE(view.texts(), QStringList({" 20%"}));
        view.add("\n");
        QVERIFY(!view.lines().at(0).isOpen);
        QCOMPARE(view.texts(), QStringList({" 20%"}));
    }

    void closesALineWhenItsWorkerBeginsAnotherAttempt()
    {
        View view;
        view.add("half", 0, Stream::Stdout, 0).add("new\n", 0, Stream::Stdout, 1);
        QCOMPARE(view.texts(), QStringList({"half", "new"}));
        QVERIFY(!view.lines()[0].isOpen);
    }

    void doesNotJoinAcrossMissingBytes()
    {
        View view;
        view.add("half");
        view.skip(100);
        view.add("other\n");
        QCOMPARE(view.texts(), QStringList({"half", "other"}));
    }

    void breaksAVeryLongLineVisibly()
    {
        View view;
        std::string line(LogAssembler::LongestLine, 'x');
        view.add(line.append("yz\n"));
        const auto lines = view.lines();
        QCOMPARE(lines.size(), size_t(2));
        QVERIFY(lines[0].isBroken && !lines[1].isBroken);
        QVERIFY(lines[0].text.size() <= LogAssembler::LongestLine);
        QCOMPARE(lines[0].text.size() + lines[1].text.size(), LogAssembler::LongestLine + 2);
        QVERIFY(lines[1].text.ends_with("xyz"));
    }

    void staysSmallWithoutANewline()
    {
        View view;
        constexpr int Chunks = IsSanitized ? 100 : 1600;
        const std::string chunk(64U << 10U, 'x');
        view.add(chunk).add(chunk);
        view.forget();
        const long before = peakKilobytes();
        for (int i = 0; i < Chunks; ++i) {
            view.add(chunk);
            view.forget();
        }
        QVERIFY(view.count() >= Chunks);
        QVERIFY(view.longest() <= LogAssembler::LongestLine);
        // A sanitizer keeps what was freed.
        QVERIFY2(IsSanitized || peakKilobytes() - before < 4096,
                 "100 MB came through, less than 4 MB stayed");
    }

    void guessesTheLevel_data()
    {
        QTest::addColumn<int>("level");
        const auto row = [](const char* line, LogLevel level) {
            QTest::newRow(line) << static_cast<int>(level);
        };
        using enum LogLevel;
        row("epoch 3 loss 0.25", Info);
        row("Traceback (most recent call last):", Error);
        row("[rank0]: Traceback (most recent call last):", Error);
        row("  File \"a.py\", line 3, in <module>", Info);
        row("ValueError: no", Error);
        row("torch.cuda.OutOfMemoryError: CUDA out of memory", Error);
        row("[rank3]: RuntimeError: no", Error);
        row("KeyboardInterrupt", Error);
        row("AssertionError", Error);
        row("2026-11-21 08:00:35 ERROR trainer: no", Error);
        row("[2026-11-21 08:00:35,123] torch: [WARNING] slow", Warning);
        row("WARNING:root:slow", Warning);
        row("CRITICAL: no", Error);
        row("E1121 08:00:35.123000 77 torch/x.py:1] no", Error);
        row("W1121 08:00:35.123000 77 torch/x.py:1] slow", Warning);
        row("I1121 08:00:35.123000 77 torch/x.py:1] fine", Info);
        row("/usr/lib/x.py:12: FutureWarning: old", Warning);
        row("a.cpp:3:4: error: expected ';'", Error);
        row("ld: warning: x", Warning);
        row("error: no", Error);
        row("Validation error: 0.02", Info);
        row("the error was small", Info);
        row("0 errors, 0 warnings", Info);
        row("computing RMSError", Info);
        row("TERROR and WARNINGS", Info);
    }

    void guessesTheLevel()
    {
        QFETCH(int, level);
        QCOMPARE(static_cast<int>(guessLevel(QTest::currentDataTag())), level);
    }
};

QTEST_GUILESS_MAIN(tst_log_assembler)
#include "tst_log_assembler.moc"
