#pragma once

#include "app/model/RowsModel.h"
#include "app/model/TimeSpan.h"
#include "engine/record/NumberSummary.h"

namespace ringmaster::app {

/// A number that a rank has printed.
struct NumberRow
{
    std::int64_t atNs = 0;
    QString name{};
    int attempt = 0;
    int rank = 0;
    double value = 0;

    bool operator==(const NumberRow&) const = default;
};

/// The numbers that a chart shows, as a table: its twin, for the same span of time.
class NumberTableModel : public RowsModel<NumberRow>
{
    Q_OBJECT

public:
    enum Column { At, Name, Attempt, Rank, Value };
    enum DataRole { RankRole = FirstOwnRole };
    static constexpr size_t MostRows = 5000; ///< The newest.

    explicit NumberTableModel(const TimeSpan& span, QObject* parent = nullptr);

    void show(const NumberSummary& summary);

protected:
    QVariant rowData(const NumberRow& row, const QModelIndex& index, int role) const override;

private:
    const TimeSpan& m_span;
};

/// The same for other programs: seconds since `beginNs`, all that lies in the range.
QByteArray numbersCsv(const NumberSummary& summary, TimeSpan::Range range, std::int64_t beginNs);

} // namespace ringmaster::app
