#include "engine/lesson/Questions.h"

#include "engine/lesson/Codes.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace ringmaster::lesson {

namespace {

tl::unexpected<Error> notComputable(Code why, Parameters parameters = {})
{
    return fail(why, std::move(parameters));
}

void offer(Asked& asked, const Choice& right, const std::vector<Choice>& others)
{
    Choices choices = choicesWith(right, others);
    asked.choices = std::move(choices.all);
    asked.right = choices.right;
}

class Asker
{
public:
    Asker(const Question& question, const Recording& recording)
        : m_question(question), m_recording(recording)
    {
    }

    Result<Asked> ask();

private:
    Result<Asked> askValue();
    Result<Asked> askBlocked();
    Result<Asked> askBytesSent();
    Result<Asked> askDeadlock();
    Result<Asked> askSender();
    Result<Asked> askGuilty();
    std::vector<int> shownRanks() const;

    Result<int> rank() const;
    Result<int> line() const;
    /// The step with which `rank` comes to `line`.
    Result<size_t> arrivalOf(int rank, int line) const;
    std::vector<Choice> otherNumbers(const std::string& right, size_t at, int rank) const;
    const State& end() const { return m_recording.latest(); }
    /// What was found may be there before the rest of the run.
    bool isOver() const;

    const Question& m_question;
    const Recording& m_recording;
};

bool Asker::isOver() const
{
    for (int rank = 0; rank < end().rankCount(); ++rank) {
        const RankState& state = end().rank(rank);
        const bool isStuck = end().deadlock() && end().calls().isBlocked(rank);
        if (state.phase < RankState::Phase::Failed && !state.isEndedByAgent && !isStuck)
            return false;
    }
    return outcomeOf(m_recording).has_value();
}

Result<int> Asker::rank() const
{
    const int ranks = m_recording.latest().rankCount();
    const int rank = m_question.rank < 0 ? ranks + m_question.rank : m_question.rank;
    if (rank < 0 || rank >= ranks)
        return notComputable(code::QuestionNoRank, {{"rank", std::to_string(m_question.rank)},
                                                    {"ranks", std::to_string(ranks)}});
    return rank;
}

Result<int> Asker::line() const
{
    const int found = lineWith(m_recording.started()->source, m_question.at);
    if (found == 0)
        return notComputable(code::QuestionLineGone, {{"text", m_question.at}});
    return found;
}

Result<size_t> Asker::arrivalOf(int rank, int line) const
{
    int seen = 0;
    for (size_t index = 0; index < m_recording.size(); ++index) {
        const LessonStep& step = m_recording.step(index);
        if (step.kind == LessonStep::Kind::Line && step.globalRank == rank && step.line == line &&
            ++seen == m_question.occurrence)
            return index;
    }
    return notComputable(code::QuestionLineNotReached,
                         {{"rank", std::to_string(rank)}, {"line", std::to_string(line)}});
}

/// What the others have there, what it was before, and what one gets who forgets something.
std::vector<Choice> Asker::otherNumbers(const std::string& right, size_t at, int rank) const
{
    std::vector<Choice> others;
    const auto element = static_cast<size_t>(m_question.element);
    const State& state = m_recording.stateAt(at);
    for (int other = 0; other < state.rankCount(); ++other) {
        const Cell* cell = state.rank((rank + other) % state.rankCount()).find(m_question.variable);
        if (cell != nullptr && element < cell->value.elements.size())
            others.push_back(numberChoice(cell->value.elements[element]));
    }
    const double value = std::strtod(right.c_str(), nullptr);
    for (const double wrong : {value * 2, value + 1, value - 1, value + 2, value / 2})
        others.push_back(numberChoice(writtenLike(right, wrong)));
    return others;
}

Result<Asked> Asker::askValue()
{
    Asked asked{.rank = RM_TRY(rank())};
    asked.askedAt = RM_TRY(arrivalOf(asked.rank, RM_TRY(line())));
    const int depth = m_recording.step(asked.askedAt).depth;
    for (size_t index = asked.askedAt + 1; index < m_recording.size(); ++index) {
        const LessonStep& step = m_recording.step(index);
        const bool isBack =
            step.globalRank == asked.rank && step.depth <= depth &&
            (step.kind == LessonStep::Kind::Line || step.kind == LessonStep::Kind::Finish);
        if (!isBack)
            continue;
        asked.answeredAt = index;
        const Cell* cell = m_recording.stateAt(index).rank(asked.rank).find(m_question.variable);
        const auto element = static_cast<size_t>(m_question.element);
        if (cell == nullptr || element >= cell->value.elements.size())
            return notComputable(code::QuestionNoVariable, {{"variable", m_question.variable},
                                                            {"rank", std::to_string(asked.rank)}});
        const std::string right = cell->value.elements[element];
        offer(asked, numberChoice(right), otherNumbers(right, asked.askedAt, asked.rank));
        return asked;
    }
    return notComputable(code::QuestionLineNotDone, {{"rank", std::to_string(asked.rank)}});
}

Result<Asked> Asker::askBlocked()
{
    const int wanted = RM_TRY(line());
    if (!isOver())
        return notComputable(code::QuestionRunStopped);
    Asked asked;
    std::vector<int> stuck;
    bool isFirst = true;
    for (int rank = 0; rank < end().rankCount(); ++rank) {
        if (const auto arrival = arrivalOf(rank, wanted); arrival && std::exchange(isFirst, false))
            asked.askedAt = *arrival;
        if (end().rank(rank).line == wanted && end().calls().isBlocked(rank))
            stuck.push_back(rank);
    }
    if (isFirst)
        return notComputable(code::QuestionLineNotReached,
                             {{"rank", "0"}, {"line", std::to_string(wanted)}});
    asked.answeredAt = m_recording.size() - 1;
    std::vector<Choice> others{{.kind = Choice::Kind::Ranks}};
    std::vector<int> all;
    for (int rank = 0; rank < end().rankCount(); ++rank) {
        others.push_back({.kind = Choice::Kind::Ranks, .number = {}, .ranks = {rank}});
        all.push_back(rank);
    }
    others.insert(others.begin() + 1, {.kind = Choice::Kind::Ranks, .number = {}, .ranks = all});
    offer(asked, {.kind = Choice::Kind::Ranks, .number = {}, .ranks = stuck}, others);
    return asked;
}

Result<Asked> Asker::askBytesSent()
{
    Asked asked{.rank = RM_TRY(rank())};
    if (!isOver())
        return notComputable(code::QuestionRunStopped);
    std::uint64_t bytes = 0;
    std::uint64_t tensor = 0;
    bool isHidden = false;
    bool isShown = false;
    for (size_t index = 0; index < m_recording.size(); ++index) {
        const LessonStep& step = m_recording.step(index);
        const bool isCall = step.kind == LessonStep::Kind::Call && step.globalRank == asked.rank;
        const bool hasData = isCall && !step.call.inputs.empty() && step.call.operation != "wait";
        if (hasData)
            tensor = std::max(tensor, step.call.inputs.front().bytes);
        if (step.kind == LessonStep::Kind::Chunk && step.chunk.from == asked.rank) {
            bytes += step.chunk.bytes;
            isShown = true;
        } else if (hasData && isSend(step.call.operation)) {
            bytes += step.call.inputs.front().bytes;
        } else if (hasData && isCollective(step.call.operation)) {
            isHidden = true;
        } else {
            continue;
        }
        asked.answeredAt = index;
    }
    if (isHidden && !isShown)
        return notComputable(code::QuestionBytesHidden, {{"rank", std::to_string(asked.rank)}});
    const auto ranks = static_cast<std::uint64_t>(end().rankCount());
    std::vector<Choice> others;
    for (const std::uint64_t wrong : {tensor * (ranks - 1), tensor * ranks, tensor, 2 * tensor,
                                      bytes * 2, bytes / 2, bytes + 4})
        others.push_back(numberChoice(std::to_string(wrong)));
    offer(asked, numberChoice(std::to_string(bytes)), others);
    return asked;
}

Result<Asked> Asker::askDeadlock()
{
    const bool isDeadlock = end().deadlock().has_value();
    if (!isDeadlock && !isOver())
        return notComputable(code::QuestionRunStopped);
    Asked asked{.answeredAt = m_recording.size() - 1};
    if (isDeadlock) {
        const auto first =
            m_recording.firstStep([](const State& state) { return state.deadlock().has_value(); });
        asked.answeredAt = first.value_or(asked.answeredAt);
    }
    if (!m_question.at.empty()) {
        const int wanted = RM_TRY(line());
        for (int rank = 0; rank < end().rankCount(); ++rank)
            if (const auto arrival = arrivalOf(rank, wanted);
                arrival && (asked.askedAt == 0 || *arrival < asked.askedAt))
                asked.askedAt = *arrival;
    }
    offer(asked, {.kind = isDeadlock ? Choice::Kind::Yes : Choice::Kind::No},
          {{.kind = isDeadlock ? Choice::Kind::No : Choice::Kind::Yes}});
    return asked;
}

Result<Asked> Asker::askSender()
{
    Asked asked{.rank = RM_TRY(rank())};
    // Whose message comes first is chance, unless the gate has given the order.
    if (!m_recording.started()->isHeld)
        return notComputable(code::QuestionNeedsGate);
    asked.askedAt = RM_TRY(arrivalOf(asked.rank, RM_TRY(line())));
    for (size_t index = asked.askedAt; index < m_recording.size(); ++index) {
        const LessonStep& step = m_recording.step(index);
        if (step.isFree)
            return notComputable(code::QuestionNeedsGate);
        if (step.globalRank != asked.rank || step.kind != LessonStep::Kind::Return ||
            !(isReceive(step.call.operation) || step.call.operation == "wait") ||
            step.call.peer < 0 || step.call.isAsync)
            continue;
        asked.answeredAt = index;
        std::vector<Choice> others;
        // Of two ranks, only one can have sent: then the receiver is the other choice.
        for (int rank = 0; rank < end().rankCount(); ++rank)
            if (rank != asked.rank || end().rankCount() == 2)
                others.push_back({.kind = Choice::Kind::Ranks, .number = {}, .ranks = {rank}});
        offer(asked, {.kind = Choice::Kind::Ranks, .number = {}, .ranks = {step.call.peer}},
              others);
        return asked;
    }
    return notComputable(code::QuestionLineNotDone, {{"rank", std::to_string(asked.rank)}});
}

/// Of whom something is recorded, and whom the verdict is about.
std::vector<int> Asker::shownRanks() const
{
    std::set<int> ranks;
    for (size_t index = 0; index < m_recording.size(); ++index)
        ranks.insert(m_recording.step(index).globalRank);
    for (const auto& [verdict, step] : m_recording.judgements()) {
        ranks.insert(verdict.guilty.begin(), verdict.guilty.end());
        ranks.insert(verdict.waiting.begin(), verdict.waiting.end());
    }
    return {ranks.begin(), ranks.end()};
}

/// Asked before any of those that wait comes to what it waits in.
Result<Asked> Asker::askGuilty()
{
    const auto& judgements = m_recording.judgements();
    if (judgements.empty() || judgements.back().verdict.guilty.empty())
        return notComputable(code::QuestionNoVerdict);
    const Verdict& verdict = judgements.back().verdict;
    Asked asked{.answeredAt = m_recording.size() - 1};
    std::optional<size_t> first;
    for (const int rank : verdict.waiting) {
        for (size_t index = m_recording.size(); index-- > 0;) {
            const LessonStep& step = m_recording.step(index);
            if (step.globalRank != rank || step.kind != LessonStep::Kind::Call)
                continue;
            first = std::min(first.value_or(index), index);
            break;
        }
    }
    asked.askedAt = first.value_or(0) == 0 ? 0 : *first - 1;
    const std::vector<int> shown = shownRanks();
    std::vector<Choice> others;
    for (const int rank : shown)
        others.push_back({.kind = Choice::Kind::Ranks, .number = {}, .ranks = {rank}});
    others.push_back({.kind = Choice::Kind::Ranks, .number = {}, .ranks = shown});
    offer(asked, {.kind = Choice::Kind::Ranks, .number = {}, .ranks = verdict.guilty}, others);
    return asked;
}

Result<Asked> Asker::ask()
{
    if (!m_recording.started() || m_recording.isEmpty())
        return notComputable(code::QuestionRunStopped);
    switch (m_question.kind) {
    case Question::Kind::Value: return askValue();
    case Question::Kind::Blocked: return askBlocked();
    case Question::Kind::BytesSent: return askBytesSent();
    case Question::Kind::Deadlock: return askDeadlock();
    case Question::Kind::Sender: return askSender();
    case Question::Kind::Guilty: return askGuilty();
    }
    return notComputable(code::QuestionRunStopped);
}

} // namespace

Result<Asked> ask(const Question& question, const Recording& recording)
{
    return Asker(question, recording).ask();
}

std::optional<Outcome> outcomeOf(const Recording& recording)
{
    if (recording.isEmpty())
        return std::nullopt;
    const State& end = recording.latest();
    if (!end.calls().disagreements().empty())
        return Outcome::Disagrees;
    if (!end.hazards().empty())
        return Outcome::Hazard;
    // Before failures: when its processes end, a deadlock may look like one to those that are left.
    if (end.deadlock())
        return Outcome::Deadlocks;
    bool isFinished = true;
    for (int rank = 0; rank < end.rankCount(); ++rank) {
        using Phase = RankState::Phase;
        const Phase phase = end.rank(rank).phase;
        if (phase == Phase::Failed || phase == Phase::Exited)
            return Outcome::Fails;
        isFinished = isFinished && phase == Phase::Finished;
    }
    return isFinished ? std::optional(Outcome::Succeeds) : std::nullopt;
}

} // namespace ringmaster::lesson
