#pragma once

#include "engine/ledger/DeviceTimes.h"
#include "engine/ledger/Layout.h"
#include "engine/ledger/Operation.h"

#include <map>
#include <optional>

namespace ringmaster {

/// Makes operations of one ledger's records, which may have gaps. Pure.
class OperationDecoder
{
public:
    /// The operation that this record ends for the backend; its caller may not have returned yet.
    std::optional<Operation> take(const ledger::Record& record);
    /// What ended and nothing more will be told of, or was abandoned; handed out once.
    std::vector<Operation> takeTold();
    /// Waits no longer for the callers of what ended before.
    void giveUpReturns(std::int64_t beforeNs);

    /// Those that run, in the order of their calls.
    const std::map<std::uint64_t, Operation>& running() const { return m_running; }
    /// The last that ended, if any: where the rank stands between two.
    const std::optional<Operation>& last() const { return m_last; }

    struct Writer
    {
        int pid = 0;
        ledger::Recorder recorder = ledger::Recorder::None;
        std::string version{}; ///< Of torch.
    };
    /// Who writes since the last Attached record.
    const std::optional<Writer>& writer() const { return m_writer; }

private:
    std::optional<Operation> ended(const ledger::Record& record);
    std::optional<Operation> deviceEnded(const ledger::Record& record);
    Operation over(Operation operation, bool isAwaited);
    void returned(const ledger::Record& record);

    std::map<std::uint64_t, Operation> m_running;
    DeviceTimes m_device;
    std::map<std::uint64_t, Operation> m_returning; ///< Ended; their callers are to return.
    std::vector<Operation> m_told;
    std::optional<Operation> m_last;
    std::optional<Writer> m_writer;
};

} // namespace ringmaster
