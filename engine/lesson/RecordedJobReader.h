#pragma once

#include "engine/lesson/RecordedJob.h"
#include "engine/text/TomlReader.h"

#include <map>
#include <set>

namespace ringmaster::lesson {

/// Reads the table [recording] of a `.ringlesson`, which somebody may have sent: what is accepted
/// is bounded, and each happening fits those before it.
class RecordedJobReader
{
public:
    explicit RecordedJobReader(TomlReader& toml) : m_toml(toml) {}

    /// Errors go to the reader.
    void read(const toml::node& node, const TomlSpot& spot, RecordedJob& job);

private:
    using Happening = RecordedJob::Happening;

    TomlKey readWith(std::string_view name,
                     void (RecordedJobReader::*member)(const toml::node&, const TomlSpot&));
    void readBefore(const toml::node& node, const TomlSpot& spot);
    void readCode(const toml::node& node, const TomlSpot& spot);
    void readHappenings(const toml::node& node, const TomlSpot& spot);
    void readVerdict(const toml::node& node, const TomlSpot& spot);
    void readEvidence(const toml::node& node, const TomlSpot& spot);
    void readMessage(const toml::node& node, const TomlSpot& spot, Message& message);
    TomlKey message(std::string_view name, Message& target);
    TomlKey number(std::string_view name, std::uint64_t& target);

    void checkRanks(const toml::node& node, const TomlSpot& spot);
    void checkRanksIn(const toml::node& node, const TomlSpot& spot, const std::vector<int>& ranks);
    void checkHappening(const toml::node& node, const TomlSpot& spot, const Happening& happening);
    void checkCall(const toml::node& node, const TomlSpot& spot, const Happening& happening);
    bool isShown(int rank) const;
    void refuse(const toml::node& node, const TomlSpot& spot, const char* key, Code code,
                Parameters parameters = {});

    TomlReader& m_toml;
    RecordedJob* m_job = nullptr;
    std::map<int, std::uint64_t> m_latestCall;          ///< By rank.
    std::set<std::pair<int, std::uint64_t>> m_open;     ///< Calls that aren't over.
    std::set<std::pair<int, std::uint64_t>> m_requests; ///< Those of them that went on.
};

} // namespace ringmaster::lesson
