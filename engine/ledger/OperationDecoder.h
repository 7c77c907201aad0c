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
    /// The operation that this record ends.
    std::optional<Operation> take(const ledger::Record& record);

    /// Those that run, in the order of their calls.
    const std::map<std::uint64_t, Operation>& running() const { return m_running; }
    /// The last that ended, if any: where the rank stands between two.
    const std::optional<Operation>& last() const { return m_last; }

    /// What was running when the process was replaced or another ended it; handed out once.
    std::vector<Operation> takeAbandoned();

    struct Writer
    {
        int pid = 0;
        ledger::Recorder recorder = ledger::Recorder::None;
        std::string version{}; ///< Of torch.
    };
    /// Who writes since the last Attached record.
    const std::optional<Writer>& writer() const { return m_writer; }

private:
    std::optional<Operation> deviceEnded(const ledger::Record& record);

    std::map<std::uint64_t, Operation> m_running;
    DeviceTimes m_device;
    std::vector<Operation> m_abandoned;
    std::optional<Operation> m_last;
    std::optional<Writer> m_writer;
};

} // namespace ringmaster
