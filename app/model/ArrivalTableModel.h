#pragma once

#include "app/model/OperationFeed.h"
#include "app/model/RankClocks.h"
#include "app/model/RowsModel.h"

namespace ringmaster::app {

/// How the ranks of one group came to its last operations, the twin of the arrival lens: one row an
/// operation, the latest first.
class ArrivalTableModel : public RowsModel<OperationSummary::Collective>
{
    Q_OBJECT

public:
    enum Column { Number, Kind, Size, Last, Skew, Arrivals };
    enum DataRole { LastRankRole = FirstOwnRole };

    explicit ArrivalTableModel(QObject* parent = nullptr);

    void show(std::vector<OperationSummary::Collective> collectives, RankClocks clocks = {});

protected:
    QVariant rowData(const OperationSummary::Collective& collective, const QModelIndex& index,
                     int role) const override;

private:
    RankClocks m_clocks;
};

/// "rank 2 came 41 ms after rank 0", of several hosts with the clocks' error.
QString latenessText(const OperationSummary::Collective& collective, const RankClocks& clocks);

} // namespace ringmaster::app
