#include "engine/collective/RingBackend.h"

#include "engine/base/Codes.h"
#include "engine/collective/StoreKeyValue.h"
#include "engine/collective/TensorBytes.h"
#include "engine/ledger/hook/AlgorithmListener.h"

#include <unistd.h>

namespace ringmaster::collective {

namespace {

using c10d::OpType;

struct ProcessWatch
{
    pid_t process = -1;
    std::shared_ptr<ring::Watch> watch{};
};

/// One for all groups of the process. Never destroyed: a group may outlive the statics, and in a
/// forked process it is the parent's, whose thread isn't there.
std::shared_ptr<ring::Watch> sharedWatch()
{
    // No lock: a fork could leave it held for ever.
    static std::atomic<const ProcessWatch*> shared{nullptr};
    const ProcessWatch* known = shared.load();
    if (known != nullptr && known->process == ::getpid())
        return known->watch;
    auto started = ring::Watch::start();
    if (!started)
        std::rethrow_exception(exceptionOf(started.error()));
    std::unique_ptr<const ProcessWatch> own(new ProcessWatch{::getpid(), *std::move(started)});
    // Another thread may have been quicker.
    return shared.compare_exchange_strong(known, own.get()) ? own.release()->watch : known->watch;
}

std::unique_ptr<ring::Group> joined(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                    int size, const RingOptions& options, ring::Observer* observer)
{
    StoreKeyValue keyValue(store, rank);
    auto group = ring::Group::join(
        keyValue, {rank, size, options.timeout, options.interface, {}, observer, sharedWatch()});
    if (!group)
        std::rethrow_exception(exceptionOf(group.error()));
    return *std::move(group);
}

/// Of this process, from 1.
int nextGroup()
{
    static std::atomic<int> last{0};
    return ++last;
}

ledger::Algorithm recordedAs(ring::Algorithm way)
{
    switch (way) {
    case ring::Algorithm::Ring: return ledger::Algorithm::Ring;
    case ring::Algorithm::Tree: return ledger::Algorithm::Tree;
    case ring::Algorithm::Direct: return ledger::Algorithm::Direct;
    case ring::Algorithm::Auto: break;
    }
    return ledger::Algorithm::Unknown;
}

/// Who records this call; a barrier goes a way of its own, which has no name.
std::shared_ptr<ledger::AlgorithmListener> listenerOf(OpType type)
{
    return type == OpType::BARRIER ? nullptr : ledger::wayListener();
}

const at::Tensor& only(const std::vector<at::Tensor>& tensors)
{
    TORCH_CHECK(tensors.size() == 1, "ring takes one tensor a call, not ", tensors.size());
    return tensors.front();
}

} // namespace

RingBackend::RingBackend(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                         RingOptions options)
    : Backend(rank, size)
    , m_options(std::move(options))
    , m_steps(ring::StepFile::open(m_options.stepFile, nextGroup(), m_options.faultFile))
    , m_group(joined(store, rank, size, m_options, m_steps.get()))
    , m_queue(std::make_unique<WorkQueue>())
{
    init();
}

RingBackend::~RingBackend()
{
    // In a forked process the queue's thread isn't there, and nobody gives its lock back.
    if (!m_group->checkOwner())
        (void)m_queue.release();
}

std::string RingBackend::lastAlgorithm() const
{
    return std::string(nameOf(m_lastAlgorithm.load()));
}

void RingBackend::abort()
{
    m_group->abort({{code::Cancelled, {{"what", "The group"}}, {}}, {}});
}

ring::DataType RingBackend::typeOfFirst(const Description& description)
{
    for (const Tensors& tensors : {description.inputs, description.outputs}) {
        if (!tensors.empty())
            return elementTypeOf(tensors.front()).value_or(ring::DataType::Bytes);
    }
    return ring::DataType::Bytes;
}

RingBackend::WorkPointer RingBackend::enqueue(Description description, Job job)
{
    const auto timeout =
        description.timeout == c10d::kUnsetTimeout ? m_options.timeout : description.timeout;
    const ring::Collectives::Options options{ring::Deadline::clock::now() + timeout,
                                             m_options.algorithm};
    const auto mode = description.isAsync ? WorkQueue::Mode::Background : WorkQueue::Mode::AtOnce;
    const auto elementType = m_steps ? typeOfFirst(description) : ring::DataType::Bytes;
    auto listener = listenerOf(description.type);
    auto work = c10::make_intrusive<RingWork>(rank_, description.type, description.title,
                                              std::move(description.inputs),
                                              std::move(description.outputs), ++m_sequence);
    // Before the queue, whose thread isn't in a forked process.
    if (const auto checked = m_group->checkOwner(); !checked) {
        work->complete(tl::unexpected(checked.error()));
        return work;
    }
    m_queue->run(
        [this, work, job = std::move(job), options, elementType, listener = std::move(listener)] {
            const auto collective = [&](ring::Collectives& all) {
                if (m_steps)
                    m_steps->setElementType(elementType);
                auto done = job(all, options);
                m_lastAlgorithm = all.lastAlgorithm();
                if (listener != nullptr && done)
                    listener->went(recordedAs(all.lastAlgorithm()));
                return done;
            };
            try {
                work->complete(m_group->collect(collective).map([] { return -1; }));
            } catch (const std::exception& error) {
                work->complete(fail(code::InternalError, {{"what", error.what()}}));
            }
        },
        mode);
    return work;
}

RingBackend::WorkPointer RingBackend::allreduce(Tensors& tensors,
                                                const c10d::AllreduceOptions& options)
{
    const ring::Bytes data = bytesOf(only(tensors));
    const auto arithmetic = arithmeticOf(tensors[0], options.reduceOp);
    return enqueue(
        {OpType::ALLREDUCE, "ring:all_reduce", options.timeout, options.asyncOp, tensors, tensors},
        [data, arithmetic](auto& all, const auto& how) {
            return all.allReduce(data, arithmetic, how);
        });
}

RingBackend::WorkPointer
RingBackend::allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options)
{
    const auto data = bytesOf(tensors);
    std::vector<ring::Arithmetic> arithmetic;
    for (const at::Tensor& tensor : tensors)
        arithmetic.push_back(arithmeticOf(tensor, options.reduceOp));
    return enqueue({OpType::ALLREDUCE_COALESCED, "ring:all_reduce", options.timeout,
                    options.asyncOp, tensors, tensors},
                   [data, arithmetic](auto& all, const auto& how) -> Result<void> {
                       for (std::size_t i = 0; i < data.size(); ++i)
                           RM_TRY(all.allReduce(data[i], arithmetic[i], how));
                       return {};
                   });
}

RingBackend::WorkPointer RingBackend::reduce(Tensors& tensors, const c10d::ReduceOptions& options)
{
    const ring::Bytes data = bytesOf(only(tensors));
    const auto arithmetic = arithmeticOf(tensors[0], options.reduceOp);
    const int root = static_cast<int>(options.rootRank);
    const ring::Bytes output = root == rank_ ? data : ring::Bytes{};
    return enqueue(
        {OpType::REDUCE, "ring:reduce", options.timeout, options.asyncOp, tensors, tensors},
        [=](auto& all, const auto& how) {
            return all.reduce(data, output, root, arithmetic, how);
        });
}

RingBackend::WorkPointer RingBackend::broadcast(Tensors& tensors,
                                                const c10d::BroadcastOptions& options)
{
    const ring::Bytes data = bytesOf(only(tensors));
    const int root = static_cast<int>(options.rootRank);
    return enqueue(
        {OpType::BROADCAST, "ring:broadcast", options.timeout, options.asyncOp, tensors, tensors},
        [=](auto& all, const auto& how) { return all.broadcast(data, root, how); });
}

RingBackend::WorkPointer RingBackend::allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                                                const c10d::AllgatherOptions& options)
{
    TORCH_CHECK(outputs.size() == 1, "ring takes one list of outputs a call");
    return enqueue({OpType::ALLGATHER, "ring:all_gather", options.timeout, options.asyncOp, inputs,
                    outputs[0]},
                   [input = bytesOf(only(inputs)), parts = bytesOf(outputs[0])](
                       auto& all, const auto& how) { return all.allGather(input, parts, how); });
}

RingBackend::WorkPointer RingBackend::_allgather_base(at::Tensor& output, at::Tensor& input,
                                                      const c10d::AllgatherOptions& options)
{
    return enqueue({OpType::_ALLGATHER_BASE,
                    "ring:_all_gather_base",
                    options.timeout,
                    options.asyncOp,
                    {input},
                    {output}},
                   [own = bytesOf(input), parts = partsOf(output, size_)](
                       auto& all, const auto& how) { return all.allGather(own, parts, how); });
}

RingBackend::WorkPointer RingBackend::allgather_coalesced(std::vector<Tensors>& outputs,
                                                          Tensors& inputs,
                                                          const c10d::AllgatherOptions& options)
{
    // One list of outputs a rank, one tensor in it an input.
    TORCH_CHECK(outputs.size() == static_cast<std::size_t>(size_),
                "ring needs a list of outputs a rank");
    std::vector<std::vector<ring::Bytes>> parts(inputs.size());
    Tensors all;
    for (const Tensors& ofRank : outputs) {
        TORCH_CHECK(ofRank.size() == inputs.size(), "ring needs as many outputs as inputs");
        for (std::size_t i = 0; i < inputs.size(); ++i)
            parts[i].push_back(bytesOf(ofRank[i]));
        all.insert(all.end(), ofRank.begin(), ofRank.end());
    }
    return enqueue(
        {OpType::ALLGATHER_COALESCED, "ring:all_gather", options.timeout, options.asyncOp, inputs,
         all},
        [own = constBytesOf(inputs), parts](auto& collectives, const auto& how) -> Result<void> {
            for (std::size_t i = 0; i < own.size(); ++i)
                RM_TRY(collectives.allGather(own[i], parts[i], how));
            return {};
        });
}

RingBackend::WorkPointer
RingBackend::allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                             const c10d::AllgatherOptions& options)
{
    TORCH_CHECK(outputs.size() == inputs.size(), "ring needs as many outputs as inputs");
    std::vector<std::vector<ring::Bytes>> parts;
    for (const at::Tensor& output : outputs)
        parts.push_back(partsOf(output, size_));
    return enqueue({OpType::COALESCED, "ring:_all_gather_base", options.timeout, options.asyncOp,
                    inputs, outputs},
                   [own = constBytesOf(inputs), parts](auto& all, const auto& how) -> Result<void> {
                       for (std::size_t i = 0; i < own.size(); ++i)
                           RM_TRY(all.allGather(own[i], parts[i], how));
                       return {};
                   });
}

RingBackend::WorkPointer RingBackend::reduce_scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                                                     const c10d::ReduceScatterOptions& options)
{
    TORCH_CHECK(inputs.size() == 1, "ring takes one list of inputs a call");
    const auto arithmetic = arithmeticOf(only(outputs), options.reduceOp);
    return enqueue({OpType::REDUCE_SCATTER, "ring:reduce_scatter", options.timeout, options.asyncOp,
                    inputs[0], outputs},
                   [parts = constBytesOf(inputs[0]), own = bytesOf(outputs[0]),
                    arithmetic](auto& all, const auto& how) {
                       return all.reduceScatter(parts, own, arithmetic, how);
                   });
}

RingBackend::WorkPointer
RingBackend::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                  const c10d::ReduceScatterOptions& options)
{
    const auto arithmetic = arithmeticOf(output, options.reduceOp);
    return enqueue({OpType::_REDUCE_SCATTER_BASE,
                    "ring:_reduce_scatter_base",
                    options.timeout,
                    options.asyncOp,
                    {input},
                    {output}},
                   [parts = readOnly(partsOf(input, size_)), own = bytesOf(output),
                    arithmetic](auto& all, const auto& how) {
                       return all.reduceScatter(parts, own, arithmetic, how);
                   });
}

RingBackend::WorkPointer
RingBackend::reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                             const c10d::ReduceScatterOptions& options)
{
    TORCH_CHECK(outputs.size() == inputs.size(), "ring needs as many outputs as inputs");
    std::vector<std::vector<ring::ConstBytes>> parts;
    std::vector<ring::Arithmetic> arithmetic;
    for (const at::Tensor& input : inputs) {
        parts.push_back(readOnly(partsOf(input, size_)));
        arithmetic.push_back(arithmeticOf(input, options.reduceOp));
    }
    return enqueue(
        {OpType::COALESCED, "ring:_reduce_scatter_base", options.timeout, options.asyncOp, inputs,
         outputs},
        [parts, own = bytesOf(outputs), arithmetic](auto& all, const auto& how) -> Result<void> {
            for (std::size_t i = 0; i < own.size(); ++i)
                RM_TRY(all.reduceScatter(parts[i], own[i], arithmetic[i], how));
            return {};
        });
}

RingBackend::WorkPointer RingBackend::gather(std::vector<Tensors>& outputs, Tensors& inputs,
                                             const c10d::GatherOptions& options)
{
    const int root = static_cast<int>(options.rootRank);
    const Tensors collected = root == rank_ && !outputs.empty() ? outputs[0] : Tensors{};
    return enqueue(
        {OpType::GATHER, "ring:gather", options.timeout, options.asyncOp, inputs, collected},
        [own = bytesOf(only(inputs)), parts = bytesOf(collected),
         root](auto& all, const auto& how) { return all.gather(own, parts, root, how); });
}

RingBackend::WorkPointer RingBackend::scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                                              const c10d::ScatterOptions& options)
{
    const int root = static_cast<int>(options.rootRank);
    const Tensors given = root == rank_ && !inputs.empty() ? inputs[0] : Tensors{};
    return enqueue(
        {OpType::SCATTER, "ring:scatter", options.timeout, options.asyncOp, given, outputs},
        [own = bytesOf(only(outputs)), parts = constBytesOf(given),
         root](auto& all, const auto& how) { return all.scatter(parts, own, root, how); });
}

RingBackend::WorkPointer RingBackend::alltoall(Tensors& outputs, Tensors& inputs,
                                               const c10d::AllToAllOptions& options)
{
    return enqueue(
        {OpType::ALLTOALL, "ring:all_to_all", options.timeout, options.asyncOp, inputs, outputs},
        [from = constBytesOf(inputs), to = bytesOf(outputs)](auto& all, const auto& how) {
            return all.allToAll(from, to, how);
        });
}

RingBackend::WorkPointer RingBackend::alltoall_base(at::Tensor& output, at::Tensor& input,
                                                    std::vector<std::int64_t>& outputSizes,
                                                    std::vector<std::int64_t>& inputSizes,
                                                    const c10d::AllToAllOptions& options)
{
    return enqueue({OpType::ALLTOALL_BASE,
                    "ring:all_to_all",
                    options.timeout,
                    options.asyncOp,
                    {input},
                    {output}},
                   [from = readOnly(partsOf(input, inputSizes, size_)),
                    to = partsOf(output, outputSizes, size_)](auto& all, const auto& how) {
                       return all.allToAll(from, to, how);
                   });
}

RingBackend::WorkPointer RingBackend::barrier(const c10d::BarrierOptions& options)
{
    return enqueue({OpType::BARRIER, "ring:barrier", options.timeout, options.asyncOp, {}, {}},
                   [](auto& all, const auto& how) { return all.barrier(how); });
}

void RingBackend::monitoredBarrier(const c10d::BarrierOptions& options, bool)
{
    // The ring's barrier names who is absent; there is nothing more to monitor.
    c10d::BarrierOptions atOnce = options;
    atOnce.asyncOp = false;
    barrier(atOnce)->wait();
}

RingBackend::WorkPointer RingBackend::message(
    OpType type, const char* title, Tensors& tensors,
    const std::function<void(ring::Bytes, ring::Deadline, ring::Group::Done)>& start)
{
    const ring::Bytes data = bytesOf(only(tensors));
    auto work = c10::make_intrusive<RingWork>(rank_, type, title, tensors, tensors, 0);
    start(data, ring::Deadline::clock::now() + m_options.timeout,
          [work](const Result<int>& outcome) { work->complete(outcome); });
    return work;
}

RingBackend::WorkPointer RingBackend::send(Tensors& tensors, int to, int tag)
{
    return message(OpType::SEND, "ring:send", tensors,
                   [&](ring::Bytes data, ring::Deadline deadline, ring::Group::Done done) {
                       m_group->send(to, static_cast<std::uint32_t>(tag), data, deadline,
                                     std::move(done));
                   });
}

RingBackend::WorkPointer RingBackend::recv(Tensors& tensors, int from, int tag)
{
    return message(OpType::RECV, "ring:recv", tensors,
                   [&](ring::Bytes data, ring::Deadline deadline, ring::Group::Done done) {
                       m_group->receive(from, static_cast<std::uint32_t>(tag), data, deadline,
                                        std::move(done));
                   });
}

RingBackend::WorkPointer RingBackend::recvAnysource(Tensors& tensors, int tag)
{
    return message(OpType::RECVANYSOURCE, "ring:recv", tensors,
                   [&](ring::Bytes data, ring::Deadline deadline, ring::Group::Done done) {
                       m_group->receiveFromAny(static_cast<std::uint32_t>(tag), data, deadline,
                                               std::move(done));
                   });
}

} // namespace ringmaster::collective
