#pragma once

#include "engine/ledger/LedgerWriter.h"
#include "engine/ledger/hook/DeviceClock.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace ringmaster::ledger {

/// The operations of one NCCL communicator on their way through the GPU: puts the moments of each
/// one's kernel together, and tells the ledger when it was over there. NCCL knows operations and
/// their channels by the handles that it gets here. Any thread.
class NcclCommunicator
{
public:
    /// `writer` null: nothing is recorded.
    NcclCommunicator(int ranks, std::shared_ptr<LedgerWriter> writer);
    /// What is under way is told as over.
    ~NcclCommunicator();
    NcclCommunicator(const NcclCommunicator&) = delete;
    NcclCommunicator& operator=(const NcclCommunicator&) = delete;

    int ranks() const { return m_ranks; }
    bool isRecorded() const { return m_writer != nullptr; }

    // Only where it is recorded; the answer is the handle, or null: there is none.
    /// `type`: of NCCL's event; `channels`: that the operation takes.
    void* begin(std::uint64_t type, const Call& call, std::size_t channels);
    /// A message of a rank to itself is copied in the kernel that sends the other parts; NCCL never
    /// says when.
    void beginToItself();
    /// Of the operation whose handle this is. Times of channels are of the GPU's clock.
    static void* beginChannel(void* operation, std::int64_t startedNs);

    // Of any handle, or null.
    static void channelStopped(void* channel, std::int64_t endedNs);
    /// NCCL has done with it.
    static void stopped(void* handle);

private:
    struct Channel;
    struct Launch;

    void endChannel(const Channel& channel);
    void handedOver(Launch& launch);
    void complete(Launch& launch);
    void tell(Launch& launch, std::int64_t startedNs, std::int64_t endedNs);
    void tellEarlier(const Launch& launch);
    void forgetOver();
    bool isOfAnEarlierKernel(const Launch& launch);

    const int m_ranks;
    const std::shared_ptr<LedgerWriter> m_writer;
    std::mutex m_mutex; ///< Of all that follows.
    DeviceClock m_clock;
    std::uint64_t m_kernel = 1;           ///< Of the launch to come.
    bool m_isKernelFull = false;          ///< What comes is of the next one.
    std::uint64_t m_measuredKernel = 0;   ///< The last whose moments came; 0: none.
    std::int64_t m_measuredStartedNs = 0; ///< When it began.
    /// NCCL counts kernels otherwise than the GPU does, and tells one's moments as another's: none
    /// is believed any more, nor when anything is over. It is so from the first message on that a
    /// rank sends itself, a part of every all_to_all, which the GPU counts and NCCL doesn't (2.28's
    /// addP2pToPlan; the latest, too).
    bool m_isAstray = false;
    std::deque<std::unique_ptr<Launch>> m_launches; ///< In their order.
};

} // namespace ringmaster::ledger
