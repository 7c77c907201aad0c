// A backend that a recorder can't tell from nccl, on CPU: for tests without a GPU.
// Loaded into the user's Python.
#include <ATen/record_function.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/library.h>

namespace {

struct Told : c10::DebugInfoBase
{
};

struct Launched : c10d::Work
{
    bool isCompleted() override { return true; }
    bool wait(std::chrono::milliseconds /*timeout*/) override { return true; }
};

/// ProcessGroupNCCL's ways (torch 2.8 and later): it leaves something of its own with the calling
/// thread, opens a profiler's scope that is over when the operation is launched, and has no work
/// for a call that isn't asynchronous.
class LikeNccl : public c10d::Backend
{
public:
    LikeNccl(int rank, int size) : Backend(rank, size) {}
    const std::string getBackendName() const override { return "nccl"; }

    c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& /*tensors*/,
                                             const c10d::AllreduceOptions& options) override
    {
        return launched("nccl:all_reduce", options.asyncOp);
    }
    c10::intrusive_ptr<c10d::Work> barrier(const c10d::BarrierOptions& options) override
    {
        return launched("nccl:all_reduce_barrier", options.asyncOp);
    }

private:
    static c10::intrusive_ptr<c10d::Work> launched(const char* name, bool isAsynchronous)
    {
        const c10::DebugInfoGuard told(c10::DebugInfoKind::PARAM_COMMS_INFO,
                                       std::make_shared<Told>());
        at::RecordFunction scope(at::RecordScope::USER_SCOPE);
        if (scope.isActive())
            scope.before(name);
        return isAsynchronous ? c10::intrusive_ptr<c10d::Work>(c10::make_intrusive<Launched>())
                              : c10::intrusive_ptr<c10d::Work>();
    }
};

void attach(const c10::intrusive_ptr<c10d::ProcessGroup>& group)
{
    group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::CUSTOM,
                      c10::intrusive_ptr<c10d::Backend>(
                          c10::make_intrusive<LikeNccl>(group->getRank(), group->getSize())));
}

} // namespace

TORCH_LIBRARY(ringmaster_test, library)
{
    library.def("like_nccl(__torch__.torch.classes.c10d.ProcessGroup group) -> ()", &attach);
}
