#pragma once

#include "engine/record/NumberSummary.h"

#include <string>
#include <vector>

namespace ringmaster {

/// Printed numbers on their way to another machine: with a serial, so that the next time only what
/// is new goes there.
struct NumberNews
{
    NumberSummary numbers{};
    std::uint64_t serial = 0; ///< 0: of an answer that nothing follows.
    bool isDelta = false;     ///< `latest` and `lines` have only what is new.
};

/// What has been told of one run's numbers. Pure; one thread.
class ToldNumbers
{
public:
    /// `firstSerial`: one that no other server of this machine's has begun with.
    explicit ToldNumbers(std::uint64_t firstSerial) : m_serial(firstSerial) {}

    /// `known`: the serial of what has come there; 0: nothing has.
    NumberNews tell(const std::string& run, const std::vector<std::string>& names,
                    std::uint64_t known, NumberSummary whole);

private:
    std::uint64_t m_serial;
    std::string m_run;
    std::vector<std::string> m_names;
    NumberSummary m_told;
};

/// What has come of them. Pure; one thread.
class HeldNumbers
{
public:
    /// For the next question.
    std::uint64_t known() const { return m_known; }
    void take(NumberNews news);
    const NumberSummary& summary() const { return m_summary; }

private:
    void append(const std::vector<NumberSummary::Line>& lines);

    std::uint64_t m_known = 0;
    NumberSummary m_summary;
};

} // namespace ringmaster
