#include "engine/collective/TensorBytes.h"

namespace ringmaster::collective {

namespace {

ring::DataType typeOf(const at::Tensor& tensor)
{
    const auto type = elementTypeOf(tensor);
    TORCH_CHECK(type, "ring can't reduce tensors of type ", tensor.scalar_type());
    return *type;
}

ring::Reduction reductionOf(const c10d::ReduceOp& operation)
{
    switch (operation.op_) {
    case c10d::ReduceOp::SUM: return ring::Reduction::Sum;
    case c10d::ReduceOp::AVG: return ring::Reduction::Average;
    case c10d::ReduceOp::PRODUCT: return ring::Reduction::Product;
    case c10d::ReduceOp::MIN: return ring::Reduction::Min;
    case c10d::ReduceOp::MAX: return ring::Reduction::Max;
    case c10d::ReduceOp::BAND:
    case c10d::ReduceOp::BOR:
    case c10d::ReduceOp::BXOR:
    case c10d::ReduceOp::PREMUL_SUM:
    case c10d::ReduceOp::UNUSED: break;
    }
    TORCH_CHECK(false, "ring reduces with SUM, PRODUCT, MIN, MAX and AVG only");
}

} // namespace

std::optional<ring::DataType> elementTypeOf(const at::Tensor& tensor)
{
    switch (tensor.scalar_type()) {
    case at::kBool: return ring::DataType::Bool;
    case at::kChar: return ring::DataType::Int8;
    case at::kByte: return ring::DataType::UInt8;
    case at::kInt: return ring::DataType::Int32;
    case at::kLong: return ring::DataType::Int64;
    case at::kHalf: return ring::DataType::Float16;
    case at::kBFloat16: return ring::DataType::BFloat16;
    case at::kFloat: return ring::DataType::Float32;
    case at::kDouble: return ring::DataType::Float64;
    default: return std::nullopt; // All that torch has and the ring can't reduce.
    }
}

ring::Bytes bytesOf(const at::Tensor& tensor)
{
    TORCH_CHECK(tensor.device().is_cpu(), "ring takes tensors on the CPU, not on ",
                tensor.device());
    TORCH_CHECK(tensor.layout() == at::kStrided &&
                    tensor.is_contiguous(tensor.suggest_memory_format()),
                "ring takes contiguous tensors");
    return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

std::vector<ring::Bytes> bytesOf(const std::vector<at::Tensor>& tensors)
{
    std::vector<ring::Bytes> all;
    for (const at::Tensor& tensor : tensors)
        all.push_back(bytesOf(tensor));
    return all;
}

std::vector<ring::ConstBytes> readOnly(const std::vector<ring::Bytes>& parts)
{
    return {parts.begin(), parts.end()};
}

std::vector<ring::ConstBytes> constBytesOf(const std::vector<at::Tensor>& tensors)
{
    return readOnly(bytesOf(tensors));
}

std::vector<ring::Bytes> partsOf(const at::Tensor& tensor, int parts)
{
    const ring::Bytes whole = bytesOf(tensor);
    const auto count = static_cast<std::size_t>(parts);
    TORCH_CHECK(tensor.numel() % parts == 0, "a tensor of ", tensor.numel(),
                " elements can't be divided among ", parts, " ranks");
    std::vector<ring::Bytes> all;
    for (std::size_t part = 0; part < count; ++part)
        all.push_back(whole.subspan(part * (whole.size() / count), whole.size() / count));
    return all;
}

std::vector<ring::Bytes> partsOf(const at::Tensor& tensor, const std::vector<std::int64_t>& rows,
                                 int parts)
{
    if (rows.empty())
        return partsOf(tensor, parts);
    const ring::Bytes whole = bytesOf(tensor);
    const std::size_t rowBytes =
        tensor.size(0) == 0 ? 0 : whole.size() / static_cast<std::size_t>(tensor.size(0));
    std::vector<ring::Bytes> all;
    std::size_t start = 0;
    for (const std::int64_t count : rows) {
        const std::size_t bytes = static_cast<std::size_t>(count) * rowBytes;
        TORCH_CHECK(count >= 0 && start + bytes <= whole.size(),
                    "the split sizes exceed the tensor");
        all.push_back(whole.subspan(start, bytes));
        start += bytes;
    }
    TORCH_CHECK(start == whole.size(), "the split sizes don't add up to the tensor");
    return all;
}

ring::Arithmetic arithmeticOf(const at::Tensor& tensor, const c10d::ReduceOp& operation)
{
    return {typeOf(tensor), reductionOf(operation)};
}

} // namespace ringmaster::collective
