#pragma once

#include "engine/store/KeySpace.h"
#include "engine/store/StoreProtocol.h"

#include <string>
#include <string_view>

namespace ringmaster {

/// One peer's conversation with a KeySpace: the bytes that it sends come in, the bytes that it is
/// to get go out. No sockets. Holds memory only for a request that is there in part, and for a
/// wait.
class StoreSession : public KeySpace::Waiter
{
public:
    enum class Stage : std::uint8_t { Unvalidated, Validated, Established };

    /// What sessions of one thread share because only one works at a time.
    struct Workspace
    {
        StoreRequest request{};
        std::string replies{};
    };

    /// Replies beyond this are not begun before the peer has taken those that are there.
    static constexpr std::size_t RepliesAtOnce = 1U << 20U;
    /// No single reply is longer (a request for many large values could ask for terabytes): what
    /// one peer that doesn't read makes the server hold.
    static constexpr std::size_t ReplyLimit = 256U << 20U;

    /// What a buffer holds beside the object itself.
    static std::size_t heapBytes(const std::string& buffer)
    {
        return buffer.capacity() > std::string().capacity() ? buffer.capacity() : 0;
    }

    explicit StoreSession(KeySpace& keys) : KeySpace::Waiter(keys) {}

    /// Takes what came (nothing, to go on with a backlog), carries out what is complete, and
    /// appends the replies to those in `workspace`. After an error the peer is to be dropped.
    Result<void> receive(std::string_view bytes, Workspace& workspace);

    Stage stage() const { return m_stage; }
    /// Requests are left because the replies were too long: call receive() again.
    bool hasBacklog() const { return m_hasBacklog; }
    bool hasPartialRequest() const { return !m_hasBacklog && !m_input.empty(); }
    std::size_t bufferedBytes() const { return heapBytes(m_input); }

private:
    /// A reply out of turn: to a wait that began in an earlier receive().
    virtual void replyLater(std::string_view reply) = 0;

    void keysArrived() final;
    Result<std::size_t> carryOutAll(std::string_view input, Workspace& workspace);
    void keepRest(std::string_view input, std::size_t used);
    Result<void> carryOut(const StoreRequest& request, std::string& replies);
    Result<void> write(const StoreRequest& request, std::string& replies);
    Result<void> read(const StoreRequest& request, std::string& replies);
    Result<void> converse(const StoreRequest& request, std::string& replies);
    Result<void> replyWithValues(const StoreRequest& request, std::string& replies) const;
    Result<void> replyWithKeys(std::string& replies) const;

    std::string m_input;
    std::string* m_replies = nullptr; ///< Only inside receive().
    StoreRequestScanner m_scanner;
    Stage m_stage = Stage::Unvalidated;
    bool m_hasBacklog = false;
};

} // namespace ringmaster
