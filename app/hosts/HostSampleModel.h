#pragma once

#include "app/hosts/HostRows.h"
#include "app/model/RowsModel.h"

namespace ringmaster::app {

/// What was in use on one host at one time.
struct HostSampleRow
{
    QString host{};
    HostSample sample{};
    bool operator==(const HostSampleRow&) const = default;
};

/// What was measured of the hosts, the latest first.
class HostSampleModel : public RowsModel<HostSampleRow>
{
    Q_OBJECT

public:
    enum Column { Time, Host, Load, Memory, GpuMemory };

    explicit HostSampleModel(QObject* parent = nullptr);

    void setHosts(const std::vector<HostRow>& hosts);
};

} // namespace ringmaster::app
