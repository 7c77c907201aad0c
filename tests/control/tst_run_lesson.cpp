#include "LessonOps.h"
#include "engine/base/Clock.h"
#include "engine/base/Files.h"
#include "engine/control/CodeExcerpts.h"
#include "engine/control/Codes.h"
#include "engine/control/RunLesson.h"
#include "engine/diagnose/Codes.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/lesson/Questions.h"
#include "engine/lesson/Recording.h"
#include "engine/record/RunCatalog.h"
#include "engine/record/RunFileWriter.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <fcntl.h>
#include <sys/stat.h>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

/// What is said of rank 1, which waits while 0 and 2 are elsewhere, with a place in its file.
Verdict hang(const std::string& file)
{
    return {.id = 7,
            .kind = Verdict::Kind::Hang,
            .guilty = {1},
            .waiting = {0, 2},
            .sinceNs = 21 * Second,
            .statement = {code::HangIdle,
                          {{"ranks", "0, 2"},
                           {"seconds", "0"},
                           {"since", std::to_string(21 * Second)},
                           {"operation", "all_reduce"},
                           {"number", "21"},
                           {"group", "default"},
                           {"absent", "1"}},
                          {}},
            .evidence = {{code::StandsInLine,
                          {{"rank", "1"},
                           {"function", "load"},
                           {"file", file},
                           {"line", "30"},
                           {"code", "fetch(token='hf_abcdefgh')"}},
                          "Thread 0x1 in /home/ada/job"}}};
}

std::string program()
{
    std::string text;
    for (int line = 1; line <= 40; ++line)
        text += line == 11   ? "api_key = \"sk-live-4711\"\n"
                : line == 12 ? "reduce(x)\n"
                : line == 13 ? "login('hf_abcdefgh')\n"
                : line == 30 ? "fetch(token='hf_abcdefgh')\n"
                             : "line_" + std::to_string(line) + "()\n";
    return text;
}

} // namespace

/// A lesson of a run file, as `ringmaster lesson make` and the dashboard make it.
class tst_run_lesson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        QVERIFY(writeFileAtomically(programFile(), program()).has_value());
        m_folder =
            RunFolder::create(path() / "runs", "demo", AgentRecord::current({}), m_clock.now())
                .value();
        m_writer = RunFileWriter::open(m_folder->runFile(), {.run = m_folder->id()}).value();
        append(RunStarted{.jobFile = "program = 'train.py'\n[environment]\n"
                                     "HF_TOKEN = 'hf_abcdefgh'\n",
                          .name = "demo",
                          .workingFolder = path().string()},
               Second);
        append(AttemptStarted{.worldSize = 3}, 2 * Second);
    }

    void cleanup() { m_writer.reset(); }

    void holdsTheMomentTheLinesAndTheQuestion()
    {
        addOperations();
        append(hang(programFile().string()), 27 * Second);
        const auto made = make();
        QVERIFY2(made.has_value(), made ? "" : describe(made.error()).c_str());
        const lesson::RecordedJob& job = *made->pack.recording;
        QCOMPARE(job.run, m_folder->id());
        QCOMPARE(job.ranks, (std::vector<int>{0, 1, 2}));
        QCOMPARE(job.backend, std::string("gloo"));
        // As it was said then, six seconds after it had begun; no folders of this machine.
        QCOMPARE(job.verdict.statement.parameters.at("seconds"), std::string("6.0"));
        QVERIFY(!job.verdict.statement.parameters.contains("since"));
        QCOMPARE(job.verdict.evidence.front().parameters.at("file"), std::string("train.py"));
        QVERIFY(job.verdict.evidence.front().detail.empty());
        QCOMPARE(job.happenings.front().file, std::string("train.py"));
        // Around where the ranks called, and where rank 1 stands.
        QCOMPARE(job.code.size(), size_t(2));
        QCOMPARE(job.code[0].first, 6);
        QCOMPARE(job.code[1].first, 24);
        QVERIFY(job.code[0].text.find("reduce(x)\n") != std::string::npos);

        const lesson::Recording recording = lesson::recordingOf(job);
        const auto asked = lesson::ask(made->pack.questions.at(0), recording);
        QVERIFY(asked.has_value());
        QCOMPARE(asked->choices.at(asked->right).ranks, (std::vector<int>{1}));
        QCOMPARE(recording.latest().calls().collectives().back().number, std::uint64_t(21));
    }

    void noSecretIsInIt()
    {
        addOperations();
        append(hang(programFile().string()), 27 * Second);
        const auto made = make();
        QVERIFY(made.has_value());
        QCOMPARE(made->maskedNames, (std::vector<std::string>{"HF_TOKEN"}));
        const std::string text = lesson::packTextOf(made->pack);
        for (const char* secret : {"hf_abcdefgh", "sk-live-4711", "/home/ada"})
            QVERIFY2(text.find(secret) == std::string::npos, secret);
        QVERIFY(text.find(path().string()) == std::string::npos);
    }

    void whatIsWrittenOpensAnywhere()
    {
        addOperations();
        append(hang(programFile().string()), 27 * Second);
        const auto made = make();
        const fs::path file = path() / "a.ringlesson";
        QVERIFY(writeFileAtomically(file, lesson::packTextOf(made->pack)).has_value());
        const auto read = lesson::loadPack(file);
        QVERIFY2(read.has_value(), read ? "" : describe(read.error().front()).c_str());
        QVERIFY(*read == made->pack);
    }

    void linesThatWereChangedAreLeftOut()
    {
        addOperations();
        append(hang(programFile().string()), 27 * Second);
        const timespec times[2] = {{.tv_sec = 4'000'000'000, .tv_nsec = 0},
                                   {.tv_sec = 4'000'000'000, .tv_nsec = 0}};
        QCOMPARE(::utimensat(AT_FDCWD, programFile().c_str(), times, 0), 0);
        const auto made = make();
        QVERIFY(made->pack.recording->code.empty());
        QCOMPARE(made->remarks.size(), size_t(1));
        QVERIFY(made->remarks.front().code == code::CodeChanged);
    }

    /// Its file could name any file of whoever opens it.
    void aRunThatSomebodySentReadsNoFiles()
    {
        addOperations();
        append(hang(programFile().string()), 27 * Second);
        append(RunStateChanged{.state = RunState::Stopped}, 30 * Second);
        m_writer.reset();
        const RunCatalog other(path() / "other");
        const auto made = makeLesson(*other.find(*other.import(m_folder->runFile())));
        QVERIFY2(made.has_value(), made ? "" : describe(made.error()).c_str());
        QVERIFY(made->pack.recording->code.empty());
        QVERIFY(made->remarks.front().code == code::CodeOfElsewhere);
        QVERIFY(!made->pack.recording->happenings.empty());
    }

    void ofManyRanksTheGuiltyAreShownWithSomeOfTheOthers()
    {
        append(AttemptStarted{.worldSize = 64}, 3 * Second);
        std::vector<int> members(64);
        std::iota(members.begin(), members.end(), 0);
        for (int rank = 0; rank < 64; ++rank)
            addOperations(rank, rank != 40, members);
        Verdict verdict = hang(programFile().string());
        verdict.guilty = {40};
        verdict.waiting = members;
        std::erase(verdict.waiting, 40);
        append(verdict, 27 * Second);
        const auto made = make();
        QVERIFY2(made.has_value(), made ? "" : describe(made.error()).c_str());
        const lesson::RecordedJob& job = *made->pack.recording;
        QCOMPARE(job.ranks, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 40}));
        QCOMPARE(job.worldSize, 64);
        const lesson::Recording recording = lesson::recordingOf(job);
        const auto& last = recording.latest().calls().collectives().back();
        QCOMPARE(last.members, job.ranks);
        QCOMPARE(last.missing(), (std::vector<int>{40}));
        QVERIFY(made->pack.text.english.find("Ranks 0-6, 40 are shown") != std::string::npos);
        QVERIFY(lesson::loadPack(saved(*made)).has_value());
    }

    void whatWasWithdrawnOrNamesNobodyIsNoLesson()
    {
        addOperations();
        Verdict waiting = hang({});
        waiting.id = 1;
        waiting.kind = Verdict::Kind::Waiting;
        Verdict unknown = hang({});
        unknown.id = 2;
        unknown.guilty.clear();
        Verdict over = hang({});
        for (const Verdict& verdict : {waiting, unknown, over})
            append(verdict, 27 * Second);
        over.isStanding = false;
        append(over, 28 * Second);
        const auto made = make();
        QVERIFY(!made.has_value());
        QVERIFY(made.error().code == code::RunHasNoVerdict);
    }

    /// Of a job that goes on, one rank's part of what happened may come before another's.
    void whatIsStillWrittenIsWaitedFor()
    {
        addOperations();
        append(hang({}), 27 * Second);
        m_writer.reset();
        const auto made = makeLesson(*m_folder);
        QVERIFY(!made.has_value());
        QVERIFY(made.error().code == code::RunStillWritten);
    }

    void theWeightiestIsAskedAbout()
    {
        addOperations();
        Verdict straggler = hang({});
        straggler.id = 1;
        straggler.kind = Verdict::Kind::Straggler;
        straggler.guilty = {2};
        append(straggler, 20 * Second);
        Verdict mismatch = hang({});
        mismatch.id = 2;
        mismatch.kind = Verdict::Kind::Mismatch;
        append(mismatch, 27 * Second);
        const auto made = make();
        QVERIFY(made->pack.recording->verdict.kind == Verdict::Kind::Mismatch);
        QCOMPARE(made->pack.title.english, std::string("A mismatch in demo"));
    }

    void ofAStragglerManyRoundsAreShown()
    {
        for (int rank = 0; rank < 3; ++rank)
            addOperations(rank, true, {0, 1, 2});
        Verdict straggler = hang({});
        straggler.kind = Verdict::Kind::Straggler;
        straggler.waiting.clear();
        append(straggler, 27 * Second);
        const auto made = make();
        QVERIFY(made.has_value());
        QCOMPARE(made->pack.questions.front().text.english,
                 std::string("Which rank comes last again and again?"));
        // 20 that are over, and one that isn't.
        QCOMPARE(made->pack.recording->happenings.size(), size_t(3 * (20 * 2 + 1)));
        const auto asked =
            lesson::ask(made->pack.questions.front(), lesson::recordingOf(*made->pack.recording));
        QCOMPARE(asked->askedAt, size_t(0));
        QCOMPARE(asked->choices.at(asked->right).ranks, (std::vector<int>{1}));
    }

    void textsThatAreSecretsByTheirNamesAreMasked_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("masked");
        const auto row = [](const char* line, const char* masked) {
            QTest::newRow(line) << QByteArray(line) << QByteArray(masked);
        };
        row("token = \"hf_1\"", "token = \"***\"");
        row("x = f(api_key='a', n=2)", "x = f(api_key='***', n=2)");
        row("os.environ[\"HF_TOKEN\"] = \"hf_1\"", "os.environ[\"HF_TOKEN\"] = \"***\"");
        row("{\"password\": 'p', 'user': 'u'}", "{\"password\": '***', 'user': 'u'}");
        row("env.setdefault('WANDB_API_KEY', f\"x{y}\")",
            "env.setdefault('WANDB_API_KEY', f\"***\")");
        row("url = 'https://ada:secret@host/x'", "url = 'https://ada:***@host/x'");
        row("print('tokens', tokens)", "print('tokens', tokens)");
        row("s = 'it\\'s' + \"a", "s = 'it\\'s' + \"a");
        row("token = 'open", "token = '***");
        row("", "");
    }

    void textsThatAreSecretsByTheirNamesAreMasked()
    {
        QFETCH(const QByteArray, line);
        QTEST(QByteArray::fromStdString(maskedCode(line.toStdString())), "masked");
    }

private:
    fs::path path() const { return m_temporary->path().toStdString(); }
    fs::path programFile() const { return path() / "train.py"; }

    void append(EventBody body, std::int64_t monotonicNs)
    {
        const Moment at{.monotonicNs = monotonicNs, .wallNs = m_clock.now().wallNs};
        m_writer->append({.id = {.sequence = ++m_sequence},
                          .runSequence = m_sequence,
                          .at = at,
                          .body = std::move(body)});
    }

    void addOperations(int rank, bool comes, const std::vector<int>& members)
    {
        std::vector<Operation> all;
        for (int number = 1; number <= 20; ++number)
            all.push_back(test::lessonOperation(static_cast<std::uint64_t>(number),
                                                number * Second + rank, number * Second + 100));
        if (comes)
            all.push_back(test::lessonOperation(21, 21 * Second, 0));
        OperationBatch batch = test::lessonBatch(rank, std::move(all), members);
        batch.sites.front().file = programFile().string();
        m_writer->appendOperations(
            {.globalRank = rank, .count = batch.operations.size(), .block = packOperations(batch)});
    }

    void addOperations()
    {
        for (int rank = 0; rank < 3; ++rank)
            addOperations(rank, rank != 1, {0, 1, 2});
    }

    /// Of what is in the file by then.
    Result<RunLesson> make()
    {
        append(RunStateChanged{.state = RunState::Stopped}, 30 * Second);
        m_writer.reset();
        return makeLesson(*m_folder);
    }

    fs::path saved(const RunLesson& made) const
    {
        const fs::path file = path() / "saved.ringlesson";
        (void)writeFileAtomically(file, lesson::packTextOf(made.pack));
        return file;
    }

    SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_temporary;
    std::optional<RunFolder> m_folder;
    std::unique_ptr<RunFileWriter> m_writer;
    std::uint64_t m_sequence = 0;
};

QTEST_GUILESS_MAIN(tst_run_lesson)
#include "tst_run_lesson.moc"
