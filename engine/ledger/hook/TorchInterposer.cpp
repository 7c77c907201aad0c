// Records torch's process group operators by standing between the dispatcher and the backends: a
// boxed kernel for each at BackendSelect, which every call passes, also those of DDP's reducer, of
// functional collectives and in inference mode. One object serves one version of torch.

#include "engine/ledger/hook/HookRecorder.h"
#include "engine/ledger/hook/OperationTable.h"
#include "engine/ledger/hook/RecordedWork.h"
#include "engine/ledger/hook/TorchIdentity.h"

#include <cstring>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <pthread.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/library.h>

namespace ringmaster::ledger {

namespace {

// Never destroyed: the backends' threads may still write while the process ends.
HookRecorder* recorder = nullptr;
std::atomic<bool> isActive{false};

/// Where an operator's arguments are, by its schema; -1: it has none such.
struct Places
{
    size_t arguments = 0;
    int group = -1;
    int reduction = -1;
    int peer = -1;
    int tag = -1;
    int goesOn = -1;
};
std::array<Places, OperationTable.size()> placesOfAll;

Places placesIn(const c10::FunctionSchema& schema)
{
    Places places;
    for (const c10::Argument& argument : schema.arguments()) {
        const std::string& name = argument.name();
        const int place = static_cast<int>(places.arguments++);
        if (name == "process_group")
            places.group = place;
        else if (name == "reduce_op")
            places.reduction = place;
        else if (name == "root_rank" || name == "dst" || name == "src")
            places.peer = place;
        else if (name == "tag")
            places.tag = place;
        else if (name == "async_op" || name == "asyncOp")
            places.goesOn = place;
    }
    return places;
}

DataType dataTypeOf(at::ScalarType type)
{
    switch (type) {
    case at::kByte: return DataType::Uint8;
    case at::kChar: return DataType::Int8;
    case at::kShort: return DataType::Int16;
    case at::kInt: return DataType::Int32;
    case at::kLong: return DataType::Int64;
    case at::kHalf: return DataType::Float16;
    case at::kBFloat16: return DataType::Bfloat16;
    case at::kFloat: return DataType::Float32;
    case at::kDouble: return DataType::Float64;
    case at::kBool: return DataType::Bool;
    case at::kComplexFloat: return DataType::Complex64;
    case at::kComplexDouble: return DataType::Complex128;
    case at::kFloat8_e4m3fn:
    case at::kFloat8_e5m2: return DataType::Float8;
    default: return DataType::Other; // torch has dozens, and adds to them
    }
}

Reduction reductionOf(c10d::ReduceOp::RedOpType type)
{
    switch (type) {
    case c10d::ReduceOp::SUM: return Reduction::Sum;
    case c10d::ReduceOp::AVG: return Reduction::Average;
    case c10d::ReduceOp::PRODUCT: return Reduction::Product;
    case c10d::ReduceOp::MIN: return Reduction::Min;
    case c10d::ReduceOp::MAX: return Reduction::Max;
    case c10d::ReduceOp::BAND: return Reduction::And;
    case c10d::ReduceOp::BOR: return Reduction::Or;
    case c10d::ReduceOp::BXOR: return Reduction::Xor;
    case c10d::ReduceOp::PREMUL_SUM:
    case c10d::ReduceOp::UNUSED: return Reduction::Other;
    }
    return Reduction::Other;
}

/// The C++ object behind one of torch's custom classes, as toCustomClass() has it but without its
/// look-up of the type, which the operator's schema vouches for.
template <class Class>
Class& customClass(const c10::IValue& value)
{
    return static_cast<Class&>(*value.toObjectRef().getSlot(0).toCapsule());
}

void addTensor(Call& call, const at::Tensor& tensor)
{
    if (!tensor.defined())
        return;
    const auto elements = static_cast<std::uint64_t>(tensor.numel());
    call.elements += elements;
    call.bytes += elements * tensor.element_size();
    const DataType type = dataTypeOf(tensor.scalar_type());
    call.type = call.type == DataType::None || call.type == type ? type : DataType::Other;
}

void readData(Call& call, const OperationShape& shape, const c10::IValue& data, int ranks)
{
    if (data.isTensor()) {
        addTensor(call, data.toTensor());
    } else if (data.isTensorList()) {
        for (const at::Tensor& tensor : data.toTensorList())
            addTensor(call, tensor);
    }
    if (shape.scale == Scale::Ranks)
        call.bytes *= static_cast<std::uint64_t>(ranks);
}

/// Of the first tensor there is; an operation of an empty list runs where torch wants.
c10::DeviceType deviceOf(const c10::IValue& data)
{
    if (data.isTensor() && data.toTensor().defined())
        return data.toTensor().device().type();
    if (data.isList()) {
        for (const c10::IValue& element : data.toListRef())
            return deviceOf(element);
    }
    return c10::DeviceType::CPU;
}

/// Unknown where the group has none for the data, which is an error that torch will tell.
Backend backendOf(c10d::ProcessGroup& group, c10::DeviceType device)
{
    try {
        return backendNamed(group.getBackend(device)->getBackendName());
    } catch (const std::exception&) {
        return Backend::Unknown;
    }
}

Call callOf(const OperationShape& shape, const Places& places, const torch::jit::Stack& stack)
{
    const auto argument = [&](int index) -> const c10::IValue& {
        return torch::jit::peek(stack, static_cast<size_t>(index), places.arguments);
    };
    auto& group = customClass<c10d::ProcessGroup>(argument(places.group));
    Call call;
    call.kind = shape.kind;
    if (shape.data >= 0)
        readData(call, shape, argument(shape.data), group.getSize());
    if (places.reduction >= 0)
        call.reduction = reductionOf(customClass<c10d::ReduceOp>(argument(places.reduction)));
    if (places.peer >= 0)
        call.peer = static_cast<std::int32_t>(argument(places.peer).toInt());
    if (places.tag >= 0)
        call.tag = static_cast<std::int32_t>(argument(places.tag).toInt());
    if (places.goesOn >= 0)
        call.caller = argument(places.goesOn).toBool() ? Caller::GoesOn : Caller::Waits;
    else if (shape.kind == OperationKind::MonitoredBarrier)
        call.caller = Caller::Waits;
    call.backend = backendOf(group, deviceOf(argument(0)));
    if (call.backend == Backend::Nccl)
        call.tag = 0; // it goes by the order alone
    call.site = recorder->siteHere();
    recorder->number(call, &group, group.getGroupName());
    return call;
}

/// Null where nothing is recorded; whatever goes wrong here, the operation goes on.
std::shared_ptr<CallTracker> trackerOf(const OperationShape& shape, const Places& places,
                                       const torch::jit::Stack& stack)
{
    if (!isActive.load(std::memory_order_relaxed))
        return nullptr;
    try {
        const std::int64_t calledNs = monotonicNs();
        return std::make_shared<CallTracker>(recorder->writer(), callOf(shape, places, stack),
                                             calledNs);
    } catch (const std::exception&) {
        return nullptr;
    }
}

/// Asking these for their future throws; but gloo opens a scope for each operation, and closes it
/// when that is over.
template <OperationKind Kind>
constexpr bool HasNoFutureOnGloo =
    Kind == OperationKind::Send || Kind == OperationKind::Receive ||
    Kind == OperationKind::ReceiveAny || Kind == OperationKind::ReduceScatter ||
    Kind == OperationKind::ReduceScatterTensor ||
    Kind == OperationKind::ReduceScatterTensorCoalesced;

/// Not where a wait only orders what is on a GPU, and not a stranger's work, which may be an object
/// of Python's.
bool tellsOfWaiting(Backend backend)
{
    return backend == Backend::Gloo || backend == Backend::Ring;
}

/// When a wait for it is over the operation is, too; else nobody will say when it is.
void endUnseen(CallTracker& tracker)
{
    if (tellsOfWaiting(tracker.call().backend))
        tracker.recorded().endByReturn();
    else
        tracker.endUnknown();
}

/// The backend has done all that its caller waits for.
void endWithoutWork(CallTracker& tracker)
{
    if (tracker.call().backend == Backend::Nccl)
        tracker.endUnknown();
    else
        tracker.ended(false);
}

void followFuture(const std::shared_ptr<CallTracker>& tracker, c10d::Work& work)
{
    try {
        const auto future = work.getFuture();
        // A CUDA future is complete when the operation is launched: that says nothing.
        if (future == nullptr || (!future->devices().empty() && future->completed()))
            return endUnseen(*tracker);
        future->addCallback(
            [tracker](c10::ivalue::Future& over) { tracker->ended(over.hasError()); }, true);
    } catch (const std::exception&) {
        endUnseen(*tracker);
    }
}

/// Hears when the work is over, and puts one that tells of the caller's waiting in its place.
void followWork(const std::shared_ptr<CallTracker>& tracker, const c10::IValue& result,
                bool endsItsScope)
{
    try {
        c10::ivalue::Object& object = result.toObjectRef();
        const auto work =
            c10::static_intrusive_pointer_cast<c10d::Work>(object.getSlot(0).toCapsule());
        if (!work.defined()) // nccl's, where the caller doesn't go on by itself
            return endWithoutWork(*tracker);
        if (tellsOfWaiting(tracker->call().backend)) {
            auto recorded = c10::make_intrusive<RecordedWork>(work, tracker, isActive);
            object.setSlot(0, c10::IValue::make_capsule(std::move(recorded)));
        }
        if (endsItsScope)
            tracker->endByScope();
        else
            followFuture(tracker, *work);
    } catch (const std::exception&) {
        tracker->endUnknown();
    }
}

void redispatch(const c10::OperatorHandle& operation, c10::DispatchKeySet keys,
                torch::jit::Stack* stack)
{
    operation.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER,
                                                         c10::DispatchKey::BackendSelect),
                              stack);
}

template <size_t Index>
void interpose(const c10::OperatorHandle& operation, c10::DispatchKeySet keys,
               torch::jit::Stack* stack)
{
    constexpr OperationShape Shape = OperationTable[Index];
    const auto tracker = trackerOf(Shape, placesOfAll[Index], *stack);
    if (tracker == nullptr)
        return redispatch(operation, keys, stack);
    bool endsItsScope = false;
    try {
        endsItsScope = HasNoFutureOnGloo<Shape.kind> && tracker->call().backend == Backend::Gloo;
        const c10::DebugInfoGuard guard(TrackerKind, tracker);
        redispatch(operation, keys, stack);
    } catch (...) {
        tracker->ended(true);
        throw;
    }
    if (Shape.kind == OperationKind::MonitoredBarrier)
        tracker->ended(false);
    else
        followWork(tracker, stack->back(), endsItsScope);
}

struct Seen : at::ObserverContext
{
    explicit Seen(std::shared_ptr<CallTracker> seen) : tracker(std::move(seen)) {}
    std::shared_ptr<CallTracker> tracker;
};

/// A backend's own scope, "gloo:all_reduce": it begins when the operation does, in whatever thread.
/// nccl's tells only of the launch.
std::unique_ptr<at::ObserverContext> sawStart(const at::RecordFunction& function)
{
    auto tracker = std::static_pointer_cast<CallTracker>(wayListener());
    if (tracker == nullptr || tracker->call().backend == Backend::Nccl ||
        std::strchr(function.name(), ':') == nullptr)
        return nullptr;
    tracker->started();
    return std::make_unique<Seen>(std::move(tracker));
}

void sawEnd(const at::RecordFunction& /*function*/, at::ObserverContext* context)
{
    if (context != nullptr)
        static_cast<Seen*>(context)->tracker->scopeEnded();
}

template <size_t Index>
void registerOne(torch::Library& library)
{
    const std::string name = OperationTable[Index].name;
    const auto operation = c10::Dispatcher::singleton().findSchema({"c10d::" + name, ""});
    if (!operation)
        return; // of another torch
    placesOfAll[Index] = placesIn(operation->schema());
    if (placesOfAll[Index].group >= 0)
        library.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunction<&interpose<Index>>());
}

template <size_t... Indices>
void registerAll(torch::Library& library, std::index_sequence<Indices...> /*all*/)
{
    (registerOne<Indices>(library), ...);
}

void registerKernels()
{
    // Never destroyed: taking the kernels away while the process ends helps nobody.
    auto* library = new torch::Library(torch::Library::IMPL, "c10d",
                                       c10::DispatchKey::BackendSelect, __FILE__, __LINE__);
    registerAll(*library, std::make_index_sequence<OperationTable.size()>());
    at::addGlobalCallback(
        at::RecordFunctionCallback(sawStart, sawEnd).scopes({at::RecordScope::USER_SCOPE}));
}

} // namespace

} // namespace ringmaster::ledger

extern "C" {

/// The torch that this is compiled for: version, commit and ABI of std::string.
__attribute__((visibility("default"))) const char* ringmasterTorch()
{
    return RINGMASTER_TORCH_IDENTITY;
}

/// 0, or 1 with the reason in `error`; an empty one: this process is not to be recorded. Once a
/// process.
__attribute__((visibility("default"))) int ringmasterRecord(const char* ledger, const char* bell,
                                                            const char* version, char* error,
                                                            size_t errorSize)
{
    using namespace ringmaster::ledger;
    try {
        auto opened = HookRecorder::open(ledger, bell, Recorder::Compiled, version);
        if (!opened.recorder) {
            opened.reason.copy(error, errorSize - 1);
            return 1;
        }
        recorder = opened.recorder.release();
        registerKernels();
        // A forked child has neither the backends' threads nor a ledger of its own.
        ::pthread_atfork(nullptr, nullptr, [] { isActive = false; });
        isActive = true;
        return 0;
    } catch (const std::exception& exception) {
        std::strncpy(error, exception.what(), errorSize - 1);
        return 1;
    }
}

__attribute__((visibility("default"))) void
ringmasterDescribeGroup(const char* name, const std::int32_t* members, size_t count)
{
    using namespace ringmaster::ledger;
    if (isActive)
        recorder->describeGroup(name, std::vector<std::int32_t>(members, members + count));
}

/// A group is about to be made: 0, with init_process_group, else with new_group. For
/// ringmasterMadeGroup(); 0: nothing is recorded. The caller holds Python's lock.
__attribute__((visibility("default"))) std::uint64_t
ringmasterMakesGroup(int isNew, const std::int32_t* members, size_t count)
{
    using namespace ringmaster::ledger;
    if (!isActive)
        return 0;
    return recorder->makesGroup(isNew != 0 ? OperationKind::NewGroup
                                           : OperationKind::InitProcessGroup,
                                std::vector<std::int32_t>(members, members + count));
}

__attribute__((visibility("default"))) void ringmasterMadeGroup(std::uint64_t operation, int failed)
{
    using namespace ringmaster::ledger;
    if (isActive)
        recorder->madeGroup(operation, failed != 0);
}
}
