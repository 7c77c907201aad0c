#include "engine/event/ProtoBodies.h"

namespace ringmaster {

void toProto(const SweepPlan& body, v1::SweepPlan& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_is_calibration(body.isCalibration);
    proto.mutable_collectives()->Assign(body.collectives.begin(), body.collectives.end());
    proto.mutable_backends()->Assign(body.backends.begin(), body.backends.end());
    proto.mutable_sizes()->Assign(body.sizes.begin(), body.sizes.end());
    proto.set_type(body.type);
    proto.set_reduction(body.reduction);
    proto.set_algorithm(body.algorithm);
    proto.set_ranks(body.ranks);
    proto.set_hosts(body.hosts);
    proto.set_iterations(body.iterations);
    proto.set_warmup(body.warmup);
    proto.set_is_checked(body.isChecked);
}

Result<SweepPlan> fromProto(const v1::SweepPlan& proto)
{
    return SweepPlan{.attempt = proto.attempt(),
                     .isCalibration = proto.is_calibration(),
                     .collectives = {proto.collectives().begin(), proto.collectives().end()},
                     .backends = {proto.backends().begin(), proto.backends().end()},
                     .sizes = {proto.sizes().begin(), proto.sizes().end()},
                     .type = proto.type(),
                     .reduction = proto.reduction(),
                     .algorithm = proto.algorithm(),
                     .ranks = proto.ranks(),
                     .hosts = proto.hosts(),
                     .iterations = proto.iterations(),
                     .warmup = proto.warmup(),
                     .isChecked = proto.is_checked()};
}

void toProto(const SweepRow& body, v1::SweepRow& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_index(body.index);
    proto.set_collective(body.collective);
    proto.set_backend(body.backend);
    proto.set_algorithm(body.algorithm);
    proto.set_device(body.device);
    proto.set_type(body.type);
    proto.set_reduction(body.reduction);
    proto.set_root(body.root);
    proto.set_ranks(body.ranks);
    proto.set_hosts(body.hosts);
    proto.set_wanted_bytes(body.wantedBytes);
    proto.set_bytes(body.bytes);
    proto.set_count(body.count);
    proto.set_iterations(body.iterations);
    proto.set_time_ns(body.timeNs);
    proto.set_min_ns(body.minNs);
    proto.set_p50_ns(body.p50Ns);
    proto.set_p99_ns(body.p99Ns);
    proto.set_algorithm_bandwidth(body.algorithmBandwidth);
    proto.set_bus_bandwidth(body.busBandwidth);
    proto.set_wrong(body.wrong);
    if (saysSomething(body.problem))
        toProto(body.problem, *proto.mutable_problem());
}

Result<SweepRow> fromProto(const v1::SweepRow& proto)
{
    constexpr std::string_view What = "row of a sweep";
    const double algorithmBandwidth = RM_TRY(finite(proto.algorithm_bandwidth(), What));
    const double busBandwidth = RM_TRY(finite(proto.bus_bandwidth(), What));
    return SweepRow{.attempt = proto.attempt(),
                    .index = proto.index(),
                    .collective = proto.collective(),
                    .backend = proto.backend(),
                    .algorithm = proto.algorithm(),
                    .device = proto.device(),
                    .type = proto.type(),
                    .reduction = proto.reduction(),
                    .root = proto.root(),
                    .ranks = proto.ranks(),
                    .hosts = proto.hosts(),
                    .wantedBytes = proto.wanted_bytes(),
                    .bytes = proto.bytes(),
                    .count = proto.count(),
                    .iterations = proto.iterations(),
                    .timeNs = proto.time_ns(),
                    .minNs = proto.min_ns(),
                    .p50Ns = proto.p50_ns(),
                    .p99Ns = proto.p99_ns(),
                    .algorithmBandwidth = algorithmBandwidth,
                    .busBandwidth = busBandwidth,
                    .wrong = proto.wrong(),
                    .problem = fromProto(proto.problem())};
}

} // namespace ringmaster
