#include "engine/attach/StackComparison.h"

#include "engine/attach/Codes.h"
#include "engine/attach/StackPlace.h"
#include "engine/diagnose/Codes.h"
#include "engine/diagnose/NcclWitness.h"
#include "engine/diagnose/ProcessEvidence.h"
#include "engine/text/PythonText.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace ringmaster {

using diagnose::ProcessView;
using diagnose::Stack;

namespace {

constexpr double Computing = 0.2; ///< Of a core: it does something of its own.
constexpr size_t MostTold = 4;    ///< Ranks that are told of one by one.

struct Standing
{
    const SeenRank* rank = nullptr;
    StackPlace place{}; ///< Where it stands, …
    StackPlace whole{}; ///< … and how it came there.
};

std::vector<int> numbersOf(const std::vector<const Standing*>& standings)
{
    std::vector<int> numbers;
    for (const Standing* standing : standings)
        numbers.push_back(standing->rank->view.rank);
    std::ranges::sort(numbers);
    return numbers;
}

std::string seconds(std::int64_t ns)
{
    return fmt::format("{:.1f}", static_cast<double>(ns) / 1e9);
}

Message standsOf(const diagnose::RankView& view)
{
    const Stack::Frame* frame = diagnose::userFrame(*view.process.stack);
    return {code::Stands,
            {{"rank", std::to_string(view.rank)},
             {"function", frame->function},
             {"file", frame->file},
             {"line", std::to_string(frame->line)}},
            {}};
}

class Comparison
{
public:
    explicit Comparison(const SeenJob& seen) : m_seen(seen)
    {
        for (const SeenRank& rank : seen.ranks)
            if (rank.view.process.stack)
                m_standings.push_back({&rank, StackPlace::of(*rank.view.process.stack, false),
                                       StackPlace::of(*rank.view.process.stack, true)});
    }

    StackComparison result()
    {
        decide();
        hearNccl();
        for (const SeenRank& rank : m_seen.ranks) {
            const bool isOdd = std::ranges::count(m_result.odd, rank.view.rank) != 0;
            if (isOdd || rank.view.process.noStack.code != code::None)
                tellOf(rank);
        }
        return std::move(m_result);
    }

private:
    using Group = std::vector<const Standing*>;

    /// More than half of those that can be seen; end(): nobody is.
    template <typename Groups>
    auto largest(Groups& found) const
    {
        return std::ranges::find_if(found, [this](const auto& group) {
            return group.second.size() * 2 > m_standings.size();
        });
    }

    /// NCCL counts what each rank has launched. On nccl a rank waits where it next needs a result,
    /// outside of torch.distributed, so that stacks alone tell little.
    void hearNccl()
    {
        std::vector<int> group;
        std::vector<diagnose::RankView> views;
        for (const SeenRank& rank : m_seen.ranks) {
            group.push_back(rank.view.rank);
            views.push_back(rank.view);
        }
        for (diagnose::NcclStanding& standing :
             diagnose::ncclStandings(group, m_result.odd, views)) {
            if (standing.behind.empty())
                continue;
            const bool isOpen =
                m_result.odd.empty() && m_result.statement.code != code::ForeignRanksMove;
            if (!isOpen) {
                add(std::move(standing.said));
                continue;
            }
            m_result.odd = std::move(standing.behind);
            m_result.others = std::move(standing.ahead);
            m_result.statement = std::move(standing.said);
        }
    }

    void decide()
    {
        if (m_standings.empty())
            return say(code::ForeignRanksUnread);
        if (decideByStopped() || decideByMoving() || decideByBeingInside() || decideByOperation() ||
            decideByPlace(&Standing::place) || decideByPlace(&Standing::whole))
            return;
        const std::string& operation = m_standings.front().place.operation;
        const bool areAlike = std::ranges::all_of(m_standings, [&](const Standing& standing) {
            return standing.place.operation == operation;
        });
        if (!areAlike)
            return say(code::ForeignRanksUnsure);
        if (operation.empty())
            return say(groups(&Standing::place).size() == 1 ? code::ForeignRanksBusy
                                                            : code::ForeignRanksUnsure);
        say(code::ForeignRanksAlike, {{"operation", operation}});
    }

    /// Nothing else needs to be known of a rank that a signal has stopped, or that has ended.
    bool decideByStopped()
    {
        for (const SeenRank& rank : m_seen.ranks)
            if (rank.view.process.state == ProcessView::State::Stopped ||
                rank.view.process.state == ProcessView::State::Dead)
                m_result.odd.push_back(rank.view.rank);
        if (m_result.odd.empty() || m_result.odd.size() == m_seen.ranks.size()) {
            m_result.odd.clear();
            return false;
        }
        Group inside;
        for (const Standing& standing : m_standings)
            if (!standing.place.operation.empty() &&
                std::ranges::count(m_result.odd, standing.rank->view.rank) == 0)
                inside.push_back(&standing);
        if (inside.empty()) {
            m_result.odd.clear();
            return false;
        }
        m_result.others = numbersOf(inside);
        m_result.operation = commonOperation(inside);
        say(code::ForeignRanksOutside, {{"ranks", rankList(m_result.others)},
                                        {"operation", m_result.operation},
                                        {"absent", rankList(m_result.odd)}});
        return true;
    }

    /// A rank that computes on moves without anything being wrong; ranks that wait don't.
    bool decideByMoving()
    {
        std::vector<int> moving;
        for (const Standing& standing : m_standings)
            if (standing.rank->hasMoved && !standing.place.operation.empty())
                moving.push_back(standing.rank->view.rank);
        const bool isAnyStill = std::ranges::any_of(m_standings, [](const Standing& standing) {
            return !standing.rank->hasMoved && !standing.place.operation.empty();
        });
        if (isAnyStill && moving.empty())
            return false;
        std::vector<int> moved;
        for (const Standing& standing : m_standings)
            if (standing.rank->hasMoved)
                moved.push_back(standing.rank->view.rank);
        if (moved.empty())
            return false;
        say(code::ForeignRanksMove,
            {{"ranks", rankList(moved)}, {"seconds", seconds(m_seen.spanNs)}});
        return true;
    }

    bool decideByBeingInside()
    {
        Group inside, outside;
        for (const Standing& standing : m_standings)
            (standing.place.operation.empty() ? outside : inside).push_back(&standing);
        if (inside.empty() || outside.empty())
            return false;
        m_result.odd = numbersOf(outside);
        m_result.others = numbersOf(inside);
        m_result.operation = commonOperation(inside);
        say(code::ForeignRanksOutside, {{"ranks", rankList(m_result.others)},
                                        {"operation", m_result.operation},
                                        {"absent", rankList(m_result.odd)}});
        tellWhere(inside);
        return true;
    }

    bool decideByOperation()
    {
        std::map<std::string, Group> byOperation;
        for (const Standing& standing : m_standings)
            byOperation[standing.place.operation].push_back(&standing);
        const auto most = largest(byOperation);
        if (most == byOperation.end() || byOperation.size() < 2)
            return false;
        Group others;
        for (const auto& [operation, group] : byOperation)
            if (operation != most->first)
                others.insert(others.end(), group.begin(), group.end());
        m_result.odd = numbersOf(others);
        m_result.others = numbersOf(most->second);
        m_result.operation = most->first;
        say(code::ForeignRanksElsewhere, {{"ranks", rankList(m_result.others)},
                                          {"operation", most->first},
                                          {"absent", rankList(m_result.odd)},
                                          {"other", commonOperation(others)}});
        tellWhere(most->second);
        return true;
    }

    /// Catches wait() of an asynchronous call, whose frame is the user's own; by the whole stack,
    /// also a call in one line that is reached in two ways. The line comes first, for ranks are
    /// often started in different ways.
    bool decideByPlace(StackPlace Standing::*member)
    {
        auto byPlace = groups(member);
        const auto most = largest(byPlace);
        if (most == byPlace.end() || byPlace.size() < 2)
            return false;
        Group others;
        for (const auto& [place, group] : byPlace)
            if (place != most->first)
                others.insert(others.end(), group.begin(), group.end());
        m_result.odd = numbersOf(others);
        m_result.others = numbersOf(most->second);
        m_result.operation = most->first.operation;
        say(code::ForeignRanksApart,
            {{"ranks", rankList(m_result.others)}, {"absent", rankList(m_result.odd)}});
        add(standsOf(most->second.front()->rank->view));
        return true;
    }

    template <typename Value>
    std::map<Value, Group> groups(Value Standing::*member) const
    {
        std::map<Value, Group> found;
        for (const Standing& standing : m_standings)
            found[standing.*member].push_back(&standing);
        return found;
    }

    static std::string commonOperation(const Group& group)
    {
        std::vector<std::string> names;
        for (const Standing* standing : group)
            if (std::ranges::count(names, standing->place.operation) == 0)
                names.push_back(standing->place.operation);
        return join(names, ", ");
    }

    void tellWhere(const Group& group)
    {
        std::map<StackPlace, Group> byPlace;
        for (const Standing* standing : group)
            byPlace[standing->place].push_back(standing);
        size_t told = 0;
        for (const auto& [place, ranks] : byPlace) {
            const Stack::Frame* frame =
                diagnose::userFrame(*ranks.front()->rank->view.process.stack);
            if (frame == nullptr || ++told > MostTold)
                continue;
            m_result.evidence.push_back({code::ForeignRanksAtOnce,
                                         {{"ranks", rankList(numbersOf(ranks))},
                                          {"operation", place.operation},
                                          {"function", frame->function},
                                          {"file", frame->file},
                                          {"line", std::to_string(frame->line)}},
                                         {}});
        }
    }

    void tellOf(const SeenRank& rank)
    {
        if (m_told++ >= MostTold)
            return;
        const ProcessView& process = rank.view.process;
        const std::string number = std::to_string(rank.view.rank);
        if (process.state == ProcessView::State::Dead)
            return add({code::AbsentDead, {{"rank", number}}, {}});
        if (process.state == ProcessView::State::Stopped)
            add({code::AbsentStopped, {{"rank", number}}, {}});
        if (process.stack && diagnose::userFrame(*process.stack) != nullptr)
            add(standsOf(rank.view));
        else if (process.noStack.code != code::None)
            add(process.noStack);
        if (process.state == ProcessView::State::Stopped)
            return;
        if (process.cpuShare > Computing)
            return add({code::AbsentComputes,
                        {{"rank", number},
                         {"percent", fmt::format("{:.0f}", process.cpuShare * 100)},
                         {"seconds", seconds(m_seen.spanNs)}},
                        {}});
        for (const Message& message : diagnose::waitEvidence(rank.view))
            add(message);
        if (process.stack && process.stack->holdsGil && !process.stack->isActive)
            add({code::HoldsGil, {{"rank", number}}, {}});
        if (process.stack && !rank.hasMoved && process.stack->sameSinceNs < process.stack->takenNs)
            add({code::ForeignRankStill,
                 {{"rank", number}, {"seconds", seconds(m_seen.spanNs)}},
                 {}});
    }

    void add(Message message) { m_result.evidence.push_back(std::move(message)); }
    void say(Code code, Parameters parameters = {})
    {
        m_result.statement = {code, std::move(parameters), {}};
    }

    const SeenJob& m_seen;
    std::vector<Standing> m_standings;
    StackComparison m_result;
    size_t m_told = 0;
};

} // namespace

StackComparison compareStacks(const SeenJob& seen)
{
    return Comparison(seen).result();
}

} // namespace ringmaster
