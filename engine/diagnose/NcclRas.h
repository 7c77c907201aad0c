#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster::diagnose {

/// A rank's part in one of NCCL's communicators.
struct NcclMember
{
    std::string communicator{};  ///< NCCL's hash of it.
    int rank = 0;                ///< In the communicator.
    int size = 0;                ///< Of the communicator.
    std::uint64_t launched = 0;  ///< Collectives of all kinds.
    bool isStill = false;        ///< As many as when RAS was asked before.
    bool isUnresponsive = false; ///< RAS has no answer of it, and so no `launched`.

    bool operator==(const NcclMember&) const = default;
};

/// What NCCL's RAS says of a job, whichever of its processes was asked.
struct NcclRasReport
{
    struct Process
    {
        std::string host{}; ///< An address.
        int pid = 0;
        NcclMember member{};
    };
    std::vector<Process> processes{}; ///< Once for each communicator that it is in.

    /// Of one process; a pid that several hosts have is nobody's.
    std::vector<NcclMember> membersOf(int pid) const;
    /// Who has launched as many as in the report before is still.
    void compareWith(const NcclRasReport& before);
};

/// The answer to `SET FORMAT json`, `VERBOSE STATUS` (NCCL 2.28.7 and later; its
/// src/ras/client_support.cc is the source). Nothing: it is none, or is too long.
std::optional<NcclRasReport> readNcclRasReport(std::string_view json);

/// Where the RAS of a process listens, from its NCCL_RAS_ENABLE and NCCL_RAS_ADDR (empty: NCCL's
/// defaults). Nothing: on no address of this machine's loopback, or nowhere.
struct NcclRasAddress
{
    bool isIpv6 = false;
    std::uint16_t port = 28028;
    bool operator==(const NcclRasAddress&) const = default;
};
std::optional<NcclRasAddress> ncclRasAddressOf(std::string_view enable, std::string_view address);

} // namespace ringmaster::diagnose
