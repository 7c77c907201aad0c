// NCCL's profiler plugin: tells the ledger of this process when its operations begin and end on the
// GPU. NCCL loads it where NCCL_PROFILER_PLUGIN names it, unloads it with the last communicator,
// and may load it again. Nothing here fails: without a ledger nothing is told.

#include "engine/ledger/LedgerWriter.h"
#include "engine/ledger/hook/DeviceClock.h"
#include "engine/ledger/hook/NcclAbi.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <utility>

namespace ringmaster::ledger {
namespace {

constexpr std::size_t MostChannels = 64;

struct Launch;

/// Handles begin with the type of their event.
struct Channel
{
    std::uint64_t type = nccl::KernelChannel;
    Launch* launch = nullptr;
    std::int64_t startedNs = 0; ///< Of the GPU's clock, as the next.
    std::int64_t endedNs = 0;
};

struct Communicator;

/// One operation on its way through the GPU.
struct Launch
{
    std::uint64_t type = nccl::Collective;
    Communicator* communicator = nullptr;
    Call call{};
    std::uint64_t ticket = 0;
    std::uint64_t kernel = 0; ///< Its number. What is in one runs side by side.
    std::size_t channels = 0; ///< That it takes,
    std::size_t begun = 0;    ///< of these, as the next.
    std::size_t ended = 0;
    std::int64_t startedNs = 0;
    std::int64_t endedNs = 0;
    bool isTold = false;
    bool isStopped = false; ///< NCCL has given its handle back.
    Channel kernels[MostChannels];
};

struct Communicator
{
    int ranks = 1;
    std::shared_ptr<LedgerWriter> writer{}; ///< Null: nothing is told.
    std::mutex mutex{};
    DeviceClock clock{};
    std::uint64_t kernel = 1;           ///< Of the launch to come.
    bool isKernelFull = false;          ///< What comes is of the next one.
    std::uint64_t measuredKernel = 0;   ///< The last whose moments came; 0: none.
    std::int64_t measuredStartedNs = 0; ///< When it began.
    /// NCCL counts kernels otherwise than the GPU does, and tells one's moments as another's: none
    /// is believed any more, nor when anything is over. It is so from the first message on that a
    /// rank sends itself, a part of every all_to_all, which the GPU counts and NCCL doesn't (2.28's
    /// addP2pToPlan; the latest, too).
    bool isAstray = false;
    std::deque<std::unique_ptr<Launch>> launches{}; ///< In their order.
};

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

/// With the communicator's mutex. `endedNs` 0: nobody will say when it was over.
void tell(Launch& launch, std::int64_t startedNs, std::int64_t endedNs)
{
    if (std::exchange(launch.isTold, true))
        return;
    launch.communicator->writer->deviceEnd(launch.ticket, launch.call, startedNs, endedNs,
                                           static_cast<std::uint32_t>(launch.channels));
}

/// One communicator's kernels follow each other on the GPU: when this one's is over, or where that
/// can't be known, is launched, whatever came before is over, or as good as.
void tellEarlier(Communicator& communicator, const Launch& launch)
{
    for (const auto& earlier : communicator.launches) {
        if (earlier->kernel == launch.kernel)
            break;
        tell(*earlier, 0, 0);
    }
}

void begin(Communicator& communicator, void** handle, std::uint64_t type, const Call& call,
           std::size_t channels)
{
    auto launch = std::make_unique<Launch>();
    launch->type = type;
    launch->communicator = &communicator;
    launch->call = call;
    launch->channels = channels;
    launch->ticket = communicator.writer->deviceBegin(call, monotonicNs());
    const std::lock_guard<std::mutex> guard(communicator.mutex);
    if (std::exchange(communicator.isKernelFull, false))
        ++communicator.kernel;
    launch->kernel = communicator.kernel;
    if (communicator.isAstray)
        tellEarlier(communicator, *launch);
    *handle = launch.get();
    communicator.launches.push_back(std::move(launch));
}

/// It is copied in the kernel that sends the other parts; NCCL never says when.
void beginToItself(Communicator& communicator)
{
    const std::lock_guard<std::mutex> guard(communicator.mutex);
    communicator.isAstray = true;
}

void beginChannel(void** handle, const nccl::Descriptor& descriptor)
{
    auto* launch = static_cast<Launch*>(descriptor.parent);
    if (launch == nullptr)
        return;
    const std::lock_guard<std::mutex> guard(launch->communicator->mutex);
    if (launch->begun == MostChannels)
        return;
    Channel& channel = launch->kernels[launch->begun++];
    channel.launch = launch;
    channel.startedNs = static_cast<std::int64_t>(descriptor.kernelChannel.timer);
    *handle = &channel;
}

/// With the communicator's mutex: what NCCL won't speak of any more.
void forgetOver(Communicator& communicator)
{
    auto& launches = communicator.launches;
    launches.erase(std::remove_if(launches.begin(), launches.end(),
                                  [](const auto& launch) {
                                      return launch->isTold && launch->isStopped &&
                                             launch->ended >= launch->channels;
                                  }),
                   launches.end());
}

/// A kernel's moments are of a kernel before it.
bool isOfAnEarlierKernel(Communicator& communicator, const Launch& launch)
{
    if (launch.kernel == communicator.measuredKernel)
        return false;
    const std::int64_t beforeNs = std::exchange(communicator.measuredStartedNs, launch.startedNs);
    communicator.measuredKernel = launch.kernel;
    return beforeNs != 0 && launch.startedNs <= beforeNs;
}

void complete(Communicator& communicator, Launch& launch)
{
    const DeviceClock& clock = communicator.clock;
    if (launch.endedNs != 0 && isOfAnEarlierKernel(communicator, launch))
        communicator.isAstray = true;
    if (communicator.isAstray)
        return;
    if (launch.endedNs == 0)
        return tell(launch, 0, 0);
    tellEarlier(communicator, launch);
    tell(launch, clock.here(launch.startedNs), clock.here(launch.endedNs));
}

void endChannel(Channel& channel)
{
    Launch& launch = *channel.launch;
    Communicator& communicator = *launch.communicator;
    const std::lock_guard<std::mutex> guard(communicator.mutex);
    ++launch.ended;
    // The GPU's ring of moments is short: what was overwritten there runs backwards.
    if (channel.endedNs >= channel.startedNs) {
        launch.startedNs = launch.startedNs == 0 ? channel.startedNs
                                                 : std::min(launch.startedNs, channel.startedNs);
        launch.endedNs = std::max(launch.endedNs, channel.endedNs);
    }
    if (launch.ended < launch.channels)
        return;
    complete(communicator, launch);
    forgetOver(communicator);
}

/// It was handed to the GPU; when it is over there, its channels say. NCCL tells of all that a
/// kernel does before it says so of the first.
void handedOver(Launch& launch)
{
    Communicator& communicator = *launch.communicator;
    const std::lock_guard<std::mutex> guard(communicator.mutex);
    launch.isStopped = true;
    communicator.isKernelFull = true;
    if (launch.channels == 0)
        tell(launch, 0, 0);
    forgetOver(communicator);
}

int init(void** context, int* events, int ranks)
{
    auto communicator = std::make_unique<Communicator>();
    communicator->ranks = ranks;
    communicator->writer = sharedWriter();
    *events = communicator->writer == nullptr
                  ? 0
                  : nccl::Collective | nccl::PointToPoint | nccl::KernelChannel;
    *context = communicator.release();
    return 0;
}

void start(void* context, void** handle, std::uint64_t type, const nccl::Descriptor& descriptor)
{
    *handle = nullptr;
    auto* communicator = static_cast<Communicator*>(context);
    if (communicator == nullptr || communicator->writer == nullptr)
        return;
    if (type == nccl::Collective)
        begin(*communicator, handle, type, callOf(descriptor.collective, communicator->ranks),
              descriptor.collective.channels);
    else if (type == nccl::PointToPoint && descriptor.pointToPoint.peer == descriptor.rank)
        beginToItself(*communicator);
    else if (type == nccl::PointToPoint)
        begin(*communicator, handle, type, callOf(descriptor.pointToPoint),
              descriptor.pointToPoint.channels);
    else if (type == nccl::KernelChannel)
        beginChannel(handle, descriptor);
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
    if (handle == nullptr)
        return 0;
    if (*static_cast<std::uint64_t*>(handle) == nccl::KernelChannel)
        endChannel(*static_cast<Channel*>(handle));
    else
        handedOver(*static_cast<Launch*>(handle));
    return 0;
}

int recordEventState(void* handle, int state, nccl::Arguments* arguments)
{
    if (handle == nullptr || state != nccl::KernelChannelStop || arguments == nullptr ||
        *static_cast<std::uint64_t*>(handle) != nccl::KernelChannel)
        return 0;
    auto& channel = *static_cast<Channel*>(handle);
    Communicator& communicator = *channel.launch->communicator;
    const std::lock_guard<std::mutex> guard(communicator.mutex);
    channel.endedNs = static_cast<std::int64_t>(arguments->kernelChannel.timer);
    communicator.clock.heard(channel.endedNs, monotonicNs());
    return 0;
}

int finalize(void* context)
{
    const std::unique_ptr<Communicator> communicator(static_cast<Communicator*>(context));
    if (communicator == nullptr)
        return 0;
    for (const auto& launch : communicator->launches)
        tell(*launch, 0, 0);
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
