#pragma once

#include "app/bridge/Mailbox.h"
#include "engine/control/Cluster.h"

#include <QPointer>

namespace ringmaster::app {

/// A call of the Cluster, made by then(). What it answers comes on the mailbox's thread, at most
/// once a frame; a reply whose context is gone is dropped.
template <class T>
class ClusterCall
{
public:
    using Ask = std::function<void(Cluster::Answer<T>)>;

    ClusterCall(std::shared_ptr<Mailbox::Slot> slot, Ask ask)
        : m_slot(std::move(slot)), m_ask(std::move(ask))
    {
    }

    void then(QObject* context, std::function<void(Result<T>)> reply) const
    {
        m_ask([slot = m_slot, context = QPointer<QObject>(context),
               reply = std::move(reply)](Result<T> result) {
            slot->post([context, reply, result = std::move(result)] {
                if (context)
                    reply(result);
            });
        });
    }

private:
    std::shared_ptr<Mailbox::Slot> m_slot;
    Ask m_ask;
};

} // namespace ringmaster::app
