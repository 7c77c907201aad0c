#include "engine/cli/RunSource.h"

#include "engine/base/Paths.h"

namespace ringmaster {

Result<RunSource> openRun(const std::string& text)
{
    std::error_code ignored;
    const bool isFile = text.find('/') != std::string::npos || text.ends_with(".ringrun") ||
                        std::filesystem::is_regular_file(text, ignored);
    if (isFile)
        return RunSource{.reader = RM_TRY(RunFileReader::open(text))};
    const RunCatalog catalog(runsFolder());
    RunSummary summary = RM_TRY(chooseRun(catalog.list(), text, RunScope::All));
    RunFolder folder = RM_TRY(catalog.find(summary.id));
    return RunSource{RM_TRY(folder.openReader()), folder, summary};
}

} // namespace ringmaster
