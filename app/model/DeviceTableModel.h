#pragma once

#include "app/model/DeviceRows.h"
#include "app/model/RowsModel.h"
#include "app/model/TimeSpan.h"

namespace ringmaster::app {

/// A device at one moment, in words.
struct DeviceMoment
{
    std::int64_t atNs = 0;
    QString device{};
    QString quantity{};
    QString value{};

    bool operator==(const DeviceMoment&) const = default;
};

/// What the devices did, as a table: the twin of their lines, for the span of time that these show.
class DeviceTableModel : public RowsModel<DeviceMoment>
{
    Q_OBJECT

public:
    enum Column { At, Device, Quantity, Value };
    static constexpr size_t MostRows = 5000; ///< The newest.

    explicit DeviceTableModel(const TimeSpan& span, QObject* parent = nullptr);

    void show(const std::vector<const DeviceRow*>& rows);

private:
    const TimeSpan& m_span;
};

} // namespace ringmaster::app
