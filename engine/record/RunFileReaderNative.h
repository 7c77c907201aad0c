#pragma once

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
};

} // namespace ringmaster
