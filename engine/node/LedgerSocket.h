#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/SpareDescriptor.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ringmaster {

/// Hands a worker's ledger and bell to whoever may not open them by the agent's own /proc: a worker
/// in a container has fewer rights, or another user namespace. A local rank and a newline are asked
/// for; one byte comes back, with the two descriptors. Lives on the agent's loop.
class LedgerSocket
{
public:
    /// LEDGER,BELL of a local rank, as LedgerRecorder::ledgerOf() has it; empty: none.
    using LedgerOf = std::function<std::string(int localRank)>;

    static Result<std::unique_ptr<LedgerSocket>>
    open(EventLoop& loop, const std::filesystem::path& socket, LedgerOf ledgerOf);
    ~LedgerSocket();
    LedgerSocket(const LedgerSocket&) = delete;
    LedgerSocket& operator=(const LedgerSocket&) = delete;

    /// What the hook's part `ledger` needs to come here.
    std::string valueFor(int localRank) const;

private:
    struct Visitor
    {
        FileDescriptor socket{};
        std::string asked{};
        EventLoop::Registration readable{};
    };

    LedgerSocket(EventLoop& loop, std::filesystem::path socket, LedgerOf ledgerOf);
    void acceptOne();
    void hear(int visitor);
    void answer(const Visitor& visitor) const;

    EventLoop& m_loop;
    const std::filesystem::path m_path;
    const LedgerOf m_ledgerOf;
    FileDescriptor m_listener;
    SpareDescriptor m_spare{"node"};
    std::map<int, Visitor> m_visitors; ///< By descriptor.
    EventLoop::Registration m_acceptable;
};

} // namespace ringmaster
