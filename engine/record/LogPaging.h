#pragma once

#include "engine/record/LogFiles.h"

namespace ringmaster {

/// The page of a run's log that a query asks for. Throws SQLite::Exception. Inside engine/record
/// only.
LogPage logPage(SQLite::Database& database, LogFiles& files, LogQuery query);

} // namespace ringmaster
