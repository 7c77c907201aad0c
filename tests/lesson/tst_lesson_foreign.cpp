#include "HappenedBefore.h"
#include "LessonTest.h"
#include "engine/cli/LessonFindings.h"
#include "engine/event/VerdictTraits.h"
#include "tests/node/ForeignPrograms.h"

#include <QElapsedTimer>

#include <list>
#include <set>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

/// Of each kind one or two; RINGMASTER_LESSON_PROGRAM=all takes all, =faulty or =healthy all of a
/// kind, a name one of them.
bool isWantedAsLesson(const ForeignProgram& program)
{
    constexpr std::array<std::string_view, 8> Few{
        "another_reduction",          "grid_with_a_skipped_row", "ring_turned_round",
        "lock_taken_twice",           "exits_with_zero",         "averages_by_momentum",
        "pipeline_with_a_slow_stage", "grid_of_data_and_tensors"};
    const QByteArray wanted = qgetenv("RINGMASTER_LESSON_PROGRAM");
    if (!wanted.isEmpty())
        return wanted == "all" || wanted == program.name ||
               wanted == (program.isHealthy ? "healthy" : "faulty");
    return std::string_view(program.backend) == "gloo" && std::ranges::count(Few, program.name) > 0;
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (const QByteArray& part :
         QByteArray(text.data(), static_cast<qsizetype>(text.size())).split(separator))
        parts.push_back(part.toStdString());
    return parts;
}

/// "0,2", as the list of programs has them.
std::string ranksOf(std::vector<int> ranks)
{
    std::ranges::sort(ranks);
    std::string text;
    for (const int rank : ranks)
        text += (text.empty() ? "" : ",") + std::to_string(rank);
    return text;
}

/// A program run freely as a lesson, until something is explained, or to its end.
class LessonOfForeign
{
public:
    explicit LessonOfForeign(const ForeignProgram& program)
        : m_program(program)
        , m_run({.file = QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/node/programs/") +
                         (program.isHealthy ? "healthy/" : "faults/") + program.file + ".py",
                 .arguments = {program.name},
                 .ranks = program.ranks,
                 .isHeld = false,
                 .backend = QString::fromLatin1(program.backend),
                 .environment = {{"BACKEND", program.backend}, {"EPOCHS", "1"}}})
    {
        m_since.start();
    }

    bool isOver() const
    {
        constexpr int LongestMs = 500'000;
        return m_run.isOver() || m_since.hasExpired(LongestMs) ||
               (!m_program.isHealthy && isExplained());
    }

    /// Empty: it is as it has to be.
    QString complaint() const
    {
        const auto recording = m_run.recording();
        const HappenedBefore order(recording);
        if (!order.violations().empty())
            return QString::fromStdString(order.violations());
        if (!m_program.isHealthy)
            return isExplained() ? QString() : QStringLiteral("isn't explained");
        // One that polls at every turn of a loop has more lines than a lesson records.
        if (m_run.state() != RunState::Succeeded && !hasReachedLimit(recording))
            return QStringLiteral("doesn't succeed");
        const std::string said = findingsOf(recording.latest()) + judgementsOf(recording);
        return said.empty() ? QString() : QStringLiteral("has nothing wrong");
    }

    QString told() const
    {
        const auto recording = m_run.recording();
        return QStringLiteral("%1 %2 (%3), %4 steps in %5 ms\n%6%7%8")
            .arg(m_program.file, m_program.name, m_program.backend)
            .arg(recording.size())
            .arg(m_since.elapsed())
            .arg(QString::fromStdString(findingsOf(recording.latest())),
                 QString::fromStdString(judgementsOf(recording)),
                 QString::fromStdString(m_run.standing()));
    }

private:
    /// Judged as it has to be, or by what only a lesson sees; by its cause where it has one.
    bool isExplained() const
    {
        const auto recording = m_run.recording();
        std::set<std::string> judged;
        for (const auto& [verdict, step] : recording.judgements()) {
            if (traitsOf(verdict.kind).severity == Notice::Severity::Error)
                judged.insert(std::string(codeName(verdict.statement.code)) + ' ' +
                              ranksOf(verdict.guilty));
        }
        const auto expected = split(m_program.judgement, ' ');
        if (expected.size() == 3)
            return judged.contains(expected[1] + ' ' + expected[2]) || seesGuilty(recording);
        const bool isSaid =
            !findingsOf(recording.latest()).empty() || !judgementsOf(recording).empty();
        return judged.empty() && (isSaid || hasCause());
    }

    /// Whom the job's judgement names takes part in what the lesson's own findings tell.
    bool seesGuilty(const lesson::Recording& recording) const
    {
        const std::string findings = findingsOf(recording.latest());
        for (const std::string& rank : split(split(m_program.judgement, ' ').back(), ',')) {
            const bool isNamed = findings.find("rank " + rank) != std::string::npos ||
                                 findings.find("Rank " + rank) != std::string::npos;
            if (!isNamed)
                return false;
        }
        return true;
    }

    static bool hasReachedLimit(const lesson::Recording& recording)
    {
        return !recording.isEmpty() &&
               recording.step(recording.size() - 1).kind == LessonStep::Kind::Limit;
    }

    bool hasCause() const
    {
        if (m_program.cause == nullptr)
            return false;
        const auto begins = [&](Code code) {
            return std::ranges::any_of(split(m_program.cause, '|'), [&](const std::string& begin) {
                return codeName(code).starts_with(begin);
            });
        };
        return std::ranges::any_of(m_run.events(), [&](const Event& event) {
            if (const auto* exit = std::get_if<WorkerExited>(&event.body))
                return !exit->endedByAgent && begins(exit->explanation.code);
            const auto* changed = std::get_if<RunStateChanged>(&event.body);
            return changed != nullptr && begins(changed->reason.code);
        });
    }

    const ForeignProgram& m_program;
    LessonRun m_run;
    QElapsedTimer m_since;
};

} // namespace

/// The programs that jobs are judged by, run as lessons, line by line: who is wrong is explained,
/// of who is right nothing is said, and no list has an effect before its cause. A row waits for its
/// own program; others run beside it.
class tst_lesson_foreign : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void isExplainedOrSilent_data()
    {
        QTest::addColumn<size_t>("index");
        const auto programs = foreignPrograms();
        for (size_t index = 0; index < programs.size(); ++index) {
            const ForeignProgram& program = programs[index];
            const bool hasItsBackend = std::string_view(program.backend) != "ring" || hasRing();
            // What can't be known of a job can't be known of a lesson either.
            if (program.isUnsure || !hasItsBackend || !isWantedAsLesson(program))
                continue;
            m_wanted.push_back(index);
            QTest::addRow("%s %s %s", program.file, program.name, program.backend) << index;
        }
        QVERIFY2(!m_wanted.empty(), "RINGMASTER_LESSON_PROGRAM names no program.");
    }

    void isExplainedOrSilent()
    {
        constexpr int LongestMs = 600'000;
        QFETCH(const size_t, index);
        QVERIFY(QTest::qWaitFor([&] { return hasEnded(index); }, LongestMs));
        const auto& [complaint, told] = m_outcomes.at(index);
        QVERIFY2(complaint.isEmpty(), qPrintable(complaint + ": " + told));
    }

    void cleanupTestCase()
    {
        const auto right = std::ranges::count_if(
            m_outcomes, [](const auto& outcome) { return outcome.second.first.isEmpty(); });
        qInfo("%d of %d are as they have to be", static_cast<int>(right),
              static_cast<int>(m_outcomes.size()));
    }

private:
    bool hasEnded(size_t index)
    {
        constexpr size_t AtOnce = 2;
        if (m_begun.insert(index).second)
            start(index);
        const bool isInOrder = m_begun.contains(m_wanted.front());
        for (const size_t next : m_wanted) {
            if (isInOrder && m_running.size() < AtOnce && m_begun.insert(next).second)
                start(next);
        }
        m_running.remove_if([&](auto& running) {
            auto& [number, lesson] = running;
            if (!lesson->isOver())
                return false;
            m_outcomes[number] = {lesson->complaint(), lesson->told()};
            qInfo("%s", qPrintable(lesson->told()));
            return true;
        });
        return m_outcomes.contains(index);
    }

    void start(size_t index)
    {
        m_running.emplace_back(index, std::make_unique<LessonOfForeign>(foreignPrograms()[index]));
    }

    std::vector<size_t> m_wanted;
    std::set<size_t> m_begun;
    std::list<std::pair<size_t, std::unique_ptr<LessonOfForeign>>> m_running;
    std::map<size_t, std::pair<QString, QString>> m_outcomes; ///< Complaint, and all that was told.
};

QTEST_GUILESS_MAIN(tst_lesson_foreign)
#include "tst_lesson_foreign.moc"
