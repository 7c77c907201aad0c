// NCCL's profiler plugin: tells the ledger of this process when its operations begin and end on the
// GPU. NCCL loads it where NCCL_PROFILER_PLUGIN names it, unloads it with the last communicator,
// and may load it again. Nothing here fails: without a ledger nothing is told.

#include "engine/ledger/LedgerWriter.h"
#include "engine/ledger/hook/NcclAbi.h"
#include "engine/ledger/hook/NcclCommunicator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace ringmaster::ledger {
namespace {

/// The value of a part in RINGMASTER_HOOK: `report=…;ledger=PATH,BELL;…`, with %XX.
std::string hookPart(const char* name)
{
    const char* text = std::getenv("RINGMASTER_HOOK");
    const std::string all = text == nullptr ? std::string() : ";" + std::string(text) + ";";
    const std::string start = ";" + std::string(name) + "=";
    const std::size_t at = all.find(start);
    if (at == std::string::npos)
        return {};
    std::string value;
    for (std::size_t i = at + start.size(); all[i] != ';'; ++i) {
        const bool isEscape = all[i] == '%' && i + 2 < all.size();
        value += isEscape
                     ? static_cast<char>(std::strtol(all.substr(i + 1, 2).c_str(), nullptr, 16))
                     : all[i];
        i += isEscape ? 2 : 0;
    }
    return value;
}

/// Of this process, if it records: one for all communicators.
std::shared_ptr<LedgerWriter> sharedWriter()
{
    struct Known
    {
        std::mutex mutex{};
        std::string path{};
        std::weak_ptr<LedgerWriter> writer{};
    };
    // Never destroyed: NCCL's threads may outlive the statics.
    static Known& known = *new Known;
    std::string path = hookPart("ledger");
    if (const char* own = std::getenv("RINGMASTER_LEDGER"); path.empty() && own != nullptr)
        path = own; // the rank has made it itself
    path.resize(std::min(path.size(), path.find(',')));
    const std::lock_guard<std::mutex> guard(known.mutex);
    auto writer = known.path == path ? known.writer.lock() : nullptr;
    if (writer == nullptr)
        writer = LedgerWriter::join(path.c_str());
    known.path = std::move(path);
    known.writer = writer;
    return writer;
}

OperationKind kindOf(const char* function)
{
    constexpr std::pair<const char*, OperationKind> Known[] = {
        {"AllReduce", OperationKind::AllReduce}, {"AllGather", OperationKind::AllGather},
        {"AlltoAll", OperationKind::AllToAll},   {"Broadcast", OperationKind::Broadcast},
        {"Gather", OperationKind::Gather},       {"Recv", OperationKind::Receive},
        {"Reduce", OperationKind::Reduce},       {"ReduceScatter", OperationKind::ReduceScatter},
        {"Scatter", OperationKind::Scatter},     {"Send", OperationKind::Send}};
    for (const auto& [name, kind] : Known) {
        if (function != nullptr && std::strcmp(function, name) == 0)
            return kind;
    }
    return OperationKind::Other;
}

struct Type
{
    DataType type = DataType::Other;
    std::size_t bytes = 1;
};

Type typeOf(const char* name)
{
    constexpr std::pair<const char*, Type> Known[] = {
        {"ncclInt8", {DataType::Int8, 1}},         {"ncclInt32", {DataType::Int32, 4}},
        {"ncclUint32", {DataType::Other, 4}},      {"ncclInt64", {DataType::Int64, 8}},
        {"ncclUint64", {DataType::Other, 8}},      {"ncclFloat16", {DataType::Float16, 2}},
        {"ncclFloat32", {DataType::Float32, 4}},   {"ncclFloat64", {DataType::Float64, 8}},
        {"ncclBfloat16", {DataType::Bfloat16, 2}}, {"ncclFloat8e4m3", {DataType::Float8, 1}},
        {"ncclFloat8e5m2", {DataType::Float8, 1}}};
    for (const auto& [known, type] : Known) {
        if (name != nullptr && std::strcmp(name, known) == 0)
            return type;
    }
    return {}; // NCCL 2.28 calls ncclUint8 unknown
}

/// Counts of these are a rank's.
bool isOfARank(OperationKind kind)
{
    return kind == OperationKind::AllGather || kind == OperationKind::ReduceScatter;
}

Call callOf(const nccl::CollectiveDescriptor& collective, int ranks)
{
    const auto [type, bytes] = typeOf(collective.type);
    Call call;
    call.kind = kindOf(collective.function);
    call.type = type;
    call.elements = collective.count;
    call.bytes =
        collective.count * bytes * (isOfARank(call.kind) ? static_cast<std::size_t>(ranks) : 1);
    call.number = collective.number + 1;
    return call;
}

Call callOf(const nccl::PointToPointDescriptor& message)
{
    const auto [type, bytes] = typeOf(message.type);
    Call call;
    call.kind = kindOf(message.function);
    call.type = type;
    call.elements = message.count;
    call.bytes = message.count * bytes;
    call.peer = message.peer;
    return call;
}

int init(void** context, int* events, int ranks)
{
    auto writer = sharedWriter();
    *events = writer == nullptr ? 0 : nccl::Collective | nccl::PointToPoint | nccl::KernelChannel;
    *context = new NcclCommunicator(ranks, std::move(writer));
    return 0;
}

void* started(NcclCommunicator& communicator, std::uint64_t type,
              const nccl::Descriptor& descriptor)
{
    const bool isMessage = type == nccl::PointToPoint;
    if (isMessage && descriptor.pointToPoint.peer == descriptor.rank)
        communicator.beginToItself();
    else if (isMessage)
        return communicator.begin(type, callOf(descriptor.pointToPoint),
                                  descriptor.pointToPoint.channels);
    else if (type == nccl::Collective)
        return communicator.begin(type, callOf(descriptor.collective, communicator.ranks()),
                                  descriptor.collective.channels);
    else if (type == nccl::KernelChannel)
        return NcclCommunicator::beginChannel(
            descriptor.parent, static_cast<std::int64_t>(descriptor.kernelChannel.timer));
    return nullptr;
}

void start(void* context, void** handle, std::uint64_t type, const nccl::Descriptor& descriptor)
{
    auto* communicator = static_cast<NcclCommunicator*>(context);
    const bool isRecorded = communicator != nullptr && communicator->isRecorded();
    *handle = isRecorded ? started(*communicator, type, descriptor) : nullptr;
}

int startEventV5(void* context, void** handle, nccl::Descriptor* descriptor)
{
    start(context, handle, descriptor->type, *descriptor);
    return 0;
}

int startEventV4(void* context, void** handle, nccl::Descriptor* descriptor)
{
    start(context, handle, descriptor->type & 0xFFU, *descriptor);
    return 0;
}

int stopEvent(void* handle)
{
    NcclCommunicator::stopped(handle);
    return 0;
}

int recordEventState(void* handle, int state, nccl::Arguments* arguments)
{
    if (state == nccl::KernelChannelStop && arguments != nullptr)
        NcclCommunicator::channelStopped(handle,
                                         static_cast<std::int64_t>(arguments->kernelChannel.timer));
    return 0;
}

int finalize(void* context)
{
    delete static_cast<NcclCommunicator*>(context);
    return 0;
}

int initV5(void** context, std::uint64_t /*communicator*/, int* events, const char* /*name*/,
           int /*nodes*/, int ranks, int /*rank*/, nccl::Log /*log*/)
{
    return init(context, events, ranks);
}

int initV4(void** context, int* events, const char* /*name*/, std::uint64_t /*communicator*/,
           int /*nodes*/, int ranks, int /*rank*/, nccl::Log /*log*/)
{
    return init(context, events, ranks);
}

} // namespace
} // namespace ringmaster::ledger

extern "C" {
__attribute__((visibility("default")))
ringmaster::nccl::ProfilerV5 ncclProfiler_v5{"Ringmaster",
                                             ringmaster::ledger::initV5,
                                             ringmaster::ledger::startEventV5,
                                             ringmaster::ledger::stopEvent,
                                             ringmaster::ledger::recordEventState,
                                             ringmaster::ledger::finalize};

__attribute__((visibility("default")))
ringmaster::nccl::ProfilerV4 ncclProfiler_v4{"Ringmaster",
                                             ringmaster::ledger::initV4,
                                             ringmaster::ledger::startEventV4,
                                             ringmaster::ledger::stopEvent,
                                             ringmaster::ledger::recordEventState,
                                             ringmaster::ledger::finalize};
}
