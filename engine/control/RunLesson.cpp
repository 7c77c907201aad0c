#include "engine/control/RunLesson.h"

#include "engine/base/Clock.h"
#include "engine/control/CodeExcerpts.h"
#include "engine/control/Codes.h"
#include "engine/control/LessonOperations.h"
#include "engine/control/LessonTexts.h"
#include "engine/event/States.h"
#include "engine/event/VerdictTraits.h"
#include "engine/job/JobFile.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/record/RunExport.h"
#include "engine/text/SecretWords.h"

#include <algorithm>
#include <map>
#include <set>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t RowsAtOnce = 1000;
constexpr size_t MostGuilty = 4; ///< That are shown, where not all ranks can be.
/// A straggler shows in many rounds.
constexpr size_t OfAStraggler = 24;
/// An agent waits as long for a call's return, and writes what it has seconds later.
constexpr std::int64_t UntilWrittenNs = 12'000'000'000;

/// What of a run's events a lesson is made of.
class RunStory
{
public:
    struct Said
    {
        Verdict verdict{};
        Moment at{};
    };

    Result<void> read(const RunFileReader& reader)
    {
        for (std::uint64_t last = 0;;) {
            const auto events = RM_TRY(reader.events(last, {.events = RowsAtOnce}));
            if (events.empty())
                return {};
            for (const Event& event : events)
                std::visit([&](const auto& body) { happened(body, event); }, event.body);
            last = events.back().runSequence;
        }
    }

    const RunStarted& started() const { return m_started; }
    Moment startedAt() const { return m_startedAt; }
    bool isOnHosts() const { return m_isOnHosts; }
    bool isOver() const { return m_isOver; }
    const std::vector<std::pair<int, LessonOperations::Exit>>& exits() const { return m_exits; }
    int worldSizeOf(int attempt) const
    {
        const auto found = m_worldSizes.find(attempt);
        return found == m_worldSizes.end() ? 0 : found->second;
    }

    /// Of the latest attempt of which something is said; null: nothing is.
    const Said* weightiest() const
    {
        const Said* best = nullptr;
        for (const auto& [id, said] : m_said) {
            const Verdict& verdict = said.verdict;
            const bool isLesson = verdict.kind == Verdict::Kind::Hang ||
                                  verdict.kind == Verdict::Kind::Mismatch ||
                                  verdict.kind == Verdict::Kind::Straggler;
            if (!isLesson || verdict.guilty.empty())
                continue;
            const bool isBetter = best == nullptr || verdict.attempt > best->verdict.attempt ||
                                  (verdict.attempt == best->verdict.attempt &&
                                   isWeightier(verdict.kind, best->verdict.kind));
            if (isBetter)
                best = &said;
        }
        return best;
    }

private:
    template <class T>
    void happened(const T& /*body*/, const Event& /*event*/)
    {
    }

    void happened(const RunStarted& started, const Event& event)
    {
        m_started = started;
        m_startedAt = event.at;
    }

    void happened(const AttemptStarted& attempt, const Event& /*event*/)
    {
        int& size = m_worldSizes[attempt.attempt];
        size = std::max(size, attempt.worldSize);
    }

    void happened(const RunStateChanged& change, const Event& /*event*/)
    {
        m_isOver = isFinal(change.state);
    }

    void happened(const HostChanged& /*host*/, const Event& /*event*/) { m_isOnHosts = true; }

    void happened(const WorkerExited& exit, const Event& event)
    {
        // What the agent ended did nothing of its own.
        if (!exit.endedByAgent)
            m_exits.push_back({exit.attempt, {exit.globalRank, exit.status, event.at.monotonicNs}});
    }

    void happened(const Verdict& verdict, const Event& event)
    {
        if (verdict.isStanding)
            m_said[verdict.id] = {verdict, event.at};
        else
            m_said.erase(verdict.id);
    }

    RunStarted m_started;
    Moment m_startedAt;
    bool m_isOnHosts = false;
    bool m_isOver = false;
    std::map<int, int> m_worldSizes;
    std::vector<std::pair<int, LessonOperations::Exit>> m_exits; ///< With their attempts.
    std::map<std::uint64_t, Said> m_said;
};

/// All of a small job; of a large one those that the verdict is about, and others.
std::vector<int> ranksToShow(const Verdict& verdict, int worldSize)
{
    std::set<int> ranks;
    const auto add = [&](int rank, size_t most) {
        if (ranks.size() < most && rank >= 0 && rank < worldSize)
            ranks.insert(rank);
    };
    const bool areAllThere = static_cast<size_t>(worldSize) <= lesson::RecordedJob::MostRanks;
    for (const int rank : verdict.guilty)
        add(rank, areAllThere ? lesson::RecordedJob::MostRanks : MostGuilty);
    for (const int rank : verdict.waiting)
        add(rank, lesson::RecordedJob::MostRanks);
    for (int rank = 0; rank < worldSize; ++rank)
        add(rank, lesson::RecordedJob::MostRanks);
    return {ranks.begin(), ranks.end()};
}

/// The folder of the program, as its job file says.
fs::path programFolderOf(const RunStarted& started)
{
    const fs::path working = started.workingFolder;
    const auto job = parseJobFile(started.jobFile);
    const std::string program = job ? job->spec.roles.front().program : std::string();
    return (working / program).parent_path().lexically_normal();
}

/// Letters, digits and hyphens of a run's id.
std::string packName(const std::string& run)
{
    std::string name = "run-";
    for (const char c : run)
        name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
    return name;
}

class LessonMaker
{
public:
    LessonMaker(const RunFolder& folder, const RunFileReader& reader, Secrets secrets)
        : m_folder(folder), m_reader(reader), m_secrets(std::move(secrets))
    {
    }

    Result<RunLesson> make()
    {
        RM_TRY(m_story.read(m_reader));
        m_said = m_story.weightiest();
        if (m_said == nullptr)
            return fail(code::RunHasNoVerdict, {{"run", m_folder.id()}});
        // What one rank did may be there before what another did at the same time.
        const std::int64_t passedNs = SystemClock().now().wallNs - m_said->at.wallNs;
        if (!m_story.isOver() && passedNs < UntilWrittenNs)
            return fail(code::RunStillWritten, {{"run", m_folder.id()}});
        const int attempt = m_said->verdict.attempt;
        lesson::RecordedJob job{.run = m_reader.run(),
                                .worldSize = std::clamp(m_story.worldSizeOf(attempt), 1,
                                                        lesson::RecordedJob::MostWorkers)};
        job.ranks = ranksToShow(m_said->verdict, job.worldSize);
        auto told = RM_TRY(operations(job.ranks));
        if (told.happenings.empty())
            return fail(code::RunRecordedNothing, {{"run", m_folder.id()}});
        job.backend = told.backend;
        for (const auto& [group, count] : told.before)
            job.before[scrubbed(group)] = count;
        job.happenings = std::move(told.happenings);
        job.verdict = verdictFor(job.ranks);
        addCode(job, told.lastSites);
        for (lesson::RecordedJob::Happening& happening : job.happenings)
            clean(happening);
        return lessonOf(std::move(job));
    }

private:
    Result<LessonOperations::Told> operations(const std::vector<int>& ranks) const
    {
        const bool isStraggler = m_said->verdict.kind == Verdict::Kind::Straggler;
        LessonOperations::Choice choice{
            .attempt = m_said->verdict.attempt, .ranks = ranks, .untilNs = m_said->at.monotonicNs};
        if (isStraggler)
            choice.ofEach = OfAStraggler;
        LessonOperations operations(choice);
        for (std::uint64_t cursor = 0;;) {
            const auto page = RM_TRY(m_reader.operations(cursor, RowsAtOnce));
            for (const OperationRow& row : page.rows)
                if (row.attempt == choice.attempt)
                    if (const auto batch = unpackOperations(row.block))
                        operations.add(*batch);
            if (page.rows.empty())
                break;
            cursor = page.cursor;
        }
        for (const auto& [attempt, exit] : m_story.exits())
            if (attempt == choice.attempt)
                operations.add(exit);
        return operations.tell();
    }

    /// As it was said then, of the ranks that are shown.
    Verdict verdictFor(const std::vector<int>& ranks)
    {
        const auto isHidden = [&](int rank) {
            return std::ranges::find(ranks, rank) == ranks.end();
        };
        Verdict verdict = m_said->verdict;
        verdict.id = 1;
        verdict.attempt = 0;
        verdict.sinceNs = 0;
        verdict.stopped.clear();
        std::erase_if(verdict.guilty, isHidden);
        std::erase_if(verdict.waiting, isHidden);
        return verdict;
    }

    void addCode(lesson::RecordedJob& job, const std::vector<CallSite>& sites)
    {
        const RunStarted& started = m_story.started();
        m_excerpts = CodeExcerpts({.workingFolder = started.workingFolder,
                                   .programFolder = programFolderOf(started),
                                   .startedWallNs = m_story.startedAt().wallNs});
        for (const CallSite& site : sites)
            m_excerpts.add(site.file, static_cast<int>(site.line));
        for (Message* message : messagesOf(job.verdict)) {
            const auto file = message->parameters.find("file");
            const auto line = message->parameters.find("line");
            if (file != message->parameters.end() && line != message->parameters.end())
                m_excerpts.add(file->second, std::atoi(line->second.c_str()));
            clean(*message);
        }
        // A file that somebody sent names files, and this machine's aren't what it means.
        if (m_folder.isImported() || m_story.isOnHosts()) {
            m_remarks.push_back({code::CodeOfElsewhere, {}, {}});
            return;
        }
        job.code = m_excerpts.read();
        for (lesson::CodeLines& code : job.code)
            scrub(code.text, m_secrets);
        m_remarks.insert(m_remarks.end(), m_excerpts.remarks().begin(), m_excerpts.remarks().end());
    }

    static std::vector<Message*> messagesOf(Verdict& verdict)
    {
        std::vector<Message*> messages{&verdict.statement, &verdict.remedy};
        for (Message& message : verdict.evidence)
            messages.push_back(&message);
        return messages;
    }

    /// Without stacks: they are full of this machine's folders.
    void clean(Message& message) const
    {
        message = frozenAt(std::move(message), m_said->at.monotonicNs);
        message.detail.clear();
        for (auto& [name, value] : message.parameters) {
            if (name == "file")
                value = m_excerpts.nameOf(value);
            else if (name == "child")
                value = maskedLine(value);
            else if (name == "code")
                value = maskedCode(value);
            scrub(value, m_secrets);
        }
    }

    std::string scrubbed(std::string text) const
    {
        scrub(text, m_secrets);
        return text;
    }

    void clean(lesson::RecordedJob::Happening& happening) const
    {
        happening.file = m_excerpts.nameOf(happening.file);
        for (std::string* text : {&happening.file, &happening.function,
                                  &happening.operation.operation, &happening.operation.group})
            *text = scrubbed(*text);
    }

    Result<RunLesson> lessonOf(lesson::RecordedJob job) const
    {
        const RunStarted& started = m_story.started();
        const std::string name = scrubbed(started.name.empty() ? job.run : started.name);
        RunLesson made{.maskedNames = m_secrets.names, .remarks = m_remarks};
        made.pack.name = packName(job.run);
        if (!job.backend.empty())
            made.pack.backends = {job.backend};
        addTexts(made.pack, name, job);
        made.pack.recording = std::move(job);
        return made;
    }

    const RunFolder& m_folder;
    const RunFileReader& m_reader;
    Secrets m_secrets;
    RunStory m_story;
    const RunStory::Said* m_said = nullptr;
    CodeExcerpts m_excerpts{{}};
    std::vector<Message> m_remarks;
};

} // namespace

Result<RunLesson> makeLesson(const RunFolder& folder)
{
    const RunFileReader reader = RM_TRY(folder.openReader());
    const Secrets secrets = RM_TRY(secretsOf(folder, reader));
    return LessonMaker(folder, reader, secrets).make();
}

} // namespace ringmaster
