#pragma once

#include "engine/collective/RingOptions.h"
#include "engine/collective/RingWork.h"
#include "engine/collective/WorkQueue.h"
#include "engine/collective/ring/Group.h"
#include "engine/collective/ring/StepFile.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/version.h>

namespace ringmaster::collective {

/// The ring as a backend of torch.distributed, for tensors in the processor's memory.
class RingBackend : public c10d::Backend
{
public:
    /// Joins; throws what exceptionOf() says when that fails.
    RingBackend(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                RingOptions options);
    ~RingBackend() override;

    const std::string getBackendName() const override { return "ring"; }
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 9 // before, it is Gloo's and NCCL's alone
    void setTimeout(std::chrono::milliseconds timeout) override
    {
        m_options.timeout = timeout;
    }
#endif
    std::uint64_t getSequenceNumberForGroup() override
    {
        return m_sequence;
    }
    void setSequenceNumberForGroup() override {}
    void abort() override;

    /// The way that the latest collective took; "auto" before the first.
    std::string lastAlgorithm() const;

    using Tensors = std::vector<at::Tensor>;
    using WorkPointer = c10::intrusive_ptr<c10d::Work>;

    WorkPointer allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
    WorkPointer allreduce_coalesced(Tensors& tensors,
                                    const c10d::AllreduceCoalescedOptions& options) override;
    WorkPointer reduce(Tensors& tensors, const c10d::ReduceOptions& options) override;
    WorkPointer broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
    WorkPointer allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                          const c10d::AllgatherOptions& options) override;
    WorkPointer _allgather_base(at::Tensor& output, at::Tensor& input,
                                const c10d::AllgatherOptions& options) override;
    WorkPointer allgather_coalesced(std::vector<Tensors>& outputs, Tensors& inputs,
                                    const c10d::AllgatherOptions& options) override;
    WorkPointer allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                const c10d::AllgatherOptions& options) override;
    WorkPointer reduce_scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                               const c10d::ReduceScatterOptions& options) override;
    WorkPointer _reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                     const c10d::ReduceScatterOptions& options) override;
    WorkPointer reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                const c10d::ReduceScatterOptions& options) override;
    WorkPointer gather(std::vector<Tensors>& outputs, Tensors& inputs,
                       const c10d::GatherOptions& options) override;
    WorkPointer scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                        const c10d::ScatterOptions& options) override;
    WorkPointer alltoall(Tensors& outputs, Tensors& inputs,
                         const c10d::AllToAllOptions& options) override;
    WorkPointer alltoall_base(at::Tensor& output, at::Tensor& input,
                              std::vector<std::int64_t>& outputSizes,
                              std::vector<std::int64_t>& inputSizes,
                              const c10d::AllToAllOptions& options) override;
    WorkPointer barrier(const c10d::BarrierOptions& options) override;
    void monitoredBarrier(const c10d::BarrierOptions& options, bool waitAllRanks) override;
    WorkPointer send(Tensors& tensors, int to, int tag) override;
    WorkPointer recv(Tensors& tensors, int from, int tag) override;
    WorkPointer recvAnysource(Tensors& tensors, int tag) override;

private:
    using Job = std::function<Result<void>(ring::Collectives&, const ring::Collectives::Options&)>;

    struct Description
    {
        c10d::OpType type;
        const char* title;
        std::chrono::milliseconds timeout;
        bool isAsync;
        Tensors inputs;
        Tensors outputs;
    };

    static ring::DataType typeOfFirst(const Description& description);
    WorkPointer enqueue(Description description, Job job);
    WorkPointer
    message(c10d::OpType type, const char* title, Tensors& tensors,
            const std::function<void(ring::Bytes, ring::Deadline, ring::Group::Done)>& start);

    RingOptions m_options;
    std::unique_ptr<ring::StepFile> m_steps; ///< Null: nobody wants to know.
    std::unique_ptr<ring::Group> m_group;
    std::atomic<std::uint64_t> m_sequence{0};
    std::atomic<ring::Algorithm> m_lastAlgorithm{ring::Algorithm::Auto};
    std::unique_ptr<WorkQueue> m_queue; ///< Last: ends before the group is left.
};

} // namespace ringmaster::collective
