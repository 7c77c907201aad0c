#pragma once

#include "engine/base/ChildCommand.h"

#include <list>

namespace ringmaster {

/// Short-lived child processes that are on their way. Lives on the given loop; those that haven't
/// ended end with it, unanswered.
class Children
{
public:
    using Done = std::function<void(Result<ChildCommand::Outcome>)>;

    explicit Children(EventLoop& loop) : m_loop(loop) {}

    void start(ChildCommand::Options options, const Done& done)
    {
        const auto place = m_children.insert(m_children.end(), nullptr);
        auto child = ChildCommand::start(m_loop, std::move(options),
                                         [this, place, done](ChildCommand::Outcome outcome) {
                                             done(std::move(outcome));
                                             m_children.erase(place);
                                         });
        if (child) {
            *place = *std::move(child);
            return;
        }
        m_children.erase(place);
        done(tl::unexpected(child.error()));
    }

private:
    EventLoop& m_loop;
    std::list<std::unique_ptr<ChildCommand>> m_children;
};

} // namespace ringmaster
