#include "app/model/TracebackFolds.h"

#include <algorithm>
#include <cctype>

namespace ringmaster::app {

namespace {

constexpr std::string_view Head = "Traceback (most recent call last):";

/// Without the `[rank3]: ` that torch puts before each line of a traceback.
std::string_view withoutRank(std::string_view text)
{
    constexpr std::string_view Prefix = "[rank";
    if (!text.starts_with(Prefix))
        return text;
    const size_t end = text.find_first_not_of("0123456789", Prefix.size());
    if (end == std::string_view::npos || !text.substr(end).starts_with("]:"))
        return text;
    text.remove_prefix(end + 2);
    if (text.starts_with(' '))
        text.remove_prefix(1);
    return text;
}

bool isChain(std::string_view text)
{
    return text.starts_with("During handling of the above exception") ||
           text.starts_with("The above exception was the direct cause");
}

std::string withoutNumbers(std::string_view text)
{
    std::string result;
    for (const char byte : text) {
        if (std::isdigit(static_cast<unsigned char>(byte)) == 0)
            result += byte;
        else if (result.empty() || result.back() != '#')
            result += '#';
    }
    return result;
}

} // namespace

void TracebackFolds::add(LineId id, const LogLine& line)
{
    const std::string_view text = withoutRank(line.text);
    const Worker worker{line.attempt, line.globalRank, line.stream};
    const auto found = m_readings.find(worker);
    const bool isHead = text.starts_with(Head);
    if (found == m_readings.end() && !isHead)
        return;
    Reading& reading = m_readings[worker];
    switch (reading.state) {
    case Reading::State::Outside:
        if (isHead)
            begin(reading, id, line);
        break;
    case Reading::State::InFrames: goOn(reading, id, text, line); break;
    case Reading::State::AfterException: afterException(reading, id, text, line); break;
    }
}

void TracebackFolds::begin(Reading& reading, LineId id, const LogLine& line)
{
    reading = {.state = Reading::State::InFrames, .traceback = m_tracebacks.size()};
    m_tracebacks.push_back({.rank = line.globalRank, .lines = {id}});
}

void TracebackFolds::goOn(Reading& reading, LineId id, std::string_view text, const LogLine& line)
{
    Traceback& traceback = m_tracebacks[reading.traceback];
    traceback.lines.push_back(id);
    if (text.empty() || text.front() == ' ' || text.front() == '\t' || text.starts_with(Head)) {
        traceback.frames += std::string(text) + '\n';
        return;
    }
    traceback.exception += std::string(text) + '\n';
    reading.state = Reading::State::AfterException;
    join(reading.traceback, line);
}

void TracebackFolds::afterException(Reading& reading, LineId id, std::string_view text,
                                    const LogLine& line)
{
    const bool isMore = isChain(reading.gap) && text.starts_with(Head);
    if (isMore) {
        leave(reading.traceback);
        Traceback& traceback = m_tracebacks[reading.traceback];
        traceback.lines.insert(traceback.lines.end(), reading.gapLines.begin(),
                               reading.gapLines.end());
        traceback.lines.push_back(id);
        traceback.frames += reading.gap + '\n';
        reading = {.state = Reading::State::InFrames, .traceback = reading.traceback};
    } else if (text.empty() || (reading.gap.empty() && isChain(text))) {
        reading.gap += text;
        reading.gapLines.push_back(id);
    } else if (text.starts_with(Head)) {
        begin(reading, id, line);
    } else {
        reading = {};
    }
}

void TracebackFolds::join(size_t number, const LogLine& line)
{
    Traceback& traceback = m_tracebacks[number];
    traceback.alike = std::to_string(line.attempt) + '\n' + traceback.frames + '\n' +
                      withoutNumbers(traceback.exception);
    // Each rank's first with each other's first, the second with the second.
    Repetitions& repetitions = m_repetitions[{traceback.rank, traceback.alike}];
    traceback.repetition = repetitions.left.empty()
                               ? repetitions.next++
                               : repetitions.left.extract(repetitions.left.begin()).value();
    const std::string name = traceback.group();
    Group& group = m_groups[name];
    group.push_back(number);
    std::ranges::sort(group, {},
                      [this](size_t other) { return m_tracebacks[other].lines.front(); });
    show(name);
}

void TracebackFolds::leave(size_t number)
{
    Traceback& traceback = m_tracebacks[number];
    const std::string group = traceback.group();
    std::erase(m_groups[group], number);
    m_repetitions[{traceback.rank, traceback.alike}].left.insert(traceback.repetition);
    traceback.alike.clear();
    if (std::exchange(traceback.isHidden, false)) {
        for (const LineId id : traceback.lines)
            m_hidden.erase(id);
    }
    m_folds.erase(traceback.lines.front());
    m_isChanged = true;
    show(group);
}

/// What its tracebacks hide, and what is said at the first of them.
void TracebackFolds::show(const std::string& name)
{
    const Group& group = m_groups[name];
    Fold fold{.group = name, .isUnfolded = m_unfolded.contains(name)};
    for (const size_t number : group) {
        Traceback& traceback = m_tracebacks[number];
        fold.ranks.push_back(traceback.rank);
        fold.numbersDiffer |= traceback.exception != m_tracebacks[group.front()].exception;
        m_folds.erase(traceback.lines.front());
        const bool isHidden = number != group.front() && !fold.isUnfolded;
        // Of many ranks all but one stay as they are.
        if (std::exchange(traceback.isHidden, isHidden) == isHidden)
            continue;
        for (const LineId id : traceback.lines) {
            if (isHidden)
                m_hidden.insert(id);
            else
                m_hidden.erase(id);
        }
    }
    if (group.size() < 2)
        return;
    std::ranges::sort(fold.ranks);
    m_folds[m_tracebacks[group.front()].lines.front()] = std::move(fold);
    m_isChanged = true;
}

const TracebackFolds::Fold* TracebackFolds::foldAt(LineId first) const
{
    const auto found = m_folds.find(first);
    return found == m_folds.end() ? nullptr : &found->second;
}

void TracebackFolds::setUnfolded(LineId first, bool isUnfolded)
{
    const auto found = m_folds.find(first);
    if (found == m_folds.end())
        return;
    const std::string group = found->second.group;
    if (isUnfolded)
        m_unfolded.insert(group);
    else
        m_unfolded.erase(group);
    show(group);
}

void TracebackFolds::reveal(LineId id)
{
    const auto hiding = std::ranges::find_if(m_tracebacks, [id](const Traceback& traceback) {
        return std::ranges::find(traceback.lines, id) != traceback.lines.end();
    });
    if (hiding == m_tracebacks.end() || !hides(id))
        return;
    const std::string group = hiding->group();
    m_unfolded.insert(group);
    show(group);
}

void TracebackFolds::clear()
{
    m_isChanged = m_isChanged || !m_hidden.empty() || !m_folds.empty();
    m_tracebacks.clear();
    m_readings.clear();
    m_groups.clear();
    m_repetitions.clear();
    m_folds.clear();
    m_hidden.clear();
}

} // namespace ringmaster::app
