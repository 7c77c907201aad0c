#pragma once

#include "engine/ledger/Operation.h"

#include <vector>

namespace ringmaster::test {

/// Operations of some ranks as their ledgers would tell them, for lessons of them.
inline OperationBatch lessonBatch(int rank, std::vector<Operation> operations,
                                  std::vector<int> members = {0, 1, 2})
{
    OperationBatch batch{.rank = rank, .operations = std::move(operations)};
    batch.groups = {{.group = 0, .name = "0", .members = std::move(members)}};
    batch.sites = {{.site = 1, .file = "/home/ada/job/train.py", .function = "main", .line = 12}};
    return batch;
}

/// `endedNs` 0: it runs.
inline Operation lessonOperation(std::uint64_t number, std::int64_t beganNs, std::int64_t endedNs,
                                 ledger::OperationKind kind = ledger::OperationKind::AllReduce)
{
    return {.id = number,
            .kind = kind,
            .type = ledger::DataType::Float32,
            .reduction = ledger::Reduction::Sum,
            .caller = ledger::Caller::Waits,
            .backend = ledger::Backend::Gloo,
            .outcome = endedNs == 0 ? Operation::Outcome::Running : Operation::Outcome::Done,
            .number = number,
            .bytes = 4000,
            .elements = 1000,
            .site = 1,
            .enqueuedNs = beganNs,
            .endedNs = endedNs};
}

} // namespace ringmaster::test
