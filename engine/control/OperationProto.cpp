#include "engine/control/OperationProto.h"

#include "engine/event/FiniteNumber.h"
#include "engine/event/Proto.h"
#include "engine/ledger/OperationBlock.h"

#include <ringmaster.pb.h>

namespace ringmaster {

namespace {

using State = diagnose::ProcessView::State;

v1::RankState::Process toProto(State state)
{
    switch (state) {
    case State::Unknown: return v1::RankState::PROCESS_UNSPECIFIED;
    case State::Alive: return v1::RankState::PROCESS_ALIVE;
    case State::Stopped: return v1::RankState::PROCESS_STOPPED;
    case State::Dead: break;
    }
    return v1::RankState::PROCESS_DEAD;
}

/// A later version may know more than this one.
State stateOf(v1::RankState::Process proto)
{
    if (proto == v1::RankState::PROCESS_ALIVE)
        return State::Alive;
    if (proto == v1::RankState::PROCESS_STOPPED)
        return State::Stopped;
    return proto == v1::RankState::PROCESS_DEAD ? State::Dead : State::Unknown;
}

void toProto(const diagnose::Stack& stack, v1::RankStack& proto)
{
    proto.set_source(stack.source);
    for (const diagnose::Stack::Frame& frame : stack.frames) {
        v1::RankStack::Frame& told = *proto.add_frames();
        told.set_function(frame.function);
        told.set_file(frame.file);
        told.set_line(frame.line);
    }
    proto.set_text(stack.text);
    proto.set_code(stack.code);
    proto.set_taken_ns(stack.takenNs);
    proto.set_same_since_ns(stack.sameSinceNs);
}

diagnose::Stack fromProto(const v1::RankStack& proto)
{
    diagnose::Stack stack{.source = proto.source(),
                          .text = proto.text(),
                          .code = proto.code(),
                          .takenNs = proto.taken_ns(),
                          .sameSinceNs = proto.same_since_ns()};
    for (const v1::RankStack::Frame& frame : proto.frames())
        stack.frames.push_back({frame.function(), frame.file(), frame.line()});
    return stack;
}

void toProto(const RankState& rank, v1::RankState& proto)
{
    proto.set_attempt(rank.attempt);
    proto.set_global_rank(rank.rank);
    proto.set_is_recorded(rank.isRecorded);
    proto.set_process(toProto(rank.process.state));
    proto.set_pid(rank.process.pid);
    proto.set_idle_ns(rank.process.idleNs);
    proto.set_frozen_ns(rank.process.frozenNs);
    proto.set_cpu_share(rank.process.cpuShare);
    proto.set_operations(packOperations(rank.now));
    if (rank.process.stack)
        toProto(*rank.process.stack, *proto.mutable_stack());
    ringmaster::toProto(rank.process.noStack, *proto.mutable_no_stack());
    for (const Message& thread : rank.process.threadsLeft)
        ringmaster::toProto(thread, *proto.add_threads_left());
    proto.set_first_operation(rank.firstOperation);
}

Result<RankState> fromProto(const v1::RankState& proto)
{
    const double share = RM_TRY(finite(proto.cpu_share(), "state of a rank"));
    RankState rank{.rank = proto.global_rank(),
                   .attempt = proto.attempt(),
                   .isRecorded = proto.is_recorded(),
                   .process = {.state = stateOf(proto.process()),
                               .pid = proto.pid(),
                               .idleNs = proto.idle_ns(),
                               .frozenNs = proto.frozen_ns(),
                               .cpuShare = share,
                               .noStack = ringmaster::fromProto(proto.no_stack())},
                   .firstOperation = proto.first_operation()};
    for (const auto& thread : proto.threads_left())
        rank.process.threadsLeft.push_back(ringmaster::fromProto(thread));
    rank.now = RM_TRY(unpackOperations(proto.operations()));
    if (proto.has_stack())
        rank.process.stack = fromProto(proto.stack());
    return rank;
}

} // namespace

void toProto(const OperationPage& page, v1::OperationPage& proto)
{
    for (const OperationRow& row : page.rows) {
        v1::OperationPage::Block& block = *proto.add_blocks();
        block.set_attempt(row.attempt);
        block.set_global_rank(row.globalRank);
        block.set_first_ns(row.firstNs);
        block.set_last_ns(row.lastNs);
        block.set_count(row.count);
        block.set_block(row.block);
    }
    proto.set_cursor(page.cursor);
}

OperationPage fromProto(const v1::OperationPage& proto)
{
    OperationPage page{.cursor = proto.cursor()};
    for (const v1::OperationPage::Block& block : proto.blocks())
        page.rows.push_back({.attempt = block.attempt(),
                             .globalRank = block.global_rank(),
                             .firstNs = block.first_ns(),
                             .lastNs = block.last_ns(),
                             .count = block.count(),
                             .block = block.block()});
    return page;
}

void toProto(const std::vector<RankState>& ranks, v1::RankStates& proto)
{
    for (const RankState& rank : ranks)
        toProto(rank, *proto.add_ranks());
}

Result<std::vector<RankState>> fromProto(const v1::RankStates& proto)
{
    std::vector<RankState> ranks;
    for (const v1::RankState& rank : proto.ranks())
        ranks.push_back(RM_TRY(fromProto(rank)));
    return ranks;
}

} // namespace ringmaster
