#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Result.h"
#include "engine/event/Codes.h"
#include "engine/event/Event.h"
#include "engine/event/FiniteNumber.h"

#include <string_view>

#include <ringmaster.pb.h>

/// Inside engine/event and engine/record only: it brings protobuf along.
namespace ringmaster {

/// Every enumeration of the contract is ours moved by one, since 0 there means that none was sent.
template <class Proto, class Plain>
Proto enumToProto(Plain value)
{
    return static_cast<Proto>(static_cast<int>(value) + 1);
}

/// `last` is the greatest one that this version knows.
template <class Plain, class Proto>
Result<Plain> enumFromProto(Proto value, Plain last, std::string_view what)
{
    const int number = static_cast<int>(value) - 1;
    if (number < 0)
        return fail(code::MalformedMessage, {{"what", std::string(what)}});
    if (number > static_cast<int>(last)) {
        return fail(code::NewerEvent,
                    {{"what", std::string(what) + " " + std::to_string(number + 1)}});
    }
    return static_cast<Plain>(number);
}

static_assert(v1::WORKER_STATE_FAILED == static_cast<int>(WorkerState::Failed) + 1);
static_assert(v1::RUN_STATE_LOST == static_cast<int>(RunState::Lost) + 1);
static_assert(v1::STREAM_STDERR == static_cast<int>(Stream::Stderr) + 1);
static_assert(v1::RendezvousStep::STEP_FAILED ==
              static_cast<int>(RendezvousStep::Step::Failed) + 1);
static_assert(v1::Verdict::KIND_MISMATCH == static_cast<int>(Verdict::Kind::Mismatch) + 1);
static_assert(v1::Notice::SEVERITY_ERROR == static_cast<int>(Notice::Severity::Error) + 1);

} // namespace ringmaster
