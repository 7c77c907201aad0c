// The ledger's writer for the interposer in Python, which finds these by ctypes: torch-free, so
// that one object serves every version of torch.

#include "engine/ledger/LedgerMemory.h"
#include "engine/ledger/UserCode.h"
#include "engine/ledger/hook/HookRecorder.h"
#include "engine/ledger/hook/OperationTable.h"
#include "engine/ledger/hook/RecordedCall.h"

#include <cstring>

#include <pthread.h>

namespace ringmaster::ledger {
namespace {

// Never destroyed: other threads may still write while the process ends.
HookRecorder* recorder = nullptr;
std::atomic<bool> isActive{false};
std::mutex& runningMutex = *new std::mutex;
std::unordered_map<std::uint64_t, std::shared_ptr<RecordedCall>>& running =
    *new std::unordered_map<std::uint64_t, std::shared_ptr<RecordedCall>>;

/// Something is to be told of a call that isn't over; nothing where there is none.
template <class Tell>
void tellOf(std::uint64_t operation, const Tell& tell)
{
    if (!isActive)
        return;
    std::shared_ptr<RecordedCall> call;
    {
        const std::lock_guard<std::mutex> guard(runningMutex);
        if (const auto known = running.find(operation); known != running.end())
            call = known->second;
    }
    if (!call)
        return;
    tell(*call);
    const std::lock_guard<std::mutex> guard(runningMutex);
    if (call->isOver())
        running.erase(operation);
}

} // namespace
} // namespace ringmaster::ledger

#define RM_EXPORT __attribute__((visibility("default")))

extern "C" {

/// 0, or 1 with the reason in `error`; an empty one: this process is not to be recorded. Once a
/// process.
RM_EXPORT int ringmasterLedgerOpen(const char* ledger, const char* bell, const char* version,
                                   char* error, size_t errorSize)
{
    using namespace ringmaster::ledger;
    auto opened = HookRecorder::open(ledger, bell, Recorder::Python, version);
    if (!opened.recorder) {
        opened.reason.copy(error, errorSize - 1);
        return 1;
    }
    recorder = opened.recorder.release();
    ::pthread_atfork(nullptr, nullptr, [] { isActive = false; });
    isActive = true;
    return 0;
}

/// A ledger of this process's own, which no agent has made: its descriptor; -1: there is no room.
RM_EXPORT int ringmasterLedgerMake(int rank)
{
    return ringmaster::ledger::makeMemory({}, "", rank, 0);
}

/// The operators: lines of `name data ranks`, the argument that is moved or -1, and whether the
/// size that is shown is that of all ranks.
RM_EXPORT const char* ringmasterLedgerOperators()
{
    using namespace ringmaster::ledger;
    static const std::string text = [] {
        std::string lines;
        for (const OperationShape& shape : OperationTable) {
            lines += shape.name;
            lines += " " + std::to_string(shape.data);
            lines += shape.scale == Scale::Ranks ? " 1\n" : " 0\n";
        }
        return lines;
    }();
    return text.c_str();
}

RM_EXPORT void ringmasterDescribeGroup(const char* name, const std::int32_t* members, size_t count)
{
    using namespace ringmaster::ledger;
    if (isActive)
        recorder->describeGroup(name, std::vector<std::int32_t>(members, members + count));
}

/// A group is about to be made: 0, with init_process_group, else with new_group. For
/// ringmasterMadeGroup(); 0: nothing is recorded. The caller holds Python's lock.
RM_EXPORT std::uint64_t ringmasterMakesGroup(int isNew, const std::int32_t* members, size_t count)
{
    using namespace ringmaster::ledger;
    if (!isActive)
        return 0;
    return recorder->makesGroup(isNew != 0 ? OperationKind::NewGroup
                                           : OperationKind::InitProcessGroup,
                                std::vector<std::int32_t>(members, members + count));
}

RM_EXPORT void ringmasterMadeGroup(std::uint64_t operation, int failed)
{
    using namespace ringmaster::ledger;
    if (isActive)
        recorder->madeGroup(operation, failed != 0);
}

/// Who wrote a Python file: 0 the user, 1 somebody whose code is installed, 2 torch.
RM_EXPORT int ringmasterLedgerOwner(const char* file)
{
    return !ringmaster::isForeignFile(file) ? 0 : ringmaster::isTorchFile(file) ? 2 : 1;
}

/// For `site` of ringmasterLedgerBegin(); 0: unknown.
RM_EXPORT std::uint16_t ringmasterLedgerSite(const char* file, const char* function,
                                             std::uint32_t line)
{
    using namespace ringmaster::ledger;
    return isActive ? recorder->writer().addSite(file, function, line) : std::uint16_t(0);
}

/// For `backend` of ringmasterLedgerBegin().
RM_EXPORT int ringmasterLedgerBackend(const char* name)
{
    return static_cast<int>(ringmaster::ledger::backendNamed(name));
}

/// `index`: the operator's line; `key`: stands for the group; `caller`: as Caller numbers it;
/// `calledNs`: by CLOCK_MONOTONIC. Its number, for the end; 0: none.
RM_EXPORT std::uint64_t ringmasterLedgerBegin(std::uint32_t index, const void* key,
                                              const char* group, int type, std::uint64_t bytes,
                                              std::uint64_t elements, std::int32_t peer,
                                              std::int32_t tag, int caller, int backend,
                                              std::uint16_t site, std::int64_t calledNs)
{
    using namespace ringmaster::ledger;
    if (!isActive || index >= OperationTable.size())
        return 0;
    Call call;
    call.kind = OperationTable[index].kind;
    call.type = static_cast<DataType>(type);
    call.backend = static_cast<Backend>(backend);
    call.bytes = bytes;
    call.elements = elements;
    call.peer = peer;
    call.tag = call.backend == Backend::Nccl ? 0 : tag; // that goes by the order alone
    call.caller = static_cast<Caller>(caller);
    call.site = site;
    recorder->number(call, key, group);
    const auto begun = std::make_shared<RecordedCall>(recorder->writer(), call, calledNs);
    const std::lock_guard<std::mutex> guard(runningMutex);
    running[begun->operation()] = begun;
    return begun->operation();
}

/// `outcome`: 0 done, 1 failed, 2 nobody will say when it is over, 3 nobody but its caller will.
RM_EXPORT void ringmasterLedgerEnd(std::uint64_t operation, int outcome)
{
    using namespace ringmaster::ledger;
    tellOf(operation, [outcome](RecordedCall& call) {
        if (outcome == 3)
            call.endByReturn();
        else
            call.ended(outcome == 2 ? 0 : monotonicNs(), outcome == 1);
    });
}

/// What its caller does: 0 gets something to wait for, before the end is told; 1 waits; 2 goes on;
/// 3 goes on with an error; 4 will never say when it does.
RM_EXPORT void ringmasterLedgerCaller(std::uint64_t operation, int does)
{
    using namespace ringmaster::ledger;
    tellOf(operation, [does](RecordedCall& call) {
        switch (does) {
        case 0: return call.setAwaited();
        case 1: return call.waits();
        case 2: return call.returned(monotonicNs(), false);
        case 3: return call.returned(monotonicNs(), true);
        default: return call.forgone();
        }
    });
}
}
