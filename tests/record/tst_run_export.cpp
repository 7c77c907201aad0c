#include "engine/base/Codes.h"
#include "engine/record/PrivateRecord.h"
#include "engine/record/RunCatalog.h"
#include "engine/record/RunExport.h"
#include "engine/record/RunFileWriter.h"
#include "engine/record/Secrets.h"
#include "engine/text/SecretName.h"
#include "engine/text/SecretWords.h"
#include "tests/event/EventSamples.h"
#include "tests/record/WrittenLog.h"

#include <QtTest>

#include <fstream>
#include <thread>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

constexpr const char* JobFile =
    "[[role]]\n"
    "program = 'train.py' # with token hf_abcdefgh\n"
    "arguments = ['--lr', '0.1', '--api-key', 'sk-1234567890', '--hf_token=hf_zyxwvuts',\n"
    "             '--tokenizer', 'gpt2', '--key']\n"
    "[role.environment]\n"
    "HF_TOKEN = 'hf_abcdefgh'\n"
    "aws_secret_access_key = \"quote\\\"and\\\\slash\"\n"
    "SHORT_PASSWORD = 'x1'\n"
    "OMP_NUM_THREADS = '4'\n";

std::string contentOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

class tst_run_export : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_runs = path() / "runs";
        AgentRecord agent = AgentRecord::current({});
        m_folder = RunFolder::create(m_runs, "demo", agent, SystemClock().now()).value();
        m_writer = RunFileWriter::open(m_folder->runFile(), {.run = m_folder->id()}).value();
        m_offset = 0;
    }

    void cleanup() { m_writer.reset(); }

    void isOneFileWithTheLogsInside()
    {
        append(RunStarted{.jobFile = JobFile, .name = "demo"});
        for (const EventBody& body : samples::everyBody())
            append(body);
        const int log = addLog(m_folder->logs() / "0");
        std::string all;
        for (int i = 0; i < 20'000; ++i)
            all += "line " + std::to_string(i) + "\n";
        writeLog(log, all);

        const auto report = exportRun(*m_folder, target(), {});
        QVERIFY2(report.has_value(), report ? "" : describe(report.error()).c_str());
        QCOMPARE(report->logBytes, all.size());
        QCOMPARE(report->events, samples::everyBody().size() + 1);
        QCOMPARE(report->fileBytes, fs::file_size(target()));
        QCOMPARE(std::distance(fs::directory_iterator(target().parent_path()), {}), 1);

        fs::remove_all(m_folder->logs());
        const auto reader = RunFileReader::open(target());
        QVERIFY2(reader.has_value(), reader ? "" : describe(reader.error()).c_str());
        const auto original = m_folder->openReader()->events().value();
        const auto exported = reader->events().value();
        QVERIFY(
            std::equal(original.begin() + 2, original.end(), exported.begin() + 2, exported.end()));
        const LogPage page = reader->readLog({.maxBytes = 1U << 20U}).value();
        std::string text;
        for (const LogChunk& chunk : page.chunks)
            text += chunk.bytes;
        QCOMPARE(text, all);
        QVERIFY(page.problems.empty());
    }

    void canBeImportedElsewhere()
    {
        append(RunStarted{.name = "demo"});
        writeLog(addLog(path() / "outside.log"), "hello\n");
        QVERIFY(exportRun(*m_folder, target(), {}).has_value());
        const RunCatalog other(path() / "other");
        const std::string id = other.import(target()).value();
        const LogPage page = other.find(id)->openReader()->readLog({}).value();
        QCOMPARE(page.chunks.at(0).bytes, std::string("hello\n"));
        // And from there once more.
        QVERIFY(exportRun(*other.find(id), path() / "again.ringrun", {}).has_value());
        QCOMPARE(RunFileReader::open(path() / "again.ringrun")->readLog({})->chunks.at(0).bytes,
                 std::string("hello\n"));
    }

    void keepsTheNewestOutputWithinTheLimit()
    {
        append(RunStarted{});
        const int log = addLog(m_folder->logs() / "0");
        for (int i = 0; i < 10; ++i)
            writeLog(log, std::string(1000, static_cast<char>('0' + i)));
        const ExportOptions options{.logLimit = 3500};
        const auto preview = previewExport(*m_folder, options).value();
        QCOMPARE(preview.logBytes, std::uint64_t(3000));
        QCOMPARE(preview.omittedLogBytes, std::uint64_t(7000));
        QVERIFY(!fs::exists(target()));

        QVERIFY(exportRun(*m_folder, target(), options).has_value());
        const LogPage page = RunFileReader::open(target())->readLog({}).value();
        QCOMPARE(page.chunks.size(), size_t(3));
        QCOMPARE(page.chunks[0].bytes, std::string(1000, '7'));
        QCOMPARE(page.lostBytes, std::uint64_t(7000));

        QVERIFY(exportRun(*m_folder, target(), {.withLogs = false}).has_value());
        QVERIFY(RunFileReader::open(target())->readLog({})->chunks.empty());
        QCOMPARE(RunFileReader::open(target())->readLog({})->lostBytes, std::uint64_t(10'000));
    }

    void isOfOneMomentOfARunThatIsWritten()
    {
        append(RunStarted{});
        const int known = addLog(m_folder->logs() / "0");
        // To copy them takes long enough for others to come.
        for (int rank = 1; rank < 2000; ++rank)
            (void)m_writer->addLogFile({0, rank, Stream::Stdout, m_log});
        {
            const std::jthread writing([&](const std::stop_token& stop) {
                growLog(*m_writer, known, m_folder->logs() / "new", stop);
            });
            QTRY_VERIFY(m_folder->openReader()->readLog({})->lastCursor > 0);
            QVERIFY(exportRun(*m_folder, target(), {}).has_value());
        }
        const LogPage page = RunFileReader::open(target())->readLog({}).value();
        QVERIFY(!page.chunks.empty());
        QVERIFY2(page.chunks.size() == page.lastCursor, "each row has its file");
    }

    void leavesNoSecretInTheFile()
    {
        append(RunStarted{.jobFile = JobFile,
                          .torchrunLine = "HF_TOKEN=hf_abcdefgh torchrun train.py --api-key "
                                          "sk-1234567890 --password x1 --tokenizer gpt2"});
        append(Notice{.message = {code::InternalError, {{"what", "got sk-1234567890"}}, {}}});
        const int log = addLog(m_folder->logs() / "0");
        // One across the boundary of two blocks of 64 KiB.
        const std::string before(65'530, '.');
        writeLog(log, before + "hf_abcdefgh" + std::string(100, '.') + "hf_zyxwvuts\n");

        const auto report = exportRun(*m_folder, target(), {}).value();
        const std::vector<std::string> names{"--api-key", "--hf_token", "HF_TOKEN",
                                             "SHORT_PASSWORD", "aws_secret_access_key"};
        QVERIFY(report.maskedNames == names);
        const std::string content = contentOf(target());
        for (const char* secret : {"hf_abcdefgh", "hf_zyxwvuts", "sk-1234567890", "and\\\\slash",
                                   "quote\\\"and", "\"x1\"", "'x1'", " x1"})
            QVERIFY2(content.find(secret) == std::string::npos, secret);

        const auto reader = RunFileReader::open(target());
        const auto events = reader->events().value();
        const auto& started = std::get<RunStarted>(events.at(0).body);
        QVERIFY(started.jobFile.find("gpt2") != std::string::npos);
        QVERIFY(started.jobFile.find("OMP_NUM_THREADS") != std::string::npos);
        QCOMPARE(started.torchrunLine,
                 std::string("HF_TOKEN=*** torchrun train.py --api-key *** --password *** "
                             "--tokenizer gpt2"));
        QCOMPARE(std::get<Notice>(events.at(1).body).message.parameters.at("what"),
                 std::string("got *************"));
        std::string text;
        const LogPage page = reader->readLog({}).value();
        for (const LogChunk& chunk : page.chunks)
            text += chunk.bytes;
        QCOMPARE(text.size(), before.size() + 11 + 100 + 12);
        QVERIFY(text.substr(before.size(), 12) == "***********.");
        QVERIFY2(contentOf(m_folder->logs() / "0").find("hf_abcdefgh") != std::string::npos,
                 "the run itself is left alone");
    }

    void sendsNoJobFileThatItCantRead()
    {
        RunStarted started{.jobFile = "HF_TOKEN = [broken", .torchrunLine = "torchrun a.py"};
        QVERIFY(maskSecrets(started) == Secrets{});
        QCOMPARE(started.jobFile, std::string());
        QCOMPARE(started.torchrunLine, std::string("torchrun a.py"));
    }

    void findsSecretsInEveryForm_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("masked");
        const auto row = [](const char* name, const char* line, const char* masked) {
            QTest::newRow(name) << line << masked;
        };
        row("an option", "train.py --api-key sk-1 --lr 1", "train.py --api-key *** --lr 1");
        row("with =", "train.py --api_key=sk-1", "train.py --api_key=***");
        row("a passphrase", "train.py --passphrase 'a b'", "train.py --passphrase ***");
        row("auth", "train.py --auth u:p", "train.py --auth ***");
        row("hydra", "train.py wandb.api_key=abc lr=1", "train.py wandb.api_key=*** lr=1");
        row("a variable", "ringmaster run --env HF_TOKEN=x a.py",
            "ringmaster run --env HF_TOKEN=*** a.py");
        row("before the command", "GITHUB_PAT=x DATABASE_URL=y torchrun a.py",
            "GITHUB_PAT=*** DATABASE_URL=*** torchrun a.py");
        row("a URL", "train.py --db postgres://me:secret@host/x?a=1",
            "train.py --db postgres://me:***'@host/x?a=1'");
        row("a URL with =", "train.py db=postgres://me:p@ss@host/x",
            "train.py db=postgres://me:***@host/x");
        row("a URL's query", "train.py 'https://host/x?lr=1&access_token=abc&b=2'",
            "train.py 'https://host/x?lr=1&access_token='***'&b=2'");
        row("a command in a word", "bash -c 'python a.py --token abc --lr 1'",
            "bash -c 'python a.py --token '***' --lr 1'");
        row("no secret", "train.py --max-tokens 4096 --tokenizer gpt2 'a  b'",
            "train.py --max-tokens 4096 --tokenizer gpt2 'a  b'");
        row("an option without a value", "train.py --token --lr 1", "train.py --token --lr 1");
    }

    void findsSecretsInEveryForm()
    {
        QFETCH(QString, line);
        QFETCH(QString, masked);
        const std::string once = maskedLine(line.toStdString());
        QCOMPARE(QString::fromStdString(once), masked);
        QCOMPARE(maskedLine(once), once);
    }

    void theRunFileHasNoSecretAndItsOwnerHasTheJob()
    {
        const RunStarted started{.jobFile = JobFile,
                                 .torchrunLine = "torchrun a.py --api-key sk-1234567890"};
        append(started);
        QVERIFY(m_writer->flush().has_value());
        const std::string content = contentOf(m_folder->runFile());
        const std::string log = contentOf(m_folder->runFile().string() + "-wal");
        for (const char* secret : {"hf_abcdefgh", "sk-1234567890", "hf_zyxwvuts"}) {
            QVERIFY2(content.find(secret) == std::string::npos, secret);
            QVERIFY2(log.find(secret) == std::string::npos, secret);
        }
        const auto jobOf = [](const RunFileReader& reader) {
            return std::get<RunStarted>(reader.events()->at(0).body);
        };
        QCOMPARE(jobOf(*m_folder->openReader()).jobFile, started.jobFile);
        QCOMPARE(jobOf(*m_folder->openReader()).torchrunLine, started.torchrunLine);
        QVERIFY(m_folder->openReader()->snapshot()->started == started);
        const RunStarted elsewhere = jobOf(*RunFileReader::open(m_folder->runFile()));
        QCOMPARE(elsewhere.torchrunLine, std::string("torchrun a.py --api-key ***"));
        QVERIFY(elsewhere.jobFile.find("gpt2") != std::string::npos);
        for (const auto& entry : fs::directory_iterator(m_folder->path()))
            if (entry.path().extension() == ".json")
                QVERIFY((entry.status().permissions() & fs::perms::others_all) == fs::perms::none);
    }

    void whatWorkersHaveInheritedStaysHome()
    {
        append(RunStarted{.torchrunLine = "torchrun a.py"});
        const EnvironmentMap environment{{"HF_TOKEN", "hf_inherited_1"},
                                         {"GITHUB_PAT", "ghp_inherited_22"},
                                         {"DATABASE", "postgres://u:passw0rd@db/x"},
                                         {"PATH", "/usr/bin"}};
        const PrivateRecord record(m_folder->path());
        QVERIFY(record.keepInherited(inheritedSecrets(environment)).has_value());
        // Of another host.
        QVERIFY(record.keepInherited(inheritedSecrets({{"WANDB_API_KEY", "wandb_far_333"}}))
                    .has_value());
        QVERIFY(record.keepInherited({{"A"}, {{0, 1, 2}, {size_t{1} << 40U, 1, 2}}}).has_value());
        QCOMPARE(record.inherited().values.size(), 4U); // without what can't be looked for
        const int log = addLog(m_folder->logs() / "0");
        const std::string before(65'530, '.');
        writeLog(log, "hf_inherited_1 /usr/bin " + before +
                          "ghp_inherited_22 and passw0rd, wandb_far_333\n");
        append(Notice{.message = {code::InternalError, {{"what", "got hf_inherited_1"}}, {}}});
        const auto report = exportRun(*m_folder, target(), {}).value();
        const std::vector<std::string> names{"A", "DATABASE", "GITHUB_PAT", "HF_TOKEN",
                                             "WANDB_API_KEY"};
        QVERIFY(report.maskedNames == names);
        const std::string content = contentOf(target());
        for (const auto& entry : fs::directory_iterator(m_folder->path())) {
            if (entry.path().extension() == ".json")
                QVERIFY(contentOf(entry.path()).find("hf_inherited_1") == std::string::npos);
        }
        for (const char* secret :
             {"hf_inherited_1", "ghp_inherited_22", "passw0rd", "wandb_far_333"})
            QVERIFY2(content.find(secret) == std::string::npos, secret);
        QVERIFY(content.find("/usr/bin") != std::string::npos);
    }

    void knowsSecretNames()
    {
        for (const char* name :
             {"HF_TOKEN", "wandb_api_key", "DB_PASSWORD", "MySecret", "AWS_CREDENTIALS",
              "GITHUB_PAT", "DATABASE_URL", "passphrase", "auth", "wandb.api_key", "apiKey",
              "HFTOKEN", "SENTRY_DSN", "AWS_ACCESS_KEY_ID", "REDIS_PASS", "authToken"})
            QVERIFY2(isSecretName(name), name);
        for (const char* name :
             {"PATH", "OMP_NUM_THREADS", "NCCL_DEBUG", "MASTER_ADDR", "TOKENIZERS_PARALLELISM",
              "SSH_AUTH_SOCK", "max-tokens", "tokenizer", "pad_token", "num-keys", "PWD", "OLDPWD",
              "SSL_KEY_FILE", "KEYBOARD", "PYTHONPATH", "monkey", "author"})
            QVERIFY2(!isSecretName(name), name);
    }

    /// At each place where it asks.
    void leavesNothingBehindWhenItIsCancelled()
    {
        append(RunStarted{.name = "demo"});
        const int log = addLog(m_folder->logs() / "0");
        for (int i = 0; i < 3; ++i)
            writeLog(log, std::string(50'000, static_cast<char>('0' + i)) + "\n");
        QVERIFY(exportRun(*m_folder, target(), {.withLogs = false}).has_value());
        const std::string before = contentOf(target());
        Result<ExportReport> report = fail(code::Cancelled);
        int lasted = 0;
        for (; !report && lasted < 1000; ++lasted) {
            QCOMPARE(report.error().code, code::Cancelled);
            QCOMPARE(contentOf(target()), before);
            QCOMPARE(entriesBesideTarget(), 1);
            report = exportRun(*m_folder, target(),
                               {.isCancelled = [left = lasted]() mutable { return left-- == 0; }});
        }
        QVERIFY(report.has_value());
        // Rows, blocks of logs, and when it is brought to disk.
        QVERIFY2(lasted > 8, qPrintable(QString::number(lasted)));
        QCOMPARE(report->logBytes, std::uint64_t(150'003));
        QCOMPARE(entriesBesideTarget(), 1);
        QVERIFY(contentOf(target()) != before);
    }

    void leavesNothingBehindWhenItCantWrite()
    {
        append(RunStarted{});
        QVERIFY(m_writer->flush().has_value());
        const auto failed = exportRun(*m_folder, path() / "none" / "x.ringrun", {});
        QVERIFY(failed.error().code == code::FileNotWritable);
    }

private:
    fs::path path() const { return m_temporary->path().toStdString(); }
    fs::path target() const
    {
        fs::create_directories(path() / "out");
        return path() / "out" / "shared.ringrun";
    }

    int entriesBesideTarget() const
    {
        return static_cast<int>(std::distance(fs::directory_iterator(target().parent_path()), {}));
    }

    void append(EventBody body)
    {
        Event event = samples::event(++m_sequence, std::move(body));
        event.id.run = m_folder->id();
        m_writer->append(std::move(event));
        QVERIFY(m_writer->flush().has_value());
    }

    int addLog(const fs::path& file)
    {
        return m_writer->addLogFile({0, 0, Stream::Stdout, m_log = file});
    }

    void writeLog(int file, const std::string& bytes)
    {
        std::ofstream(m_log, std::ios::app) << bytes;
        m_now.monotonicNs += 1'000'000'000;
        m_writer->appendLog({file, m_now, m_offset, bytes.size()});
        m_offset += bytes.size();
        QVERIFY(m_writer->flush().has_value());
    }

    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_runs;
    fs::path m_log;
    std::optional<RunFolder> m_folder;
    std::unique_ptr<RunFileWriter> m_writer;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_offset = 0;
    Moment m_now{};
};

QTEST_GUILESS_MAIN(tst_run_export)
#include "tst_run_export.moc"
