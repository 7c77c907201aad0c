#pragma once

#include "app/model/ForeignJobs.h"
#include "app/model/RowsModel.h"

namespace ringmaster::app {

/// Jobs that something else started on one machine, the latest first.
class ForeignJobModel : public RowsModel<WatchedJob>
{
    Q_OBJECT

public:
    enum Column { Name, StartedBy, State, Ranks, Cpu, Memory, Since, Command };

    explicit ForeignJobModel(const ForeignJobs& jobs, QObject* parent = nullptr);
};

/// "torchrun, process 4711"
QString startedByText(const ForeignJob& job);
/// "3 run, 1 is stopped"
QString statesText(const WatchedJob& watched);
QString word(ForeignRankUse::State state);

} // namespace ringmaster::app
