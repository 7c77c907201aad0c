#include "engine/job/Codes.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/ProgramSyntax.h"
#include "engine/lesson/Progress.h"
#include "engine/text/Codes.h"

#include <QStandardPaths>
#include <QtTest>

#include <fstream>
#include <set>

using namespace ringmaster;
using lesson::Pack;

namespace {

const std::string SmallPack = R"(format = 1
name = "small"
source = '''
import torch
value = torch.ones(1)
'''
[title]
en = "Small"
ja = "小さい"
[text]
en = "Text"
ja = "本文"
[mistake]
en = "Wrong"
ja = "間違い"
)";

lesson::PackResult parsed(const std::string& text)
{
    return lesson::parsePack(text, [](const std::string&) -> Result<std::string> {
        return fail(code::PackProgramOutside);
    });
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    return text.replace(text.find(from), from.size(), to);
}

std::filesystem::path lessonsFolder()
{
    return RINGMASTER_SOURCE_DIR "/resources/lessons";
}

std::vector<Pack> allPacks()
{
    std::vector<Pack> packs;
    for (const auto& entry : std::filesystem::directory_iterator(lessonsFolder()))
        if (auto pack = lesson::loadPack(entry.path()))
            packs.push_back(*std::move(pack));
    return packs;
}

void write(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream(path) << text;
}

} // namespace

class tst_packs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// What somebody is writing has errors most of the time.
    void aLessonWithErrorsIsReadAsFarAsItGoes()
    {
        const auto noProgram = [](const std::string&) -> Result<std::string> {
            return fail(code::PackProgramOutside);
        };
        const std::string wrong = replaced(SmallPack, "\"small\"", "\"Small!\"");
        const lesson::PackReading reading = lesson::readPack(wrong, noProgram);
        QVERIFY(reading.isToml);
        QCOMPARE(reading.errors.size(), size_t(1));
        QCOMPARE(reading.errors.front().place.line, 2);
        QCOMPARE(reading.pack.title.japanese, std::string("小さい"));
        QVERIFY(reading.errors == parsed(wrong).error());
        QVERIFY(!lesson::readPack("format = = 1", noProgram).isToml);
    }

    void aSyntaxErrorHasTheLineOfWhereTheProgramStands()
    {
        const std::string python =
            QStandardPaths::findExecutable(QStringLiteral("python3")).toStdString();
        QVERIFY(!python.empty());
        const auto whole = parsed(SmallPack);
        QVERIFY(lesson::problemsOfProgram(*whole, SmallPack, python).empty());
        const std::string wrong = replaced(SmallPack, "value =", "value = =");
        const auto found = lesson::problemsOfProgram(*parsed(wrong), wrong, python);
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(found.front().place.line, 5);
        QCOMPARE(found.front().message.parameters.at("line"), std::string("2"));
        // In a file of its own there is no line of the lesson that has it.
        QCOMPARE(lesson::problemsOfProgram(*parsed(wrong), "", python).front().place.line, 0);
        // Without an interpreter nobody knows.
        QVERIFY(lesson::problemsOfProgram(*parsed(wrong), wrong, "").empty());
    }

    void everyLessonIsWhole()
    {
        for (const auto& entry : std::filesystem::directory_iterator(lessonsFolder())) {
            const auto pack = lesson::loadPack(entry.path());
            if (!pack)
                for (const Finding& finding : pack.error())
                    qWarning("%s: %s", entry.path().c_str(), describe(finding).c_str());
            QVERIFY2(pack.has_value(), entry.path().c_str());
            QCOMPARE(pack->name + ".ringlesson", entry.path().filename().string());
            QVERIFY2(!pack->questions.empty(), entry.path().c_str());
            QVERIFY2(lesson::lineWith(pack->source, pack->start) > 0, entry.path().c_str());
        }
    }

    void aProgramBeginsBehindItsImportsAndFunctions_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<int>("line");
        QTest::newRow("imports") << QByteArray("import os\n\nfrom a import b\nx = 1\n") << 4;
        QTest::newRow("brackets") << QByteArray("from a import (\n    b,\n    c,\n)\n\nx = 1\n")
                                  << 6;
        QTest::newRow("functions")
            << QByteArray("import os\n\ndef f(a,\n      b):\n    return 1\n\n\nx = f(1)\n") << 8;
        QTest::newRow("class") << QByteArray("@d\nclass A:\n    a = 1\n# note\nA()\n") << 5;
        QTest::newRow("text") << QByteArray("\"\"\"One\n\nx = 1\n\"\"\"\nimport os\ny = 2\n") << 6;
        QTest::newRow("short text") << QByteArray("\"\"\"One\"\"\"\ny = 2\n") << 2;
        QTest::newRow("at once") << QByteArray("x = 1\n") << 1;
        QTest::newRow("nothing") << QByteArray("import os\n") << 0;
        QTest::newRow("empty") << QByteArray() << 0;
    }

    void aProgramBeginsBehindItsImportsAndFunctions()
    {
        QFETCH(const QByteArray, source);
        QTEST(lesson::lineBehindImports(source.toStdString()), "line");
    }

    void theExampleForTeachersIsFine()
    {
        const auto pack =
            lesson::loadPack(RINGMASTER_SOURCE_DIR "/resources/examples/my-first.ringlesson");
        QVERIFY(pack.has_value());
        QCOMPARE(pack->questions.size(), 2U);
        QCOMPARE(pack->tasks.size(), 1U);
    }

    void bothOrdersNameEachLessonOnce()
    {
        std::set<int> order;
        std::set<int> collectivesFirst;
        for (const Pack& pack : allPacks()) {
            order.insert(pack.order);
            collectivesFirst.insert(pack.orderCollectivesFirst);
        }
        const auto count = static_cast<int>(allPacks().size());
        QVERIFY(count >= 15);
        QCOMPARE(order.size(), allPacks().size());
        QCOMPARE(collectivesFirst.size(), allPacks().size());
        QCOMPARE(*order.begin(), 1);
        QCOMPARE(*order.rbegin(), count);
        QCOMPARE(*collectivesFirst.begin(), 1);
        QCOMPARE(*collectivesFirst.rbegin(), count);
    }

    void inputsAreDistinctPrimesAndNeverOnes()
    {
        for (const Pack& pack : allPacks())
            QVERIFY2(pack.source.find("torch.ones") == std::string::npos, pack.name.c_str());
    }

    void aSmallPackIsEnough()
    {
        const auto pack = parsed(SmallPack);
        QVERIFY(pack.has_value());
        QCOMPARE(pack->name, std::string("small"));
        QVERIFY(pack->source.starts_with("import torch"));
        QCOMPARE(pack->title.in("ja_JP"), std::string("小さい"));
        QCOMPARE(pack->title.in("fr"), std::string("Small"));
        QVERIFY(pack->expect == lesson::Outcome::Succeeds);
    }

    void everyErrorIsNamedAtOnce()
    {
        const auto pack = parsed(R"(format = 2
name = "Not Good"
ranks = 99
colour = "red"
source = "x = 1"
expect = "explodes"
backends = ["mpi"]
[title]
en = "Only English"
[text]
en = "a"
ja = "b"
[[question]]
kind = "value"
at = "no such line"
)");
        QVERIFY(!pack.has_value());
        std::set<Code> found;
        for (const Finding& finding : pack.error())
            found.insert(finding.message.code);
        for (const Code code :
             {code::PackFormat, code::PackBadName, code::PackBadRanks, code::JobFileUnknownKey,
              code::JobFileBadChoice, code::PackKeyMissing, code::PackNoSuchLine})
            QVERIFY2(found.contains(code), std::string(codeName(code)).c_str());
        const auto missing = [&](const std::string& field) {
            return std::ranges::any_of(
                pack.error(), [&](const Finding& finding) { return finding.place.field == field; });
        };
        QVERIFY(missing("title.ja"));
        QVERIFY(missing("mistake"));
        QVERIFY(missing("question.0.text"));
        QVERIFY(missing("question.0.variable"));
    }

    void everyErrorStandsInItsLine_data()
    {
        QTest::addColumn<std::string>("line");
        QTest::addColumn<std::string>("instead");
        QTest::addColumn<Code>("code");
        const auto row = [](const char* what, const char* line, const char* instead, Code code) {
            QTest::newRow(what) << std::string(line) << std::string(instead) << code;
        };
        row("name", "name = \"small\"", "name = \"Not Good\"", code::PackBadName);
        row("format", "format = 1", "format = 3", code::PackFormat);
        row("ranks", "ranks = 2", "ranks = 5", code::PackBadRanks);
        row("backends", "backends = [\"gloo\"", "backends = [\"mpi\"", code::JobFileBadChoice);
        row("bars", "bars = [\"value\"]", "bars = [\"valu\"]", code::PackNoSuchVariable);
        row("start", "start = \"value\"", "start = \"no such\"", code::PackNoSuchLine);
        row("at", "at = \"value = \"", "at = \"no such\"", code::PackNoSuchLine);
        row("rank", "rank = 3", "rank = 9", code::PackBadRank);
        row("rank from the last", "rank = 3", "rank = -5", code::PackBadRank);
        row("variable", "variable = \"value[0:2]\"", "variable = \"valu\"",
            code::PackNoSuchVariable);
        row("element", "element = 0", "element = 99", code::PackBadElement);
        row("most ranks", "ranks_max = 4", "ranks_max = 9", code::PackBadRanks);
        row("least ranks", "ranks_min = 1", "ranks_min = 5", code::PackBadRanks);
        row("one of several backends", "    \"ring\"", "    \"mpi\"", code::JobFileBadChoice);
        row("ring_algorithm", "ring_algorithm = \"tree\"", "ring_algorithm = \"star\"",
            code::JobFileBadChoice);
        row("max_restarts", "max_restarts = 1", "max_restarts = -1", code::PackNumberOutside);
        row("occurrence", "occurrence = 2", "occurrence = 0", code::PackNumberOutside);
    }

    void everyErrorStandsInItsLine()
    {
        QFETCH(const std::string, line);
        QFETCH(const std::string, instead);
        QFETCH(const Code, code);
        const std::string text = "start = \"value\"\nranks_min = 1\nranks_max = 4\nranks = 2\n"
                                 "ring_algorithm = \"tree\"\nmax_restarts = 1\n"
                                 "backends = [\"gloo\",\n    \"ring\"]\nbars = [\"value\"]\n" +
                                 std::string(SmallPack) +
                                 "[[question]]\nkind = \"deadlock\"\n"
                                 "text = { en = \"a\", ja = \"b\" }\n"
                                 "[[question]]\nkind = \"value\"\n"
                                 "text = { en = \"a\", ja = \"b\" }\n"
                                 "at = \"value = \"\n"
                                 "rank = 3\n"
                                 "variable = \"value[0:2]\"\n"
                                 "element = 0\n"
                                 "occurrence = 2\n";
        QVERIFY(parsed(text).has_value());
        const auto pack = parsed(replaced(text, line, instead));
        QVERIFY(!pack.has_value());
        QCOMPARE(pack.error().size(), 1U);
        QVERIFY(pack.error().front().message.code == code);
        const auto before = text.substr(0, text.find(line));
        QCOMPARE(pack.error().front().place.line,
                 static_cast<int>(std::ranges::count(before, '\n')) + 1);
    }

    void whatIsNoTomlIsSaidWithItsPlace()
    {
        const auto pack = parsed("format = \n[title");
        QVERIFY(!pack.has_value());
        QCOMPARE(pack.error().size(), 1U);
        QVERIFY(pack.error().front().message.code == code::PackNotToml);
        QVERIFY(pack.error().front().place.line > 0);
    }

    void aProgramIsUtf8()
    {
        const std::string wide("\xFF\xFEi\0m\0", 6);
        QVERIFY(lesson::problemOfProgram(wide)->code == code::ProgramIsUtf16);
        QVERIFY(lesson::problemOfProgram(std::string("x\0y", 3))->code == code::ProgramIsUtf16);
        QVERIFY(lesson::problemOfProgram("# caf\xE9")->code == code::ProgramNotUtf8);
        QVERIFY(!lesson::problemOfProgram("# 日本語"));
    }

    void aProgramOutsideOfTheFolderIsRefused()
    {
        QTemporaryDir folder;
        const std::filesystem::path home = folder.path().toStdString();
        std::filesystem::create_directory(home / "pack.ringlesson");
        write(home / "secret.py", "secret = 1");
        const std::string text =
            replaced(SmallPack, "source = '''\nimport torch\nvalue = torch.ones(1)\n'''\n", "");
        const auto load = [&](const std::string& program) {
            write(home / "pack.ringlesson/lesson.toml",
                  replaced(text, "name =", "program = \"" + program + "\"\nname ="));
            return lesson::loadPack(home / "pack.ringlesson");
        };
        write(home / "pack.ringlesson/a.py", "a = 1");
        QVERIFY(load("a.py").has_value());
        QCOMPARE(load("a.py")->source, std::string("a = 1"));
        std::filesystem::create_symlink(home / "secret.py", home / "pack.ringlesson/link.py");
        for (const char* program :
             {"../secret.py", "/etc/passwd", "link.py", "a/../../secret.py"}) {
            const auto pack = load(program);
            QVERIFY2(!pack.has_value(), program);
            QVERIFY2(std::ranges::any_of(pack.error(),
                                         [](const Finding& finding) {
                                             return finding.message.code ==
                                                    code::PackProgramOutside;
                                         }),
                     program);
        }
        QVERIFY(!load("absent.py").has_value());
    }

    void theJobOfAPackRunsOnThisMachineAlone()
    {
        Pack pack;
        pack.name = "x";
        pack.backends = {"ring", "gloo"};
        pack.maxRestarts = 2;
        const JobSpec spec = lesson::jobOf(pack, {.program = "/tmp/a.py", .ranks = 5});
        QCOMPARE(spec.roles.front().workers.number, 5);
        QCOMPARE(spec.roles.front().environment.at("BACKEND"), std::string("ring"));
        QVERIFY(spec.rendezvous.standalone);
        QCOMPARE(spec.restart.maxRestarts, 2);
    }

    void progressIsKept()
    {
        QTemporaryDir folder;
        const std::filesystem::path file =
            folder.filePath(QStringLiteral("a/lessons.json")).toStdString();
        auto progress = lesson::Progress::load(file);
        const auto saved = progress.change([](lesson::Progress& now) {
            now.ran("deadlock");
            now.answered("deadlock", 0, false);
            now.answered("deadlock", 1, true);
            now.solved("deadlock", 0);
        });
        QVERIFY(saved.has_value());
        const auto again = lesson::Progress::load(file);
        QVERIFY(again.hasRun("deadlock"));
        QVERIFY(!again.isAnswered("deadlock", 0));
        QVERIFY(again.isAnswered("deadlock", 1));
        QVERIFY(again.isSolved("deadlock", 0));
        QVERIFY(!again.isDone("deadlock", 2));
        QVERIFY(again.isDone("deadlock", 1));
        write(file, "{\"deadlock\": [1, {}], \"x\": {\"questions\": {}}}");
        QVERIFY(!lesson::Progress::load(file).hasRun("deadlock"));
    }

    /// A dashboard reads it once, and writes it for hours.
    void whatAnotherHasWrittenMeanwhileStays()
    {
        QTemporaryDir folder;
        const std::filesystem::path file =
            folder.filePath(QStringLiteral("lessons.json")).toStdString();
        auto one = lesson::Progress::load(file);
        auto other = lesson::Progress::load(file);
        const auto answer = [](lesson::Progress& progress, size_t question) {
            return progress.change(
                [question](lesson::Progress& now) { now.answered("deadlock", question, true); });
        };
        QVERIFY(answer(one, 0).has_value());
        QVERIFY(answer(other, 1).has_value());
        const auto both = lesson::Progress::load(file);
        QVERIFY(both.isAnswered("deadlock", 0));
        QVERIFY(both.isAnswered("deadlock", 1));
        QCOMPARE(both.attempts("deadlock"), size_t(2));
        QVERIFY(other == both);
        QVERIFY(!(one == both));
    }
};

QTEST_GUILESS_MAIN(tst_packs)
#include "tst_packs.moc"
