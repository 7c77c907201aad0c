#include "engine/collective/ring/MessagesUnderWay.h"

#include "engine/collective/Codes.h"

#include <algorithm>

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

/// What a receive was given it keeps, even if its sender can't be told any more.
void dropControls(Conversation& conversation)
{
    for (const Control& control : conversation.controls) {
        if (control.committed)
            control.committed();
    }
    conversation.controls.clear();
    conversation.granted.clear();
}

} // namespace

Error endedError(Ending ending, int rank, const Post& post)
{
    return endedError(ending, rank, nameOfPost(post));
}

void failPost(Post& post, Error error)
{
    post.done(tl::unexpected(std::move(error)));
}

std::optional<Error> MessagesUnderWay::failEnded(Conversation& conversation, Ending ending)
{
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
        // A receive from any may still be served by those who are left, unless somebody is missing.
        const bool isHit = post.peer == conversation.rank ||
                           (post.peer == AnyRank && (isLast || ending != Ending::Left));
        if (!isHit)
            return std::nullopt;
        return failed = endedError(ending, conversation.rank, post);
    });
    return failed;
}

std::optional<std::pair<int, Error>> MessagesUnderWay::late(Deadline now) const
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
    return late;
}

void MessagesUnderWay::failAll(const Error& error)
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

Deadline MessagesUnderWay::nextDeadline() const
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
