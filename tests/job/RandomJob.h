#pragma once

#include "engine/job/JobSpec.h"

#include <random>

namespace ringmaster {

/// Job specs of every shape, the odd ones too: for round trips.
class RandomJob
{
public:
    explicit RandomJob(unsigned seed) : m_random(seed) {}

    /// What torchrun's command line can hold.
    JobSpec sayable();
    /// What only a job file can hold.
    JobSpec any();

    /// A text with quotes, blanks, commas, dollars, umlauts.
    std::string text();
    int number(int from, int to) { return std::uniform_int_distribution(from, to)(m_random); }
    bool chance() { return number(0, 1) == 1; }

private:
    void fillRole(Role& role);
    void fillRendezvous(RendezvousSpec& rendezvous);
    void fillLogs(LogSpec& logs, bool ofLine);
    StreamSelection streams(bool ofLine);
    std::chrono::milliseconds duration();
    std::string word();

    std::mt19937 m_random;
};

} // namespace ringmaster
