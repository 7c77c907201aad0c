#pragma once

#include "engine/ledger/hook/CallSites.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>

namespace ringmaster::ledger {

/// The ledger of an unmodified program: its writer, what its groups are called, and the numbers of
/// their operations. Any thread. Torch-free; both interposers use it.
class HookRecorder
{
public:
    struct Opened
    {
        std::unique_ptr<HookRecorder> recorder{}; ///< Null: `reason` says why.
        std::string reason{};                     ///< Empty: this is a rank's child, and no rank.
    };

    static Opened open(const char* ledger, const char* bell, Recorder kind, const char* version);

    /// A group is made. One of the same name before it is forgotten.
    void describeGroup(const std::string& name, const std::vector<std::int32_t>& members);

    /// How one group numbers its operations.
    struct Group
    {
        std::uint32_t group = 0;
        std::uint32_t epoch = 0;
        std::uint64_t collectives = 0;
        std::map<std::tuple<OperationKind, int, int>, std::uint64_t> pointToPoint{};
    };
    /// A program that takes a new tag each time would fill its memory with them: then the numbers
    /// of a group begin anew.
    static constexpr std::size_t MostPairs = 8192;

    /// Fills in `group` and `number`. `key` stands for the group, by its address or the like, so
    /// that its name is looked up once only.
    void number(Call& call, const void* key, const std::string& name);

    /// init_process_group or new_group is called, for these global ranks: its number, for
    /// madeGroup().
    std::uint64_t makesGroup(OperationKind kind, const std::vector<std::int32_t>& members);
    void madeGroup(std::uint64_t operation, bool failed);

    LedgerWriter& writer() { return *m_writer; }

    /// For Call::site; 0: unknown.
    std::uint16_t siteHere() { return m_sites ? m_sites->here() : std::uint16_t(0); }

private:
    explicit HookRecorder(std::unique_ptr<LedgerWriter> writer);

    Group& groupOf(const void* key, const std::string& name);

    std::unique_ptr<LedgerWriter> m_writer;
    std::optional<PythonInterface> m_python = PythonInterface::find();
    std::optional<CallSites> m_sites;
    std::mutex m_mutex;
    std::uint32_t m_epoch = 1; ///< Rises when a group is described.
    std::map<std::string, std::uint32_t> m_described;
    std::unordered_map<const void*, Group> m_groups;
    std::uint64_t m_groupsMade = 0;
    std::map<std::uint64_t, std::pair<Call, std::int64_t>> m_making; ///< With when that began.
};

} // namespace ringmaster::ledger
