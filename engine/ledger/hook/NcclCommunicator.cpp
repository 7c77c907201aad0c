#include "engine/ledger/hook/NcclCommunicator.h"

#include "engine/ledger/hook/NcclAbi.h"

#include <algorithm>
#include <utility>

namespace ringmaster::ledger {

namespace {

constexpr std::size_t MostChannels = 64;

} // namespace

/// Handles begin with the type of their event.
struct NcclCommunicator::Channel
{
    std::uint64_t type = nccl::KernelChannel;
    Launch* launch = nullptr;
    std::int64_t startedNs = 0;
    std::int64_t endedNs = 0;
};

/// One operation on its way.
struct NcclCommunicator::Launch
{
    std::uint64_t type = nccl::Collective;
    NcclCommunicator* communicator = nullptr;
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

NcclCommunicator::NcclCommunicator(int ranks, std::shared_ptr<LedgerWriter> writer)
    : m_ranks(ranks), m_writer(std::move(writer))
{
}

NcclCommunicator::~NcclCommunicator()
{
    for (const auto& launch : m_launches)
        tell(*launch, 0, 0);
}

/// `endedNs` 0: nobody will say when it was over.
void NcclCommunicator::tell(Launch& launch, std::int64_t startedNs, std::int64_t endedNs)
{
    if (!std::exchange(launch.isTold, true))
        m_writer->deviceEnd(launch.ticket, launch.call, startedNs, endedNs,
                            static_cast<std::uint32_t>(launch.channels));
}

/// One communicator's kernels follow each other on the GPU: when this one's is over, or where that
/// can't be known, is launched, whatever came before is over, or as good as.
void NcclCommunicator::tellEarlier(const Launch& launch)
{
    for (const auto& earlier : m_launches) {
        if (earlier->kernel == launch.kernel)
            break;
        tell(*earlier, 0, 0);
    }
}

void* NcclCommunicator::begin(std::uint64_t type, const Call& call, std::size_t channels)
{
    auto launch = std::make_unique<Launch>();
    launch->type = type;
    launch->communicator = this;
    launch->call = call;
    launch->channels = channels;
    launch->ticket = m_writer->deviceBegin(call, monotonicNs());
    const std::lock_guard<std::mutex> guard(m_mutex);
    if (std::exchange(m_isKernelFull, false))
        ++m_kernel;
    launch->kernel = m_kernel;
    if (m_isAstray)
        tellEarlier(*launch);
    m_launches.push_back(std::move(launch));
    return m_launches.back().get();
}

void NcclCommunicator::beginToItself()
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    m_isAstray = true;
}

void* NcclCommunicator::beginChannel(void* operation, std::int64_t startedNs)
{
    auto* launch = static_cast<Launch*>(operation);
    if (launch == nullptr)
        return nullptr;
    const std::lock_guard<std::mutex> guard(launch->communicator->m_mutex);
    if (launch->begun == MostChannels)
        return nullptr;
    Channel& channel = launch->kernels[launch->begun++];
    channel.launch = launch;
    channel.startedNs = startedNs;
    return &channel;
}

void NcclCommunicator::channelStopped(void* channel, std::int64_t endedNs)
{
    if (channel == nullptr || *static_cast<std::uint64_t*>(channel) != nccl::KernelChannel)
        return;
    auto& stopped = *static_cast<Channel*>(channel);
    NcclCommunicator& communicator = *stopped.launch->communicator;
    const std::lock_guard<std::mutex> guard(communicator.m_mutex);
    stopped.endedNs = endedNs;
    communicator.m_clock.heard(endedNs, monotonicNs());
}

void NcclCommunicator::stopped(void* handle)
{
    if (handle == nullptr)
        return;
    if (*static_cast<std::uint64_t*>(handle) == nccl::KernelChannel) {
        const auto& channel = *static_cast<Channel*>(handle);
        channel.launch->communicator->endChannel(channel);
    } else {
        auto& launch = *static_cast<Launch*>(handle);
        launch.communicator->handedOver(launch);
    }
}

void NcclCommunicator::endChannel(const Channel& channel)
{
    Launch& launch = *channel.launch;
    const std::lock_guard<std::mutex> guard(m_mutex);
    ++launch.ended;
    // The GPU's ring of moments is short: what was overwritten there runs backwards.
    if (channel.endedNs >= channel.startedNs) {
        launch.startedNs = launch.startedNs == 0 ? channel.startedNs
                                                 : std::min(launch.startedNs, channel.startedNs);
        launch.endedNs = std::max(launch.endedNs, channel.endedNs);
    }
    if (launch.ended < launch.channels)
        return;
    complete(launch);
    forgetOver();
}

/// It was handed to the GPU; when it is over there, its channels say. NCCL tells of all that a
/// kernel does before it says so of the first.
void NcclCommunicator::handedOver(Launch& launch)
{
    const std::lock_guard<std::mutex> guard(m_mutex);
    launch.isStopped = true;
    m_isKernelFull = true;
    if (launch.channels == 0)
        tell(launch, 0, 0);
    forgetOver();
}

void NcclCommunicator::complete(Launch& launch)
{
    if (launch.endedNs != 0 && isOfAnEarlierKernel(launch))
        m_isAstray = true;
    if (m_isAstray)
        return;
    if (launch.endedNs == 0)
        return tell(launch, 0, 0);
    tellEarlier(launch);
    tell(launch, m_clock.here(launch.startedNs), m_clock.here(launch.endedNs));
}

/// A kernel's moments are of a kernel before it.
bool NcclCommunicator::isOfAnEarlierKernel(const Launch& launch)
{
    if (launch.kernel == m_measuredKernel)
        return false;
    const std::int64_t beforeNs = std::exchange(m_measuredStartedNs, launch.startedNs);
    m_measuredKernel = launch.kernel;
    return beforeNs != 0 && launch.startedNs <= beforeNs;
}

/// What NCCL won't speak of any more.
void NcclCommunicator::forgetOver()
{
    m_launches.erase(std::remove_if(m_launches.begin(), m_launches.end(),
                                    [](const auto& launch) {
                                        return launch->isTold && launch->isStopped &&
                                               launch->ended >= launch->channels;
                                    }),
                     m_launches.end());
}

} // namespace ringmaster::ledger
