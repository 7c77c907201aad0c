#include "engine/control/OperationProto.h"

#include "engine/event/ProtoFields.h"
#include "engine/ledger/OperationBlock.h"

namespace ringmaster {

namespace diagnose {

RM_FIELDS(Stack::Frame, function, file, line);
RM_FIELDS(Stack, source, frames, text, code, holdsGil, isActive, takenNs, sameSinceNs);
RM_FIELDS(NcclMember, communicator, rank, size, launched, isStill, isUnresponsive);

} // namespace diagnose

namespace {

using State = diagnose::ProcessView::State;

v1::RankActivity::Process toProto(State state)
{
    switch (state) {
    case State::Unknown: return v1::RankActivity::PROCESS_UNSPECIFIED;
    case State::Alive: return v1::RankActivity::PROCESS_ALIVE;
    case State::Stopped: return v1::RankActivity::PROCESS_STOPPED;
    case State::Dead: break;
    }
    return v1::RankActivity::PROCESS_DEAD;
}

/// A later version may know more than this one.
State stateOf(v1::RankActivity::Process proto)
{
    if (proto == v1::RankActivity::PROCESS_ALIVE)
        return State::Alive;
    if (proto == v1::RankActivity::PROCESS_STOPPED)
        return State::Stopped;
    return proto == v1::RankActivity::PROCESS_DEAD ? State::Dead : State::Unknown;
}

void toProto(const ProcessWait& wait, v1::ProcessWait& proto)
{
    // Their order is the same.
    proto.set_kind(static_cast<v1::ProcessWait::Kind>(wait.kind));
    proto.set_is_writing(wait.isWriting);
    proto.set_is_other_thread(wait.isOtherThread);
    proto.set_name(wait.name);
    proto.set_bytes_moved(wait.bytes);
    proto.set_span_ns(wait.spanNs);
    proto.set_left_ns(wait.leftNs);
    proto.set_sleep_ns(wait.sleepNs);
    proto.set_state(wait.state);
    proto.set_system_call(wait.systemCall);
    proto.set_channel(wait.channel);
    for (const ProcessWait::Child& child : wait.children) {
        v1::ProcessWait::Child& told = *proto.add_children();
        told.set_pid(child.pid);
        told.set_command(child.command);
        told.set_state(static_cast<int>(child.state));
        told.set_signal(child.signal);
        told.set_exit_code(child.exitCode);
        told.set_is_awaited(child.isAwaited);
        told.set_is_copy(child.isCopy);
        told.set_is_loader_worker(child.isLoaderWorker);
        told.set_is_at_work(child.isAtWork);
    }
}

/// What a later version knows is no kind of this one.
ProcessWait fromProto(const v1::ProcessWait& proto)
{
    using Child = ProcessWait::Child;
    const bool isKnown = v1::ProcessWait::Kind_IsValid(proto.kind());
    ProcessWait wait{.kind = isKnown ? static_cast<ProcessWait::Kind>(proto.kind())
                                     : ProcessWait::Kind::Unknown,
                     .isWriting = proto.is_writing(),
                     .isOtherThread = proto.is_other_thread(),
                     .name = proto.name(),
                     .bytes = proto.bytes_moved(),
                     .spanNs = proto.span_ns(),
                     .leftNs = proto.left_ns(),
                     .sleepNs = proto.sleep_ns(),
                     .state = proto.state(),
                     .systemCall = proto.system_call(),
                     .channel = proto.channel()};
    for (const v1::ProcessWait::Child& told : proto.children())
        wait.children.push_back({.pid = told.pid(),
                                 .command = told.command(),
                                 .state = told.state() == 1   ? Child::State::Stopped
                                          : told.state() == 2 ? Child::State::Ended
                                                              : Child::State::Alive,
                                 .signal = told.signal(),
                                 .exitCode = told.exit_code(),
                                 .isAwaited = told.is_awaited(),
                                 .isCopy = told.is_copy(),
                                 .isLoaderWorker = told.is_loader_worker(),
                                 .isAtWork = told.is_at_work()});
    return wait;
}

void toProto(const RankActivity& rank, v1::RankActivity& proto)
{
    proto.set_attempt(rank.attempt);
    proto.set_global_rank(rank.rank);
    proto.set_is_recorded(rank.isRecorded);
    proto.set_process(toProto(rank.process.state));
    proto.set_pid(rank.process.pid);
    proto.set_idle_ns(rank.process.idleNs);
    proto.set_frozen_ns(rank.process.frozenNs);
    if (rank.process.quietAgoNs >= 0)
        proto.set_quiet_ago_ns(rank.process.quietAgoNs);
    proto.set_cpu_share(rank.process.cpuShare);
    proto.set_processor_wait(rank.process.processorWait);
    proto.set_operations(packOperations(rank.now));
    if (rank.process.stack)
        fields::write(*rank.process.stack, *proto.mutable_stack());
    ringmaster::toProto(rank.process.noStack, *proto.mutable_no_stack());
    for (const Message& thread : rank.process.threadsLeft)
        ringmaster::toProto(thread, *proto.add_threads_left());
    for (const Message& thread : rank.process.threadsFailed)
        ringmaster::toProto(thread, *proto.add_threads_failed());
    if (rank.process.childStack)
        fields::write(*rank.process.childStack, *proto.mutable_child_stack());
    if (rank.process.wait)
        toProto(*rank.process.wait, *proto.mutable_wait());
    for (const diagnose::NcclMember& member : rank.process.nccl)
        fields::write(member, *proto.add_nccl());
    proto.set_first_operation(rank.firstOperation);
    proto.set_seen_ns(rank.seenNs);
}

Result<RankActivity> fromProto(const v1::RankActivity& proto)
{
    const double share = RM_TRY(finite(proto.cpu_share(), "state of a rank"));
    const double processorWait = RM_TRY(finite(proto.processor_wait(), "state of a rank"));
    RankActivity rank{
        .rank = proto.global_rank(),
        .attempt = proto.attempt(),
        .isRecorded = proto.is_recorded(),
        .process = {.state = stateOf(proto.process()),
                    .pid = proto.pid(),
                    .idleNs = proto.idle_ns(),
                    .frozenNs = proto.frozen_ns(),
                    .quietAgoNs = proto.has_quiet_ago_ns() ? proto.quiet_ago_ns() : -1,
                    .cpuShare = share,
                    .processorWait = processorWait,
                    .noStack = ringmaster::fromProto(proto.no_stack())},
        .firstOperation = proto.first_operation(),
        .seenNs = proto.seen_ns()};
    for (const auto& thread : proto.threads_left())
        rank.process.threadsLeft.push_back(ringmaster::fromProto(thread));
    rank.now = RM_TRY(unpackOperations(proto.operations()));
    for (const auto& thread : proto.threads_failed())
        rank.process.threadsFailed.push_back(ringmaster::fromProto(thread));
    for (const v1::NcclMember& told : proto.nccl())
        rank.process.nccl.push_back(RM_TRY(fields::read<diagnose::NcclMember>(told)));
    if (proto.has_child_stack())
        rank.process.childStack = RM_TRY(fields::read<diagnose::Stack>(proto.child_stack()));
    if (proto.has_wait())
        rank.process.wait = fromProto(proto.wait());
    if (proto.has_stack())
        rank.process.stack = RM_TRY(fields::read<diagnose::Stack>(proto.stack()));
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

void toProto(const std::vector<RankActivity>& ranks, v1::RankActivities& proto)
{
    for (const RankActivity& rank : ranks)
        toProto(rank, *proto.add_ranks());
}

Result<std::vector<RankActivity>> fromProto(const v1::RankActivities& proto)
{
    std::vector<RankActivity> ranks;
    for (const v1::RankActivity& rank : proto.ranks())
        ranks.push_back(RM_TRY(fromProto(rank)));
    return ranks;
}

} // namespace ringmaster
