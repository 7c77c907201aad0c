#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringmaster::test {

/// Processes of one communicator, by pid.
struct RasRanks
{
    std::map<int, std::uint64_t> answering{}; ///< AllReduces of each; two Broadcasts come to them.
    std::vector<int> missing{};
};

/// The JSON of NCCL 2.28's RAS, field by field as its src/ras/client_support.cc writes it.
inline std::string rasAnswer(const RasRanks& ranks)
{
    const auto own = [](size_t rank, int pid) {
        return "        {\n          \"rank\": " + std::to_string(rank) +
               ",\n          \"host\": \"10.0.0.1\",\n          \"pid\": " + std::to_string(pid) +
               ",\n          \"cuda_dev\": " + std::to_string(rank) +
               ",\n          \"nvml_dev\": " + std::to_string(rank) + ",\n";
    };
    std::string answering;
    std::string missing;
    size_t rank = 0;
    for (const auto& [pid, launched] : ranks.answering) {
        answering +=
            (answering.empty() ? "" : ",\n") + own(rank++, pid) +
            "          \"status\": {\"init_state\": 0, \"async_error\": 0, "
            "\"finalize_called\": false, \"destroy_flag\": false, \"abort_flag\": false},\n"
            "          \"collective_counts\": {\"Broadcast\": 2, \"Reduce\": 0, "
            "\"AllGather\": 0, \"ReduceScatter\": 0, \"AllReduce\": " +
            std::to_string(launched) + "}\n        }";
    }
    for (const int pid : ranks.missing)
        missing += (missing.empty() ? "" : ",\n") + own(rank++, pid) +
                   "          \"status\": {\"unresponsive\": true, \"considered_dead\": false}\n"
                   "        }";
    return "{\n  \"nccl_version\": \"2.28.9\",\n  \"cuda_runtime_version\": 13000,\n"
           "  \"cuda_driver_version\": 13000,\n  \"timestamp\": \"2026-01-01 00:00:00\",\n"
           "  \"communicators_count\": 1,\n  \"communicators\": [\n    {\n"
           "      \"hash\": \"0x41fd1d0fe1a63cd4\",\n"
           "      \"secondary_hash\": \"0xf3a1b2c3:0x5d6e7f80\",\n      \"size\": " +
           std::to_string(rank) +
           ",\n      \"ranks_count\": " + std::to_string(ranks.answering.size()) +
           ",\n      \"missing_ranks_count\": " + std::to_string(ranks.missing.size()) +
           ",\n      \"ranks\": [\n" + answering + "\n      ],\n      \"missing_ranks\": [\n" +
           missing +
           "\n      ]\n    }\n  ],\n  \"ras\": {\n    \"collection_time_sec\": 0.001,\n"
           "    \"timeouts_count\": 0\n  }\n}\n";
}

} // namespace ringmaster::test
