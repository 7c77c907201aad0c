#pragma once

#include "engine/base/ChildCommand.h"
#include "engine/event/Event.h"

namespace ringmaster {

/// Has a recorder compiled for a torch that Ringmaster brings none for, once a run: in the
/// background, for later runs (ledger/hook/_ringmaster_objects.py does it). Lives on the given
/// loop.
class TorchObjectBuild
{
public:
    TorchObjectBuild(EventLoop& loop, std::function<void(const EventBody&)> tell)
        : m_loop(loop), m_tell(std::move(tell))
    {
    }

    /// A rank records from Python. It runs in this interpreter, with this torch.
    void needed(const std::string& python, const std::string& torch);
    /// `done` comes once it is certain that somebody compiles, or that nobody does.
    void whenSettled(std::function<void()> done);

private:
    void answered(const std::string& torch, const ChildCommand::Outcome& outcome);
    void tell(Message message) const;

    EventLoop& m_loop;
    std::function<void(const EventBody&)> m_tell;
    bool m_isAsked = false;
    bool m_isSettled = true;
    std::function<void()> m_settled;
    std::unique_ptr<ChildCommand> m_child;
};

} // namespace ringmaster
