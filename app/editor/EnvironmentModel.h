#pragma once

#include "app/model/RowsModel.h"
#include "engine/job/WorkerEnvironment.h"

namespace ringmaster::app {

/// The environment of one rank: name, value, and who put it there.
class EnvironmentModel : public RowsModel<EnvironmentEntry>
{
    Q_OBJECT

public:
    enum Column { Name, Value, Origin };

    explicit EnvironmentModel(QObject* parent = nullptr);

    /// Inherited variables only where `withInherited`.
    void setEnvironment(const WorkerEnvironment& environment, bool withInherited);
};

} // namespace ringmaster::app
