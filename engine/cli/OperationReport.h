#pragma once

#include "engine/cli/Json.h"
#include "engine/diagnose/Bandwidth.h"
#include "engine/diagnose/Steps.h"
#include "engine/record/RunFileReader.h"

#include <map>

namespace ringmaster {

/// What the operations of a run amount to: `ringmaster show --operations`.
class OperationReport
{
public:
    static Result<OperationReport> read(const RunFileReader& reader);

    std::string text() const;
    Json json() const;

private:
    struct Attempt
    {
        diagnose::BandwidthTable table{};
        /// By rank and operation: what it was in at its end.
        std::map<int, std::map<std::uint64_t, std::string>> running{};
        std::uint64_t operations = 0;
        std::uint64_t lost = 0;
        std::map<int, diagnose::StepWatch> steps{}; ///< By rank.
    };

    static Result<OperationReport> readOnce(const RunFileReader& reader);
    void add(const OperationFold& fold);
    void add(const OperationBatch& batch);

    Attempt& attemptOf(int number);

    std::int64_t m_foldedBeforeNs = 0;
    std::map<int, Attempt> m_attempts;
};

} // namespace ringmaster
