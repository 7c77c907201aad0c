#include "engine/control/CommandFrames.h"

#include <QtTest>

using namespace ringmaster;

namespace {

/// Of the bytes, given in pieces of so many.
Result<CommandRequest> received(const std::string& bytes, std::size_t piece)
{
    CommandFrameReader frames;
    CommandRequestReader request;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        frames.add(std::string_view(bytes).substr(at, piece));
        while (auto frame = RM_TRY(frames.next()))
            if (RM_TRY(request.take(*std::move(frame))))
                return request.request();
    }
    return fail(Code{});
}

std::string header(int kind, const char* size)
{
    return std::string(1, static_cast<char>(kind)) + std::string(size, 4);
}

} // namespace

Q_DECLARE_METATYPE(ringmaster::CommandRequest)

class tst_command_frames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRequestArrivesAsItWasSent_data()
    {
        QTest::addColumn<int>("piece");
        QTest::addRow("byte by byte") << 1;
        QTest::addRow("in odd pieces") << 7919;
        QTest::addRow("at once") << 1'000'000;
    }

    void aRequestArrivesAsItWasSent()
    {
        QFETCH(int, piece);
        const CommandRequest request{
            .words = {"logs", "", "--grep", "two words\n", "ж"},
            .folder = "/home/ring/project",
            .input = std::string(200'000, 'x') + std::string(1, '\0') + "end",
            .terminal = {.hasOutput = true, .hasColour = true, .columns = 211, .rows = 50}};
        const auto bytes = encoded(request);
        QVERIFY(bytes);
        const auto got = received(*bytes, static_cast<std::size_t>(piece));
        QVERIFY(got);
        QCOMPARE(got->words, request.words);
        QCOMPARE(got->folder, request.folder);
        QVERIFY(got->input == request.input);
        QVERIFY(got->terminal == request.terminal);
    }

    void whatIsTooLargeIsRefusedWhereItIsSent_data()
    {
        QTest::addColumn<CommandRequest>("request");
        QTest::addRow("a word") << CommandRequest{
            .words = {std::string(CommandFrame::LargestBody + 1, 'x')}};
        QTest::addRow("many words")
            << CommandRequest{.words = std::vector<std::string>(CommandRequest::MostWords + 1)};
        QTest::addRow("the input")
            << CommandRequest{.input = std::string(CommandRequest::MostBytes + 1, 'x')};
        QTest::addRow("a zero byte") << CommandRequest{.words = {std::string(1, '\0')}};
    }

    void whatIsTooLargeIsRefusedWhereItIsSent()
    {
        QFETCH(CommandRequest, request);
        QVERIFY(!encoded(request));
    }

    void whatIsNoFrameIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const std::string& bytes) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(bytes);
        };
        row("an unknown kind", header(99, "\0\0\0\0"));
        row("a length beyond the limit", header(1, "\0\1\0\1"));
        row("the largest length", header(1, "\xff\xff\xff\xff"));
        row("an answer", encoded(CommandFrame::Kind::Output, "text"));
        row("a terminal without size", encoded(CommandFrame::Kind::Terminal, "1 1 1 0 24"));
        row("a terminal of words", encoded(CommandFrame::Kind::Terminal, "yes"));
        row("a word with a zero byte",
            encoded(CommandFrame::Kind::Word, std::string_view("a\0b", 3)));
        std::string words;
        for (std::size_t i = 0; i <= CommandRequest::MostWords; ++i)
            words += encoded(CommandFrame::Kind::Word, "w");
        row("too many words", words);
        std::string input;
        for (std::size_t size = 0;
             size <= CommandRequest::MostBytes + 2 * CommandFrame::LargestBody;
             size += CommandFrame::LargestBody)
            input +=
                encoded(CommandFrame::Kind::Input, std::string(CommandFrame::LargestBody, 'x'));
        row("too much input", input);
    }

    void whatIsNoFrameIsRefused()
    {
        QFETCH(QByteArray, bytes);
        const auto got = received(bytes.toStdString(), 100'000);
        QVERIFY(!got);
        QVERIFY2(describe(got.error()).find("command") != std::string::npos,
                 describe(got.error()).c_str());
    }

    void anExitIsANumberThatAProcessCanHave()
    {
        QCOMPARE(exitCodeIn("0"), std::optional(0));
        QCOMPARE(exitCodeIn("255"), std::optional(255));
        QCOMPARE(exitCodeIn("-9"), std::optional(-9));
        for (const char* text : {"", "256", "-256", "1 ", "x", "1x", "99999999999999999999"})
            QVERIFY2(!exitCodeIn(text), text);
    }
};

QTEST_GUILESS_MAIN(tst_command_frames)
#include "tst_command_frames.moc"
