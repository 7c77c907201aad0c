#include "engine/collective/sweep/SweepBenchmark.h"

#include <map>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

namespace ringmaster::collective {

namespace {

/// Values repeat after as many elements.
constexpr std::int64_t Period = 10;
/// Filled and compared at a time.
constexpr std::int64_t Block = Period << 16U;

at::ScalarType typeNamed(const std::string& name)
{
    static const std::map<std::string, at::ScalarType> types{
        {"float32", at::kFloat},  {"float16", at::kHalf}, {"bfloat16", at::kBFloat16},
        {"float64", at::kDouble}, {"int8", at::kChar},    {"uint8", at::kByte},
        {"int32", at::kInt},      {"int64", at::kLong}};
    const auto found = types.find(name);
    TORCH_CHECK(found != types.end(), "there is no type ", name);
    return found->second;
}

c10d::ReduceOp reductionNamed(const std::string& name)
{
    static const std::map<std::string, c10d::ReduceOp::RedOpType> reductions{
        {"sum", c10d::ReduceOp::SUM},
        {"product", c10d::ReduceOp::PRODUCT},
        {"min", c10d::ReduceOp::MIN},
        {"max", c10d::ReduceOp::MAX},
        {"avg", c10d::ReduceOp::AVG}};
    const auto found = reductions.find(name);
    TORCH_CHECK(found != reductions.end(), "there is no reduction ", name);
    return c10d::ReduceOp(found->second);
}

bool hasParts(const std::string& collective)
{
    return collective == "all_gather" || collective == "reduce_scatter" ||
           collective == "all_to_all" || collective == "gather" || collective == "scatter";
}

bool reduces(const std::string& collective)
{
    return collective == "all_reduce" || collective == "reduce" || collective == "reduce_scatter";
}

void waitFor(const c10::intrusive_ptr<c10d::Work>& work)
{
    if (work)
        work->wait();
}

/// Applies `use` to the tensor's blocks and as much of the pattern.
template <class Use>
void forEachBlock(const at::Tensor& tensor, const at::Tensor& pattern, const Use& use)
{
    for (std::int64_t at = 0; at < tensor.numel(); at += Block) {
        const std::int64_t length = std::min(Block, tensor.numel() - at);
        use(tensor.narrow(0, at, length), pattern.narrow(0, 0, length));
    }
}

} // namespace

std::int64_t SweepBenchmark::Shape::countFor(std::int64_t wantedBytes) const
{
    const auto element = static_cast<std::int64_t>(c10::elementSize(typeNamed(type)));
    return wantedBytes / (element * (hasParts(collective) ? ranks : 1));
}

std::int64_t SweepBenchmark::Shape::bytesOf(std::int64_t count) const
{
    const auto element = static_cast<std::int64_t>(c10::elementSize(typeNamed(type)));
    return count * element * (hasParts(collective) ? ranks : 1);
}

SweepBenchmark::SweepBenchmark(Shape shape, std::int64_t count, const SweepBackend& backend)
    : m_shape(std::move(shape)), m_count(count), m_backend(backend), m_type(typeNamed(m_shape.type))
{
    const std::string& name = m_shape.collective;
    const int ranks = m_shape.ranks;
    const int atRoot = isRoot() ? ranks : 0;
    const bool scatters = name == "reduce_scatter" || name == "all_to_all";
    const bool gathers = name == "all_gather" || name == "all_to_all";
    m_input = allocate(name == "scatter" ? atRoot : scatters ? ranks : 1);
    if (name == "gather")
        m_output = allocate(atRoot);
    else if (name == "reduce_scatter" || name == "scatter" || name == "sendrecv")
        m_output = allocate(1);
    else if (gathers)
        m_output = allocate(ranks);
}

SweepBenchmark::Tensors SweepBenchmark::allocate(int parts) const
{
    Tensors tensors;
    tensors.whole =
        at::empty({m_count * parts}, at::TensorOptions(m_type).device(m_backend.device));
    for (int i = 0; i < parts; ++i)
        tensors.parts.push_back(tensors.whole.narrow(0, i * m_count, m_count));
    return tensors;
}

/// Part `part` of rank `rank`: small whole numbers, so that every type holds what becomes of them.
at::Tensor SweepBenchmark::pattern(int rank, int part) const
{
    const auto whole = at::arange(Block, at::TensorOptions(at::kLong).device(m_backend.device));
    if (m_shape.reduction == "product" && reduces(m_shape.collective)) {
        // At most one rank of a few doubles an element.
        const auto turn = (whole + part) % Period;
        return (turn == rank % Period).to(at::kLong) + 1;
    }
    return (whole + 3 * rank + 2 * part) % 5 + 1;
}

/// What part `part` of the result is; the part is this rank's where there is one only.
at::Tensor SweepBenchmark::expected(int part) const
{
    const std::string& name = m_shape.collective;
    const int from = (m_shape.rank + m_shape.ranks - 1) % m_shape.ranks;
    if (name == "sendrecv")
        return pattern(from, 0).to(m_type);
    if (name == "broadcast")
        return pattern(0, 0).to(m_type);
    if (name == "scatter")
        return pattern(0, m_shape.rank).to(m_type);
    if (name == "all_gather" || name == "gather")
        return pattern(part, 0).to(m_type);
    if (name == "all_to_all")
        return pattern(part, m_shape.rank).to(m_type);
    const int own = name == "reduce_scatter" ? m_shape.rank : 0;
    at::Tensor result = pattern(0, own);
    for (int rank = 1; rank < m_shape.ranks; ++rank) {
        const at::Tensor other = pattern(rank, own);
        if (m_shape.reduction == "product")
            result = result * other;
        else if (m_shape.reduction == "min")
            result = at::minimum(result, other);
        else if (m_shape.reduction == "max")
            result = at::maximum(result, other);
        else
            result = result + other;
    }
    if (m_shape.reduction == "avg")
        result = result.to(at::kDouble) / m_shape.ranks;
    return result.to(m_type);
}

void SweepBenchmark::fill()
{
    for (size_t part = 0; part < m_input.parts.size(); ++part) {
        const at::Tensor values = pattern(m_shape.rank, static_cast<int>(part)).to(m_type);
        forEachBlock(m_input.parts[part], values,
                     [](const at::Tensor& block, const at::Tensor& some) { block.copy_(some); });
    }
    if (m_output.whole.defined())
        m_output.whole.zero_();
    m_backend.synchronize();
}

void SweepBenchmark::run()
{
    if (m_shape.collective == "sendrecv") {
        for (const auto& work : startPair())
            waitFor(work);
    } else {
        waitFor(start());
    }
    m_backend.synchronize();
}

std::vector<c10::intrusive_ptr<c10d::Work>> SweepBenchmark::startPair()
{
    c10d::Backend& group = *m_backend.group;
    const int next = (m_shape.rank + 1) % m_shape.ranks;
    const int last = (m_shape.rank + m_shape.ranks - 1) % m_shape.ranks;
    const bool isGrouped = m_backend.device.is_cuda();
    if (isGrouped)
        group.startCoalescing();
    const auto sent = group.send(m_input.parts, next, 0);
    const auto received = group.recv(m_output.parts, last, 0);
    if (isGrouped)
        return {group.endCoalescing()};
    return {sent, received};
}

c10::intrusive_ptr<c10d::Work> SweepBenchmark::start()
{
    c10d::Backend& group = *m_backend.group;
    const std::string& name = m_shape.collective;
    const c10d::ReduceOp reduction = reductionNamed(m_shape.reduction);
    std::vector<std::vector<at::Tensor>> outputs;
    std::vector<std::vector<at::Tensor>> inputs;
    if (isRoot()) {
        outputs = {m_output.parts};
        inputs = {m_input.parts};
    }
    std::vector<std::int64_t> equally;
    // asyncOp false, as a program's plain call has it.
    if (name == "all_reduce")
        return group.allreduce(m_input.parts, {.reduceOp = reduction, .asyncOp = false});
    if (name == "reduce")
        return group.reduce(m_input.parts, {.reduceOp = reduction, .asyncOp = false});
    if (name == "broadcast")
        return group.broadcast(m_input.parts, {.asyncOp = false});
    if (name == "all_gather")
        return group._allgather_base(m_output.whole, m_input.whole, {.asyncOp = false});
    if (name == "reduce_scatter")
        return group._reduce_scatter_base(m_output.whole, m_input.whole,
                                          {.reduceOp = reduction, .asyncOp = false});
    if (name == "all_to_all")
        return group.alltoall_base(m_output.whole, m_input.whole, equally, equally,
                                   {.asyncOp = false});
    if (name == "gather")
        return group.gather(outputs, m_input.parts, {.asyncOp = false});
    TORCH_CHECK(name == "scatter", "there is no collective ", name);
    return group.scatter(m_output.parts, inputs, {.asyncOp = false});
}

std::int64_t SweepBenchmark::wrong() const
{
    const bool isChanged = !m_output.whole.defined();
    // Only root has a result; what the others are left with is theirs.
    const bool rootOnly = m_shape.collective == "reduce" || m_shape.collective == "gather";
    if (rootOnly && !isRoot())
        return 0;
    std::int64_t count = 0;
    const auto& results = isChanged ? m_input.parts : m_output.parts;
    for (size_t part = 0; part < results.size(); ++part) {
        const at::Tensor values = expected(static_cast<int>(part));
        // Whole numbers are exact; an average may be rounded on the way.
        const double tolerance =
            m_shape.reduction == "avg" && at::isFloatingType(m_type) ? 0.02 : 0;
        forEachBlock(results[part], values, [&](const at::Tensor& block, const at::Tensor& some) {
            const auto far = tolerance > 0 ? (block - some).abs() > tolerance : block != some;
            count += far.sum().item<std::int64_t>();
        });
    }
    return count;
}

} // namespace ringmaster::collective
