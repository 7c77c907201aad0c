#include "engine/lesson/WholeTensorRing.h"

#include "engine/lesson/Calls.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ringmaster::lesson {

namespace {

using Numbers = std::vector<double>;

constexpr size_t MostSeries = 64;
constexpr size_t MostInASeries = 64;

/// Empty: not all of its elements are known.
Numbers numbersOf(const LessonValue& value)
{
    Numbers numbers;
    if (value.kind != LessonValue::Kind::Tensor || value.isPart)
        return numbers;
    for (const std::string& element : value.elements)
        numbers.push_back(std::strtod(element.c_str(), nullptr));
    return numbers;
}

/// As far as their texts have them.
bool areEqual(const Numbers& left, const Numbers& right)
{
    return std::ranges::equal(left, right, [](double a, double b) {
        return std::abs(a - b) <= 1e-3 * std::max({1.0, std::abs(a), std::abs(b)});
    });
}

Numbers added(Numbers left, const Numbers& right)
{
    for (size_t i = 0; i < left.size() && i < right.size(); ++i)
        left[i] += right[i];
    return left;
}

} // namespace

WholeTensorRing::Series* WholeTensorRing::seriesOf(Rank& rank, size_t count)
{
    if (rank.isOpen && rank.series.back().count != count)
        close(rank);
    if (!rank.isOpen) {
        if (rank.series.size() >= MostSeries)
            return nullptr;
        rank.series.push_back({.count = count});
        rank.isOpen = true;
    }
    Series& series = rank.series.back();
    return series.sent.size() + series.received.size() >= MostInASeries ? nullptr : &series;
}

void WholeTensorRing::close(Rank& rank)
{
    rank.isOpen = false;
    const auto isThere = [this](const Rank& other) {
        return other.series.size() > m_judged + (other.isOpen ? 1 : 0);
    };
    while (!m_found && std::ranges::all_of(m_ranks, isThere))
        judge(m_judged++);
}

void WholeTensorRing::apply(const LessonStep& step, size_t index)
{
    using Kind = LessonStep::Kind;
    // Of two the neighbour on both sides is the same, and there is nothing to cut.
    const bool isRank =
        step.globalRank >= 0 && static_cast<size_t>(step.globalRank) < m_ranks.size();
    if (m_found || m_ranks.size() < 3 || !isRank)
        return;
    Rank& rank = m_ranks[static_cast<size_t>(step.globalRank)];
    const LessonCall& call = step.call;
    if (step.kind == Kind::Line)
        return lookForSum(step.globalRank, step.values);
    if (step.kind == Kind::Finish)
        return close(rank);
    if (step.kind == Kind::Call && isSend(call.operation) && !call.inputs.empty()) {
        Numbers numbers = numbersOf(call.inputs.front());
        Series* series = numbers.empty() ? nullptr : seriesOf(rank, numbers.size());
        if (series == nullptr)
            return;
        if (series->sent.empty())
            series->sentAt = {index, step.file, step.line};
        series->sent.push_back(std::move(numbers));
        series->peers.insert(call.peer);
        series->bytes += call.inputs.front().bytes;
        return;
    }
    const bool isReceived = step.kind == Kind::Return && !call.isAsync && step.text.empty() &&
                            (isReceive(call.operation) || call.operation == "wait") &&
                            !call.outputs.empty();
    if (isReceived) {
        Numbers numbers = numbersOf(call.outputs.front());
        Series* series = numbers.empty() ? nullptr : seriesOf(rank, numbers.size());
        if (series != nullptr)
            series->received.push_back(std::move(numbers));
        return;
    }
    const bool isOther = step.kind == Kind::Call && !call.operation.empty() &&
                         !isReceive(call.operation) && !isSend(call.operation) &&
                         call.operation != "wait" && call.operation != "batch_isend_irecv";
    if (isOther && rank.isOpen)
        close(rank);
}

std::optional<Numbers> WholeTensorRing::sumOf(size_t index) const
{
    Numbers sum;
    for (const Rank& rank : m_ranks) {
        if (rank.series.size() <= index || rank.series[index].sent.empty())
            return std::nullopt;
        const Numbers& first = rank.series[index].sent.front();
        if (!sum.empty() && first.size() != sum.size())
            return std::nullopt;
        sum = sum.empty() ? first : added(std::move(sum), first);
    }
    return sum;
}

void WholeTensorRing::lookForSum(int number, const std::vector<LessonValue>& values)
{
    Rank& rank = m_ranks[static_cast<size_t>(number)];
    if (rank.series.empty() || values.empty())
        return;
    const auto sum = sumOf(rank.series.size() - 1);
    if (!sum)
        return;
    for (const LessonValue& value : values) {
        const Numbers numbers = numbersOf(value);
        if (numbers.size() == sum->size() && areEqual(numbers, *sum))
            rank.series.back().hasSum = true;
    }
}

void WholeTensorRing::judge(size_t index)
{
    const size_t count = m_ranks.size();
    const auto sum = sumOf(index);
    const bool isNothing =
        !sum || std::ranges::all_of(*sum, [](double element) { return element == 0; });
    if (isNothing)
        return;
    bool passesOn = true;   // what it received
    bool passesSums = true; // that it has made
    bool haveSum = true;
    const size_t step = m_ranks[0].series[index].peers.contains(1) ? 1 : count - 1;
    for (size_t rank = 0; rank < count; ++rank) {
        const Series& series = m_ranks[rank].series[index];
        const auto next = static_cast<int>((rank + step) % count);
        if (series.sent.size() != count - 1 || series.received.size() != count - 1 ||
            series.peers != std::set<int>{next})
            return;
        for (size_t i = 0; i + 1 < series.sent.size(); ++i) {
            passesOn = passesOn && areEqual(series.sent[i + 1], series.received[i]);
            passesSums = passesSums &&
                         areEqual(series.sent[i + 1], added(series.sent[i], series.received[i]));
        }
        haveSum = haveSum && series.hasSum;
    }
    const bool isRight = passesOn && haveSum;
    const bool isWrong = passesSums && !passesOn && !haveSum;
    if (!isRight && !isWrong)
        return;
    const Series& first = m_ranks[0].series[index];
    m_found = Finding{.isWrong = isWrong,
                      .ranks = static_cast<int>(count),
                      .sentAt = first.sentAt,
                      .bytes = first.bytes,
                      .chunkedBytes = 2 * first.bytes / count};
}

} // namespace ringmaster::lesson
