#include "engine/event/ProtoBodies.h"

namespace ringmaster {

namespace {

void toProto(const Traffic& traffic, v1::Traffic& proto)
{
    proto.set_received(traffic.received);
    proto.set_sent(traffic.sent);
}

Traffic fromProto(const v1::Traffic& proto)
{
    return {proto.received(), proto.sent()};
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

GpuSample fromProto(const v1::GpuSample& proto)
{
    GpuSample gpu{.index = proto.index(),
                  .name = proto.name(),
                  .usedBytes = proto.used_bytes(),
                  .totalBytes = proto.total_bytes()};
    if (proto.has_utilisation())
        gpu.utilisation = proto.utilisation();
    if (proto.has_nvlink())
        gpu.nvlink = fromProto(proto.nvlink());
    if (proto.has_pcie())
        gpu.pcie = fromProto(proto.pcie());
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
    DeviceSample sample{.processors = proto.processors(),
                        .cpuFraction = proto.cpu_fraction(),
                        .network = fromProto(proto.network()),
                        .loopback = proto.loopback(),
                        .absence = fromProto(proto.absence())};
    for (const v1::GpuSample& gpu : proto.gpus())
        sample.gpus.push_back(fromProto(gpu));
    return sample;
}

} // namespace ringmaster
