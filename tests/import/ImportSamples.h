#pragma once

#include "engine/base/Files.h"
#include "engine/import/ImportedRun.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <variant>

namespace ringmaster::samples {

inline std::filesystem::path folder()
{
    return RINGMASTER_SOURCE_DIR "/tests/import/samples";
}

inline std::string sample(const std::string& name)
{
    return readFile(folder() / name).value();
}

inline bool isSaid(const ImportedRun& run, Code code)
{
    return std::ranges::any_of(run.facts, [&](const ImportedRun::Fact& fact) {
        const auto* notice = std::get_if<Notice>(&fact.body);
        return notice != nullptr && notice->message.code == code;
    });
}

} // namespace ringmaster::samples
