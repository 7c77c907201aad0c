#pragma once

#include "engine/record/PrivateRecord.h"
#include "engine/record/RunFileOpening.h"
#include "engine/record/RunFileReader.h"
#include "engine/record/Schema.h"

namespace ringmaster {

struct RunFileReader::Native
{
    std::filesystem::path file;
    std::filesystem::path folder;
    Origin origin = Origin::Foreign;
    std::unique_ptr<OpenedRunFile> opened;
    schema::Identity identity;

    SQLite::Database& database() const { return opened->database(); }

    /// The owner of a run gets its job as it was launched.
    Event restored(Event event) const
    {
        if (auto* started = std::get_if<RunStarted>(&event.body);
            started != nullptr && origin == Origin::OwnRun)
            PrivateRecord(folder).restore(*started);
        return event;
    }
};

} // namespace ringmaster
