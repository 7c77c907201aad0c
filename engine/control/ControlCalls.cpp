#include "engine/control/ControlCalls.h"

namespace ringmaster {

void SubscribeCall::await()
{
    auto* queue = m_service.queue();
    // Without AsyncNotifyWhenDone(), whose tag is lost where no call comes: that a subscriber has
    // gone is seen when the next event is written.
    m_service.native().RequestSubscribe(&m_context, &m_request, &m_writer, queue, queue,
                                        RpcQueue::tag([self = shared_from_this()](bool ok) {
                                            if (ok)
                                                self->m_service.loop().post(
                                                    [self] { self->accepted(); });
                                        }));
}

void SubscribeCall::accepted()
{
    if (m_service.isClosed())
        return;
    std::make_shared<SubscribeCall>(m_service)->await();
    m_self = shared_from_this();
    m_position = m_request.from_sequence();
    m_service.subscriberCame(*this);
}

void SubscribeCall::send(const v1::EventBatch& batch, std::uint64_t last)
{
    if (m_service.isClosed())
        return;
    m_isWriting = true;
    m_position = last;
    m_writer.Write(batch, onLoop(&SubscribeCall::written));
}

void SubscribeCall::end(const grpc::Status& status)
{
    if (std::exchange(m_isEnded, true))
        return;
    const auto self = std::exchange(m_self, nullptr);
    m_service.subscriberGone(*this);
    if (!m_service.isClosed())
        m_writer.Finish(status, onLoop(&SubscribeCall::finished));
}

void SubscribeCall::written(bool ok)
{
    m_isWriting = false;
    if (m_isEnded)
        return;
    if (ok)
        m_service.subscriberReady(*this);
    else
        end(grpc::Status::CANCELLED);
}

void SubscribeCall::finished(bool /*ok*/) {}

void* SubscribeCall::onLoop(void (SubscribeCall::*call)(bool))
{
    return RpcQueue::tag([self = shared_from_this(), call](bool ok) {
        self->m_service.loop().post([self, call, ok] { ((*self).*call)(ok); });
    });
}

} // namespace ringmaster
