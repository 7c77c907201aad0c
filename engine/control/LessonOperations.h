#pragma once

#include "engine/base/Result.h"
#include "engine/ledger/Operation.h"
#include "engine/lesson/RecordedJob.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringmaster {

/// One operation of a rank, with what its ledger says of its group and its place.
struct LessonOperation
{
    Operation operation{};
    std::string group{};        ///< By which its members know it.
    std::vector<int> members{}; ///< Of those that are shown.
    int peer = -1;              ///< Global.
    CallSite site{};

    std::int64_t beganNs() const;
    /// 0: it goes on.
    std::int64_t endedBy(std::int64_t ns) const;
};

/// Makes what a lesson shows of a job's operations: the last ones of some ranks before a moment, in
/// an order in which none comes before what it depends on. An operation is there with all of the
/// ranks that came to it, or not at all. Pure.
class LessonOperations
{
public:
    struct Choice
    {
        int attempt = 0;
        std::vector<int> ranks{};
        std::int64_t untilNs = 0; ///< What had begun by then; what ended later goes on.
        size_t ofEach = 12;       ///< Operations of a rank, at most.
    };
    struct Exit
    {
        int rank = 0;
        ExitStatus status{};
        std::int64_t atNs = 0;
    };
    struct Told
    {
        std::map<std::string, std::uint64_t> before{};
        std::vector<lesson::RecordedJob::Happening> happenings{};
        std::vector<CallSite> lastSites{}; ///< Where each rank called its last one.
        std::string backend{};
    };

    explicit LessonOperations(Choice choice) : m_choice(std::move(choice)) {}

    /// In any order; one that is told again replaces what was told before.
    void add(const OperationBatch& batch);
    void add(const Exit& exit);

    /// code::RunOperationsMissing where some of those in between are.
    Result<Told> tell() const;

private:
    using Cut = std::map<int, std::vector<LessonOperation>>;

    bool isShown(int rank) const;
    Cut cut() const;
    static void narrow(Cut& cut, const Cut& all);
    static Result<std::map<std::string, std::uint64_t>> countBefore(const Cut& cut);

    Choice m_choice;
    std::map<int, std::map<std::uint64_t, LessonOperation>> m_byRank; ///< By id, which rise.
    std::vector<Exit> m_exits;
};

} // namespace ringmaster
