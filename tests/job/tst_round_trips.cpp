#include "engine/job/CommandLine.h"
#include "engine/job/JobFile.h"
#include "engine/job/PastedCommand.h"
#include "engine/job/TorchrunLine.h"
#include "tests/job/RandomJob.h"

#include <QtTest>

using namespace ringmaster;

namespace {

constexpr unsigned Rounds = IsSanitized ? 300 : 2000;

std::vector<std::string> behindTheCommand(const CommandLine& line, size_t skipped)
{
    return {line.words.begin() + static_cast<std::ptrdiff_t>(skipped), line.words.end()};
}

QByteArray described(const LineErrors& errors, const std::string& text)
{
    std::string all = text;
    for (const Message& message : errors.messages)
        all += "\n" + describe(message);
    return QByteArray::fromStdString(all);
}

/// The first field that differs, as its line in a job file.
QByteArray difference(const JobSpec& wanted, const JobSpec& got)
{
    return QByteArray::fromStdString("wanted:\n" + jobFileText(wanted).value_or("?") + "\ngot:\n" +
                                     jobFileText(got).value_or("?"));
}

} // namespace

class tst_round_trips : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTorchrunLineSaysTheWholeJob()
    {
        for (unsigned seed = 0; seed < Rounds; ++seed) {
            RandomJob random(seed);
            const JobSpec spec = random.sayable();
            const CommandLine line = toCommandLine(spec);
            QVERIFY2(line.cannotSay.empty(), line.text().c_str());
            const auto parsed = parseTorchrunLine(behindTheCommand(line, 1), {});
            QVERIFY2(parsed, parsed ? "" : described(parsed.error(), line.text()));
            JobSpec expected = spec;
            Role& role = expected.roles.front();
            role.interpreter.clear();
            role.workingFolder.clear();
            role.environment.clear();
            role.devices.clear();
            QVERIFY2(parsed->spec == expected, difference(expected, parsed->spec));
        }
    }

    void aPastedTextSaysTheWholeJob()
    {
        for (unsigned seed = 0; seed < Rounds; ++seed) {
            RandomJob random(seed);
            const JobSpec spec = random.sayable();
            const CommandLine line = toCommandLine(spec);
            for (const size_t columns : {size_t(0), size_t(60)}) {
                const auto pasted = parsePastedCommand(line.text(columns), {});
                QVERIFY2(pasted, pasted ? "" : described(pasted.error(), line.text(columns)));
                QVERIFY2(pasted->notes.empty(), line.text(columns).c_str());
                QVERIFY2(pasted->line.spec == spec, difference(spec, pasted->line.spec));
            }
        }
    }

    void aRingmasterLineLosesOnlyWhatItNames()
    {
        for (unsigned seed = 0; seed < Rounds; ++seed) {
            RandomJob random(seed);
            JobSpec spec = random.any();
            spec.roles.resize(1);
            spec.logs.duplicateStderrFilters.clear();
            spec.logs.redirects.all = spec.logs.tee.all = 0;
            const auto reserved = [](const auto& pair) {
                return pair.first.starts_with("strange");
            };
            std::erase_if(spec.rendezvous.configuration, reserved);
            const auto assigned = [](const auto& pair) {
                return pair.first.find('=') != std::string::npos;
            };
            std::erase_if(spec.roles.front().environment, assigned);
            const CommandLine line = toCommandLine(spec, LineDialect::Ringmaster);
            QVERIFY2(line.cannotSay.empty(), line.text().c_str());
            const auto parsed = parseTorchrunLine(behindTheCommand(line, 2), {});
            QVERIFY2(parsed, parsed ? "" : described(parsed.error(), line.text()));
            QVERIFY2(parsed->spec == spec, difference(spec, parsed->spec));
        }
    }

    void aJobFileSaysTheWholeJob()
    {
        for (unsigned seed = 0; seed < Rounds; ++seed) {
            RandomJob random(seed);
            const JobSpec spec = random.any();
            const auto text = jobFileText(spec);
            QVERIFY(text);
            const auto file = parseJobFile(*text);
            QVERIFY2(file, file ? "" : (describe(file.error().front()) + "\n" + *text).c_str());
            QVERIFY2(file->spec == spec, difference(spec, file->spec));
            QCOMPARE(jobFileText(file->spec).value(), *text);
        }
    }

    void readersSurviveAnyBytes()
    {
        std::mt19937 random(7);
        const std::string seedText =
            "OMP_NUM_THREADS=2 torchrun --nproc-per-node 2 \\\n -r 0:3 train.py \"a b\" ${X:-1} "
            "$(f)\n"
            "[[role]]\nname = \"a\"\nworkers = 4 # x\n[restart]\nmax = 0x10\ngrace = \"1m30s\"\n"
            "redirect = { others = \"both\", 0 = \"none\" }\n";
        size_t refused = 0;
        constexpr int Texts = IsSanitized ? 2000 : 20'000;
        for (int round = 0; round < Texts; ++round) {
            std::string text = round % 2 == 0 ? seedText : std::string(random() % 200, ' ');
            const auto changes = 1 + random() % (round % 2 == 0 ? 8 : text.size() + 1);
            for (size_t i = 0; i < changes && !text.empty(); ++i)
                text[random() % text.size()] = static_cast<char>(random() % 256);
            text.resize(random() % (text.size() + 1));
            const auto pasted = parsePastedCommand(text, {});
            const auto file = parseJobFile(text);
            refused += (pasted ? 0 : 1) + (file ? 0 : 1);
            if (!file)
                QVERIFY(!describe(file.error().front()).empty());
        }
        QVERIFY(refused > 0);
    }

    void deepNestingIsRefusedNotFollowed()
    {
        const std::string brackets(100'000, '[');
        QVERIFY(!parseJobFile("arguments = " + brackets));
        QVERIFY(!parseJobFile(brackets));
        const std::string dollars =
            "torchrun " + std::string(100'000, '$') + std::string(100'000, '(');
        (void)parsePastedCommand(dollars, {});
    }
};

QTEST_GUILESS_MAIN(tst_round_trips)
#include "tst_round_trips.moc"
