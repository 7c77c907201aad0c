#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster::collective {

/// What a worker measured of one row.
struct Measurement
{
    std::uint64_t index = 0;
    std::string algorithm{};
    std::string device{};
    std::int64_t bytes = 0;
    std::int64_t count = 0;
    int iterations = 0;
    std::int64_t timeNs = 0;
    std::int64_t minNs = 0;
    std::int64_t p50Ns = 0;
    std::int64_t p99Ns = 0;
    std::int64_t wrong = -1;
    std::string problem{}; ///< What the backend said; empty: measured.
};

/// Tells the agent, through the file that the parts of the start-up hook report to: a line of JSON
/// each. Never fails: a sweep that nobody hears goes on.
class Reporter
{
public:
    explicit Reporter(std::string file) : m_file(std::move(file)) {}

    void began(const std::vector<std::string>& backends) const;
    void leftOut(std::string_view backend, std::string_view reason) const;
    void measured(const Measurement& row) const;

private:
    void write(std::string_view kind, const std::string& members) const;

    std::string m_file;
};

} // namespace ringmaster::collective
