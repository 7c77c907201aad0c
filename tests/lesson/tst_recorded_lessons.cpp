#include "engine/lesson/Codes.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/Questions.h"
#include "engine/lesson/Recording.h"
#include "engine/text/Codes.h"
#include "tests/lesson/RecordedHang.h"

#include <QtTest>

using namespace ringmaster;
using lesson::Pack;
using lesson::RecordedJob;
using std::chrono::microseconds;
using test::enters;
using test::hang;
using test::leaves;
using test::pack;
using Happening = RecordedJob::Happening;

namespace {

lesson::PackResult parsed(const std::string& text)
{
    return lesson::parsePack(text, [](const std::string&) -> Result<std::string> {
        return fail(code::PackProgramOutside);
    });
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const size_t at = text.find(from);
    return at == std::string::npos ? std::string() : text.replace(at, from.size(), to);
}

} // namespace

/// A lesson that holds what was recorded of a job instead of a program.
class tst_recorded_lessons : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isReadAsItWasWritten()
    {
        Pack written = pack();
        // An asynchronous one that is waited for, one that failed, one that was killed.
        auto& happenings = written.recording->happenings;
        Happening request = enters(2, 2, 100, 40);
        request.operation.operation = "irecv";
        request.operation.isAsync = true;
        request.operation.peer = 5;
        request.operation.tag = 7;
        request.operation.reduction.clear();
        std::swap(request.operation.inputs, request.operation.outputs);
        happenings.push_back(request);
        happenings.push_back({.kind = Happening::Kind::Waits,
                              .rank = 2,
                              .at = microseconds(120),
                              .call = 2,
                              .hasFailed = true});
        happenings.push_back({.kind = Happening::Kind::Exits,
                              .rank = 2,
                              .at = microseconds(130),
                              .exit = {.signal = 9}});
        const auto read = parsed(lesson::packTextOf(written));
        if (!read)
            for (const Finding& finding : read.error())
                qWarning("%s", describe(finding).c_str());
        QVERIFY(read.has_value());
        QCOMPARE(read->recording->happenings.size(), written.recording->happenings.size());
        for (size_t i = 0; i < happenings.size(); ++i)
            QVERIFY2(read->recording->happenings[i] == happenings[i], std::to_string(i).c_str());
        QVERIFY(read->recording->verdict == written.recording->verdict);
        QVERIFY(*read == written);
    }

    /// With the numbers that the verdict speaks of, and nobody waited for who isn't shown.
    void showsWhoWaitsForWhom()
    {
        const lesson::Recording recording = lesson::recordingOf(hang());
        QCOMPARE(recording.size(), size_t(8));
        const lesson::State& end = recording.latest();
        const auto& collectives = end.calls().collectives();
        QCOMPARE(collectives.back().number, std::uint64_t(128));
        QCOMPARE(collectives.back().missing(), (std::vector<int>{2}));
        QCOMPARE(end.rank(0).line, 31);
        QVERIFY(end.calls().isBlocked(0) && end.calls().isBlocked(5));
        QVERIFY(!end.calls().isBlocked(2));
        QVERIFY(end.rank(1).phase == lesson::RankState::Phase::NotStarted);
        // One step back and forth gives the same.
        QCOMPARE(recording.stateAt(0).calls().collectives().back().number, std::uint64_t(127));
        QCOMPARE(recording.stateAt(7).calls().collectives().back().number, std::uint64_t(128));
        QCOMPARE(recording.lanes().timeOf(7), std::int64_t(95'000));
        QVERIFY(recording.latest().calls().disagreements().empty());
    }

    void theVerdictAnswersTheQuestion()
    {
        const lesson::Recording recording = lesson::recordingOf(hang());
        const auto asked = lesson::ask(pack().questions.front(), recording);
        QVERIFY(asked.has_value());
        QCOMPARE(asked->choices.at(asked->right).ranks, (std::vector<int>{2}));
        QCOMPARE(asked->choices.size(), size_t(4)); // each of three, and all
        // Before anybody waits where rank 2 doesn't come.
        QCOMPARE(asked->askedAt, size_t(5));
        QCOMPARE(asked->answeredAt, size_t(7));
        QCOMPARE(recording.judgements().front().step, size_t(8));
    }

    void aRequestThatIsOverLeavesTheCallThatItsRankIsIn()
    {
        RecordedJob job = hang();
        Happening request = enters(2, 2, 100);
        request.operation.isAsync = true;
        job.happenings.push_back(request);
        Happening barrier = enters(2, 3, 110);
        barrier.operation.operation = "barrier";
        job.happenings.push_back(barrier);
        job.happenings.push_back(leaves(2, 2, 120));
        const lesson::Recording recording = lesson::recordingOf(job);
        const lesson::State& end = recording.latest();
        QVERIFY(end.rank(2).phase == lesson::RankState::Phase::InCall);
        QCOMPARE(end.rank(2).call.operation, std::string("barrier"));
        QCOMPARE(end.calls().callOf(2)->operation, std::string("barrier"));
        QVERIFY(end.calls().requestsOf(2).empty());
    }

    void namesWhatDoesntFit_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<std::uint32_t>("code");
        const auto row = [](const char* name, const char* from, const char* to, Code code) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to)
                                << static_cast<std::uint32_t>(code);
        };
        row("a program", "format = 1\n", "format = 1\nsource = \"a = 1\"\n", code::PackRunsNothing);
        row("ranks to run on", "format = 1\n", "format = 1\nranks = 3\n", code::PackRunsNothing);
        row("another question", "kind = \"guilty\"", "kind = \"deadlock\"", code::PackOnlyGuilty);
        row("ranks in disorder", "ranks = [0, 2, 5]", "ranks = [0, 5, 2]",
            code::PackRecordingRanks);
        row("a rank twice", "ranks = [0, 2, 5]", "ranks = [0, 2, 2, 5]", code::PackRecordingRanks);
        row("too many ranks", "ranks = [0, 2, 5]", "ranks = [0, 1, 2, 3, 4, 5, 6, 7, 8]",
            code::PackRecordingRanks);
        row("a rank outside", "world_size = 6", "world_size = 5", code::PackRecordingRanks);
        row("a world too large", "world_size = 6", "world_size = 2000000", code::PackNumberOutside);
        row("a hidden rank calls", "{ rank = 5, at = 30", "{ rank = 4, at = 30",
            code::PackRankNotShown);
        row("a hidden rank is a member", "members = [0, 2, 5]", "members = [0, 1, 2, 5]",
            code::PackRankNotShown);
        row("a hidden rank is guilty", "guilty = [2]", "guilty = [3]", code::PackRankNotShown);
        row("nobody is guilty", "guilty = [2]", "guilty = []", code::PackKeyMissing);
        row("a call comes twice", "at = 80, does = \"calls\", call = 2",
            "at = 80, does = \"calls\", call = 1", code::PackCallOutOfOrder);
        row("what nobody called is over", "does = \"returns\", call = 1",
            "does = \"returns\", call = 9", code::PackNoOpenCall);
        row("a call is waited for", "does = \"returns\", call = 1", "does = \"waits\", call = 1",
            code::PackNoOpenCall);
        row("it does something else", "does = \"returns\"", "does = \"jumps\"",
            code::PackNoSuchChoice);
        row("time goes back", "at = 30", "at = -30", code::JobFileWrongType);
        row("a statement of tomorrow", "code = \"HangIdle\"", "code = \"HangOnMars\"",
            code::PackNoSuchStatement);
        row("a line before the first", "first = 30", "first = 0", code::PackNumberOutside);
        row("no verdict", "kind = \"hang\"", "kind = \"fine\"", code::PackNoSuchChoice);
        row("an unknown key", "world_size", "word_size", code::JobFileUnknownKeyNearest);
    }

    void namesWhatDoesntFit()
    {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const std::uint32_t, code);
        const std::string text =
            replaced(lesson::packTextOf(pack()), from.toStdString(), to.toStdString());
        QVERIFY2(!text.empty(), from.constData());
        const auto read = parsed(text);
        QVERIFY(!read.has_value());
        const auto found = std::ranges::find_if(read.error(), [&](const Finding& finding) {
            return finding.message.code == Code(code);
        });
        QVERIFY2(found != read.error().end(), describe(read.error().front()).c_str());
        QVERIFY(found->place.line > 0);
    }

    void isBounded()
    {
        Pack large = pack();
        std::vector<Happening>& happenings = large.recording->happenings;
        for (int i = 0; happenings.size() <= RecordedJob::MostHappenings; ++i)
            happenings.push_back({.kind = Happening::Kind::Exits, .rank = 0});
        QVERIFY(!parsed(lesson::packTextOf(large)).has_value());
        happenings.resize(RecordedJob::MostHappenings);
        QVERIFY(parsed(lesson::packTextOf(large)).has_value());
        happenings.clear();
        QVERIFY(!parsed(lesson::packTextOf(large)).has_value());
    }

    void onlyARecordingKnowsWhoIsGuilty()
    {
        const auto read = parsed("format = 1\nname = \"x\"\nsource = \"a = 1\"\n"
                                 "title = {en = \"a\", ja = \"b\"}\n"
                                 "text = {en = \"a\", ja = \"b\"}\n"
                                 "mistake = {en = \"a\", ja = \"b\"}\n"
                                 "[[question]]\nkind = \"guilty\"\n"
                                 "text = {en = \"a\", ja = \"b\"}\n");
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().size(), size_t(1));
        QVERIFY(read.error().front().message.code == code::PackNeedsRecording);
        QCOMPARE(read.error().front().place.line, 8);
    }
};

QTEST_GUILESS_MAIN(tst_recorded_lessons)
#include "tst_recorded_lessons.moc"
