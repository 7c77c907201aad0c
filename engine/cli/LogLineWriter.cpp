#include "engine/cli/LogLineWriter.h"

#include "engine/cli/Json.h"
#include "engine/cli/Text.h"
#include "engine/event/States.h"

#include <array>

namespace ringmaster {

namespace {

constexpr size_t WrittenAtOnce = 256U << 10U;

/// Ranks are told apart by colour, too.
Terminal::Style styleOf(int rank)
{
    constexpr std::array Styles{Terminal::Style::Blue, Terminal::Style::Green,
                                Terminal::Style::Yellow, Terminal::Style::Bold};
    return Styles.at(static_cast<size_t>(rank) % Styles.size());
}

} // namespace

void LogLineWriter::write(const LogLine& line)
{
    add(line, std::nullopt);
}

void LogLineWriter::write(const LogLine& line, Place place)
{
    add(line, place);
}

void LogLineWriter::writeGap()
{
    if (!m_look.isJson)
        m_waiting += m_out.styled("--", Terminal::Style::Dim) + "\n";
}

void LogLineWriter::flush()
{
    m_out.print(m_waiting);
    m_waiting.clear();
}

void LogLineWriter::add(const LogLine& line, std::optional<Place> place)
{
    if (m_look.isJson) {
        addJson(line, place);
    } else {
        if (m_look.hasTimes)
            m_waiting += m_out.styled(timeText(line.at.wallNs) + " ", Terminal::Style::Dim);
        if (m_look.hasRanks)
            m_waiting += m_out.styled("[" + std::to_string(line.globalRank) + "] ",
                                      styleOf(line.globalRank));
        if (place)
            m_waiting +=
                m_out.styled(std::to_string(line.number) + (*place == Place::Match ? ": " : "- "),
                             Terminal::Style::Dim);
        if (line.level == LogLevel::Error)
            m_waiting += m_out.styled(line.text, Terminal::Style::Red);
        else
            m_waiting += line.text;
        m_waiting += '\n';
    }
    if (m_waiting.size() >= WrittenAtOnce)
        flush();
}

void LogLineWriter::addJson(const LogLine& line, std::optional<Place> place)
{
    nlohmann::ordered_json json{{"wallNs", line.at.wallNs},
                                {"attempt", line.attempt},
                                {"rank", line.globalRank},
                                {"stream", nameOf(line.stream)}};
    if (place) {
        json["line"] = line.number;
        json["isMatch"] = *place == Place::Match;
    }
    json["text"] = line.text;
    m_waiting += dumpLine(json);
}

} // namespace ringmaster
