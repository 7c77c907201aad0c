#include "engine/rendezvous/SharedState.h"

#include "engine/rendezvous/StateCodec.h"

namespace ringmaster {

SharedState::SharedState(Store& store, const std::string& runId, Store::Duration readTimeout)
    : m_store(store), m_key(std::string(RunKeyPrefix) + runId), m_readTimeout(readTimeout)
{
}

void SharedState::open(Store::Callback<void> done)
{
    m_store.compareSet(m_key, "", std::string(EmptyStateText),
                       [this, done = std::move(done)](Result<std::string> text) {
                           done(text ? adopt(*std::move(text))
                                     : tl::unexpected(std::move(text).error()));
                       });
}

void SharedState::read(Store::Callback<void> done)
{
    m_store.get(m_key, m_readTimeout, [this, done = std::move(done)](Result<std::string> text) {
        done(text ? adopt(*std::move(text)) : tl::unexpected(std::move(text).error()));
    });
}

void SharedState::replace(const RendezvousState& next, Store::Callback<bool> done)
{
    std::string text = encodeState(next);
    m_store.compareSet(m_key, m_token, text,
                       [this, text, done = std::move(done)](Result<std::string> stored) -> void {
                           if (!stored)
                               return done(tl::unexpected(std::move(stored).error()));
                           // Bitwise our own text: nobody else can have written just this.
                           const bool taken = *stored == text;
                           const Result<void> adopted = adopt(*std::move(stored));
                           done(adopted ? Result<bool>(taken) : tl::unexpected(adopted.error()));
                       });
}

Result<void> SharedState::adopt(std::string text)
{
    if (text == m_token)
        return {};
    m_state = text == EmptyStateText ? RendezvousState{} : RM_TRY(decodeState(text));
    m_token = std::move(text);
    return {};
}

} // namespace ringmaster
