#include "engine/store/StoreSession.h"

#include "engine/store/Codes.h"

namespace ringmaster {

using wire::Opcode;

namespace {

Error violation(const char* what)
{
    return Error{{code::StoreProtocolViolation, {{"what", what}}}};
}

tl::unexpected<Error> replyTooLarge()
{
    return fail(code::StoreLimitExceeded, {{"what", "bytes asked for at once"},
                                           {"limit", std::to_string(StoreSession::ReplyLimit)}});
}

} // namespace

Result<void> StoreSession::receive(std::string_view bytes, Workspace& workspace)
{
    if (!m_input.empty())
        m_input.append(bytes);
    const std::string_view input = m_input.empty() ? bytes : m_input;
    m_replies = &workspace.replies;
    const Result<size_t> used = carryOutAll(input, workspace);
    m_replies = nullptr;
    if (!used)
        return tl::unexpected(used.error());
    keepRest(input, *used);
    return {};
}

Result<size_t> StoreSession::carryOutAll(std::string_view input, Workspace& workspace)
{
    size_t used = 0;
    m_hasBacklog = false;
    while (used < input.size()) {
        if (workspace.replies.size() >= RepliesAtOnce) {
            m_hasBacklog = true;
            break;
        }
        const std::string_view rest = input.substr(used);
        // Whoever doesn't start with VALIDATE isn't waited for: it may be a browser.
        if (m_stage == Stage::Unvalidated && rest.front() != static_cast<char>(Opcode::Validate))
            return tl::unexpected(violation("it does not begin with VALIDATE"));
        switch (m_scanner.scan(rest)) {
        case StoreRequestScanner::Progress::Malformed: return tl::unexpected(m_scanner.problem());
        case StoreRequestScanner::Progress::Incomplete: return used;
        case StoreRequestScanner::Progress::Complete: break;
        }
        decodeStoreRequest(rest.substr(0, m_scanner.size()), workspace.request);
        used += m_scanner.size();
        m_scanner.reset();
        RM_TRY(carryOut(workspace.request, workspace.replies));
    }
    return used;
}

void StoreSession::keepRest(std::string_view input, size_t used)
{
    if (used == input.size())
        std::string().swap(m_input); // Assigning an empty string would keep the memory.
    else if (m_input.empty())
        m_input.assign(input.substr(used));
    else
        m_input.erase(0, used);
}

void StoreSession::keysArrived()
{
    const char reply = wire::WaitDone;
    if (m_replies)
        m_replies->push_back(reply);
    else
        replyLater({&reply, 1});
}

Result<void> StoreSession::carryOut(const StoreRequest& request, std::string& replies)
{
    switch (request.opcode) {
    case Opcode::Validate:
    case Opcode::Ping:
    case Opcode::Wait:
    case Opcode::CancelWait: return converse(request, replies);
    case Opcode::Get:
    case Opcode::Check:
    case Opcode::KeyCount:
    case Opcode::MultiGet:
    case Opcode::QueueLength:
    case Opcode::ListKeys: m_stage = Stage::Established; return read(request, replies);
    case Opcode::Set:
    case Opcode::CompareSet:
    case Opcode::Add:
    case Opcode::DeleteKey:
    case Opcode::Append:
    case Opcode::MultiSet:
    case Opcode::QueuePush:
    case Opcode::QueuePop:
        m_stage = Stage::Established;
        RM_TRY(write(request, replies));
        // The writer has its reply before those whom it wakes have theirs.
        keySpace().tellWaiters();
        return {};
    }
    return tl::unexpected(violation("unknown operation"));
}

Result<void> StoreSession::converse(const StoreRequest& request, std::string& replies)
{
    if (request.opcode == Opcode::Validate) {
        if (m_stage != Stage::Unvalidated)
            return tl::unexpected(violation("a second VALIDATE"));
        if (request.word != wire::ValidateMagic)
            return tl::unexpected(violation("VALIDATE with another number"));
        m_stage = Stage::Validated;
        return {};
    }
    m_stage = Stage::Established;
    if (request.opcode == Opcode::Ping) {
        wire::appendInteger(replies, request.word);
    } else if (request.opcode == Opcode::CancelWait) {
        cancelWait();
        replies.push_back(wire::WaitCancelled);
    } else {
        if (isWaiting())
            return tl::unexpected(violation("a second WAIT during the first"));
        if (RM_TRY(keySpace().wait(request.strings, *this)))
            replies.push_back(wire::WaitDone);
    }
    return {};
}

Result<void> StoreSession::read(const StoreRequest& request, std::string& replies)
{
    KeySpace& keys = keySpace();
    if (request.opcode == Opcode::Check)
        replies.push_back(static_cast<char>(
            keys.containsAll(request.strings) ? wire::CheckAllPresent : wire::CheckSomeMissing));
    else if (request.opcode == Opcode::KeyCount)
        wire::appendInteger<std::uint64_t>(replies, keys.keyCount());
    else if (request.opcode == Opcode::QueueLength)
        wire::appendInteger<std::uint64_t>(replies, keys.queueLength(request.strings.front()));
    else if (request.opcode == Opcode::ListKeys)
        return replyWithKeys(replies);
    else
        return replyWithValues(request, replies);
    return {};
}

Result<void> StoreSession::replyWithValues(const StoreRequest& request, std::string& replies) const
{
    const auto valueOf = [this](std::string_view key) {
        const std::string* value = keySpace().find(key);
        return value ? std::string_view(*value) : std::string_view();
    };
    size_t total = 0;
    for (const std::string_view key : request.strings) {
        total += sizeof(std::uint64_t) + valueOf(key).size();
        if (total > ReplyLimit)
            return replyTooLarge();
    }
    for (const std::string_view key : request.strings)
        wire::appendString(replies, valueOf(key));
    return {};
}

Result<void> StoreSession::replyWithKeys(std::string& replies) const
{
    size_t total = 0;
    keySpace().forEachKey([&](std::string_view key) { total += sizeof total + key.size(); });
    if (total > ReplyLimit)
        return replyTooLarge();
    wire::appendInteger<std::uint64_t>(replies, keySpace().keyCount());
    keySpace().forEachKey([&](std::string_view key) { wire::appendString(replies, key); });
    return {};
}

Result<void> StoreSession::write(const StoreRequest& request, std::string& replies)
{
    KeySpace& keys = keySpace();
    const auto& strings = request.strings;
    const auto queuePop = [&] {
        wire::appendInteger<std::uint64_t>(replies, keys.queueLength(strings[0]));
        if (const auto value = keys.popFromQueue(strings[0]))
            wire::appendString(replies, *value);
    };
    if (request.opcode == Opcode::Set)
        return keys.set(strings[0], strings[1]);
    if (request.opcode == Opcode::Append)
        return keys.append(strings[0], strings[1]);
    if (request.opcode == Opcode::MultiSet)
        return keys.setAll(strings);
    if (request.opcode == Opcode::QueuePush)
        return keys.pushToQueue(strings[0], strings[1]);
    if (request.opcode == Opcode::QueuePop)
        queuePop();
    else if (request.opcode == Opcode::Add)
        wire::appendInteger(replies, RM_TRY(keys.add(strings[0], request.number)));
    else if (request.opcode == Opcode::DeleteKey)
        wire::appendInteger<std::int64_t>(replies, keys.erase(strings[0]) ? 1 : 0);
    else
        wire::appendString(replies, RM_TRY(keys.compareSet(strings[0], strings[1], strings[2])));
    return {};
}

} // namespace ringmaster
