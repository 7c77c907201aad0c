#include "ForeignRun.h"
#include "tests/support/TorchTest.h"

#include <QtTest>

#include <algorithm>
#include <list>
#include <map>
#include <set>

using ringmaster::test::ForeignProgram;
using ringmaster::test::foreignPrograms;
using ringmaster::test::ForeignRun;

namespace {

using Judged = ForeignRun::Result;

struct Outcome
{
    Judged result = Judged::Silent;
    QString told{};
    std::optional<qint64> firstTruthMs{};
};

} // namespace

/// Programs as strangers write them, each under `ringmaster run`. Of a faulty one, until something
/// is said of it, and then to its end: what was judged has to be right, and still to be told at the
/// end. Of one with nothing wrong nothing may be judged. A row waits for its own program; others
/// run beside it.
class tst_faulty_programs : public ringmaster::test::TorchTest
{
    Q_OBJECT

private Q_SLOTS:
    void isToldWhatIsWrongAndNothingElse_data()
    {
        QTest::addColumn<size_t>("index");
        const auto programs = foreignPrograms();
        for (size_t index = 0; index < programs.size(); ++index) {
            const ForeignProgram& program = programs[index];
            if (!isWanted(program))
                continue;
            m_wanted.push_back(index);
            QTest::addRow("%s %s %s", program.file, program.name, program.backend) << index;
        }
        QVERIFY2(!m_wanted.empty(), "RINGMASTER_FAULT names no program.");
    }

    void isToldWhatIsWrongAndNothingElse()
    {
        constexpr int LongestMs = 280'000;
        QFETCH(const size_t, index);
        QVERIFY(QTest::qWaitFor([&] { return hasEnded(index); }, LongestMs));
        const Outcome& outcome = m_outcomes.at(index);
        const auto expected = foreignPrograms()[index].isUnsure ? Judged::Unsure : Judged::Right;
        QVERIFY2(outcome.result == expected, qPrintable(outcome.told));
    }

    /// How many are right, and how soon.
    void isRarelyUnsure()
    {
        m_running.clear();
        std::map<Judged, int> faulty;
        std::map<Judged, int> healthy;
        std::vector<qint64> times;
        for (const auto& [index, outcome] : m_outcomes) {
            ++(foreignPrograms()[index].isHealthy ? healthy : faulty)[outcome.result];
            if (outcome.firstTruthMs)
                times.push_back(*outcome.firstTruthMs);
        }
        std::ranges::sort(times);
        using enum ForeignRun::Result;
        qInfo("faulty: %d right, %d unsure, %d wrong, %d silent; healthy: %d right, %d wrong",
              faulty[Right], faulty[Unsure], faulty[Wrong], faulty[Silent], healthy[Right],
              healthy[Wrong]);
        if (!times.empty())
            qInfo("%zu first true statements: after %lld ms at the median, %lld ms at most",
                  times.size(), times[times.size() / 2], times.back());
        const auto programs = foreignPrograms();
        const auto all = std::ranges::count(programs, false, &ForeignProgram::isHealthy);
        QVERIFY(std::ranges::count_if(programs, &ForeignProgram::isUnsure) * 20 <= all);
    }

private:
    /// Its neighbours in the table are started meanwhile, unless it was asked for alone.
    bool hasEnded(size_t index)
    {
        constexpr size_t AtOnce = 7; // they wait, nearly all of their time
        if (m_begun.insert(index).second)
            start(index);
        const bool isInOrder = m_begun.contains(m_wanted.front());
        for (const size_t next : m_wanted) {
            if (isInOrder && m_running.size() < AtOnce && m_begun.insert(next).second)
                start(next);
        }
        m_running.remove_if([&](auto& running) {
            auto& [number, run] = running;
            if (!run->isOver())
                return false;
            const Judged result = run->result();
            qInfo("%d: %s", static_cast<int>(result), qPrintable(run->told()));
            m_outcomes[number] = {result, run->told(), run->firstTruthMs()};
            return true;
        });
        return m_outcomes.contains(index);
    }

    void start(size_t index)
    {
        m_running.emplace_back(
            index, std::make_unique<ForeignRun>(foreignPrograms()[index], runtime(), python()));
    }

    std::vector<size_t> m_wanted;
    std::set<size_t> m_begun;
    std::list<std::pair<size_t, std::unique_ptr<ForeignRun>>> m_running;
    std::map<size_t, Outcome> m_outcomes;
};

QTEST_GUILESS_MAIN(tst_faulty_programs)
#include "tst_faulty_programs.moc"
