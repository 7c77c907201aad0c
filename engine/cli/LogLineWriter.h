#pragma once

#include "engine/cli/Terminal.h"
#include "engine/record/LogAssembler.h"

#include <optional>

namespace ringmaster {

/// Writes lines of a run's log to standard output, many at once: a system call a line would take
/// longer than all the rest.
class LogLineWriter
{
public:
    struct Look
    {
        bool hasRanks = true;
        bool hasTimes = false;
        bool isJson = false; ///< A JSON object a line.
    };

    enum class Place { Match, Around };

    explicit LogLineWriter(Look look) : m_look(look) {}
    ~LogLineWriter() { flush(); }
    LogLineWriter(const LogLineWriter&) = delete;
    LogLineWriter& operator=(const LogLineWriter&) = delete;

    void write(const LogLine& line);
    /// With its number in its file, as grep -n writes it.
    void write(const LogLine& line, Place place);
    /// Lines are missing in between.
    void writeGap();
    void flush();

private:
    void add(const LogLine& line, std::optional<Place> place);
    void addJson(const LogLine& line, std::optional<Place> place);

    Look m_look;
    Terminal m_out{1};
    std::string m_waiting;
};

} // namespace ringmaster
