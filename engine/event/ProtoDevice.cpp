#include "engine/event/ProtoBodies.h"

namespace ringmaster {

namespace {

void toProto(const Traffic& traffic, v1::Traffic& proto)
{
    proto.set_received(traffic.received);
    proto.set_sent(traffic.sent);
}

constexpr std::string_view What = "sample of devices";

Result<Traffic> fromProto(const v1::Traffic& proto)
{
    const double received = RM_TRY(finite(proto.received(), What));
    const double sent = RM_TRY(finite(proto.sent(), What));
    return Traffic{received, sent};
}

void toProto(const GpuSample& gpu, v1::GpuSample& proto)
{
    proto.set_index(gpu.index);
    proto.set_name(gpu.name);
    if (gpu.utilisation)
        proto.set_utilisation(*gpu.utilisation);
    proto.set_used_bytes(gpu.usedBytes);
    proto.set_total_bytes(gpu.totalBytes);
    if (gpu.nvlink)
        toProto(*gpu.nvlink, *proto.mutable_nvlink());
    if (gpu.pcie)
        toProto(*gpu.pcie, *proto.mutable_pcie());
}

Result<GpuSample> fromProto(const v1::GpuSample& proto)
{
    GpuSample gpu{.index = proto.index(),
                  .name = proto.name(),
                  .usedBytes = proto.used_bytes(),
                  .totalBytes = proto.total_bytes()};
    if (proto.has_utilisation())
        gpu.utilisation = RM_TRY(finite(proto.utilisation(), What));
    if (proto.has_nvlink())
        gpu.nvlink = RM_TRY(fromProto(proto.nvlink()));
    if (proto.has_pcie())
        gpu.pcie = RM_TRY(fromProto(proto.pcie()));
    return gpu;
}

} // namespace

void toProto(const DeviceSample& body, v1::DeviceSample& proto)
{
    proto.set_processors(body.processors);
    proto.set_cpu_fraction(body.cpuFraction);
    toProto(body.network, *proto.mutable_network());
    proto.set_loopback(body.loopback);
    for (const GpuSample& gpu : body.gpus)
        toProto(gpu, *proto.add_gpus());
    if (saysSomething(body.absence))
        toProto(body.absence, *proto.mutable_absence());
}

Result<DeviceSample> fromProto(const v1::DeviceSample& proto)
{
    DeviceSample sample{.processors = proto.processors(), .absence = fromProto(proto.absence())};
    sample.cpuFraction = RM_TRY(finite(proto.cpu_fraction(), What));
    sample.network = RM_TRY(fromProto(proto.network()));
    sample.loopback = RM_TRY(finite(proto.loopback(), What));
    for (const v1::GpuSample& gpu : proto.gpus())
        sample.gpus.push_back(RM_TRY(fromProto(gpu)));
    return sample;
}

} // namespace ringmaster
