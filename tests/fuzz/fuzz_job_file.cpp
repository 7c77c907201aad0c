// A `.ringjob` that somebody sent. What is accepted is written as a file that is read as the same
// job; what isn't has its errors in the text.

#include "Fuzz.h"
#include "engine/job/JobFile.h"

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    const JobFileResult job = parseJobFile(text);
    if (!job) {
        fuzz::require(!job.error().empty());
        for (const Finding& finding : job.error())
            fuzz::require(!describe(finding.message).empty());
        return 0;
    }
    const Result<std::string> written = jobFileText(job->spec);
    fuzz::require(written.has_value());
    const JobFileResult again = parseJobFile(*written);
    fuzz::require(again && again->spec == job->spec);
    return 0;
}
