#pragma once

#include "engine/worker/KeeperProtocol.h"

namespace ringmaster::keeper {

/// podman has no daemon that would notice: a container whose monitor was killed stays "Up" with its
/// root file system until podman is told to remove it. How to tell it is kept in memory that keeper
/// and guard share, for whichever is left.
class PodmanRemoval
{
public:
    /// Empty; to be made before the keeper is forked.
    static FileDescriptor makeMemory();

    explicit PodmanRemoval(FileDescriptor memory) : m_memory(std::move(memory)) {}

    /// A worker is to be started: if it has a container, that is to be ended one day.
    void remember(const Launch& launch);

    /// Also docker's, whose processes descend from nobody here.
    bool hasContainers() const;

    /// Removes podman's containers of the run, if there may be any; waits a few seconds at most.
    void run() const;

private:
    FileDescriptor m_memory;
};

} // namespace ringmaster::keeper
