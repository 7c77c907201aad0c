#include "engine/collective/Codes.h"
#include "engine/collective/ring/MessageErrors.h"

namespace ringmaster::ring {

namespace {

std::string nameOfPost(const Post& post)
{
    return std::string(nameOf(post.isSend ? Operation::Send : Operation::Receive));
}

Error lateError(const Post& post)
{
    const auto seconds = std::chrono::duration<double>(post.deadline - post.begun).count();
    std::string text = std::to_string(seconds);
    text.resize(text.find('.') + 2);
    return {{code::CollectiveTimedOut,
             {{"operation", nameOfPost(post)},
              {"seconds", text},
              {"rank", post.peer == AnyRank ? "any" : std::to_string(post.peer)}},
             {}},
            {}};
}

/// Fails and takes out those of a queue of posts that `which` gives an error for.
template <class Which>
void failSome(std::deque<Post>& posts, const Which& which)
{
    std::erase_if(posts, [&](Post& post) {
        std::optional<Error> error = which(post);
        if (error)
            failPost(post, std::move(*error));
        return error.has_value();
    });
}

} // namespace

Error endedError(Ending ending, int rank, const Post& post)
{
    const Code code = ending == Ending::Died ? code::CollectivePeerDied : code::CollectivePeerLeft;
    return {{code, {{"rank", std::to_string(rank)}, {"operation", nameOfPost(post)}}, {}}, {}};
}

void failPost(Post& post, Error error)
{
    post.done(tl::unexpected(std::move(error)));
}

void dropControls(Conversation& conversation)
{
    for (const Control& control : conversation.controls) {
        if (control.committed)
            control.committed();
    }
    conversation.controls.clear();
    conversation.granted.clear();
}

void PeerMessages::failEnded(Conversation& conversation)
{
    const Ending ending = conversation.incoming.ending();
    if (ending == Ending::None || conversation.hasEnded || conversation.incoming.canReceive())
        return;
    // Whoever left because of an alarm has raised it before: that is the reason then.
    if (!m_over && m_alarm.isRaised())
        return failAll(errorOf(m_alarm.record(), "send or recv"));
    conversation.hasEnded = true;
    std::optional<Error> failed;
    for (auto* posts : {&conversation.sends, &conversation.receives}) {
        for (auto& [number, post] : *posts)
            failPost(post, *(failed = endedError(ending, conversation.rank, post)));
        posts->clear();
    }
    dropControls(conversation);
    const bool isLast = std::ranges::all_of(
        m_conversations, [](const auto& entry) { return entry.second.hasEnded; });
    failSome(m_match.receives(), [&](const Post& post) -> std::optional<Error> {
        // A receive from any may still be served by those who are left, unless somebody died.
        const bool isHit = post.peer == conversation.rank ||
                           (post.peer == AnyRank && (isLast || ending == Ending::Died));
        if (!isHit)
            return std::nullopt;
        return failed = endedError(ending, conversation.rank, post);
    });
    // Who waits for this rank must learn of the death too, not only that this rank gave up.
    if (failed && ending == Ending::Died)
        m_giveUp(conversation.rank, *failed);
}

void PeerMessages::failLate(Deadline now)
{
    std::optional<std::pair<int, Error>> late;
    const auto look = [&](const Post& post) {
        if (!late && post.deadline <= now)
            late = {post.peer, lateError(post)};
    };
    std::ranges::for_each(m_match.receives(), look);
    for (const auto& [rank, conversation] : m_conversations) {
        for (const auto* posts : {&conversation.sends, &conversation.receives}) {
            for (const auto& [number, post] : *posts)
                look(post);
        }
    }
    if (!late)
        return;
    m_giveUp(late->first, late->second);
    failAll(late->second);
}

void PeerMessages::failAll(const Error& error)
{
    if (!m_over)
        m_over = error;
    for (auto& [rank, conversation] : m_conversations) {
        for (auto* posts : {&conversation.sends, &conversation.receives}) {
            for (auto& [number, post] : *posts)
                failPost(post, error);
            posts->clear();
        }
        dropControls(conversation);
    }
    failSome(m_match.receives(), [&](const Post&) { return std::optional(error); });
}

Deadline PeerMessages::nextDeadline() const
{
    Deadline next = Deadline::max();
    for (const Post& post : m_match.receives())
        next = std::min(next, post.deadline);
    for (const auto& [rank, conversation] : m_conversations) {
        for (const auto* posts : {&conversation.sends, &conversation.receives}) {
            for (const auto& [number, post] : *posts)
                next = std::min(next, post.deadline);
        }
    }
    return next;
}

} // namespace ringmaster::ring
