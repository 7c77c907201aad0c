#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/control/Cluster.h"

#include <filesystem>
#include <memory>

namespace ringmaster {

/// The runs of a Cluster for somebody who sits at another machine: the gRPC service `Machine`, on a
/// thread of its own ("rm-machine"). What isn't asked for isn't sent. Who doesn't answer a ping
/// within 20 s is taken for gone, and the connection is closed.
class MachineService
{
public:
    /// `cluster` outlives it; `runs` is the folder of its runs.
    MachineService(Cluster& cluster, std::filesystem::path runs);
    ~MachineService();
    MachineService(const MachineService&) = delete;
    MachineService& operator=(const MachineService&) = delete;

    /// Any thread.
    void serve(FileDescriptor connection);

private:
    class Impl;
    std::shared_ptr<Impl> m_impl;
};

} // namespace ringmaster
