// A `.ringlesson` that somebody sent. What is accepted can be run: its numbers fit together, and
// what its questions ask about stands in the program.

#include "Fuzz.h"
#include "engine/lesson/Pack.h"

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto program = [](const std::string& name) -> Result<std::string> {
        return "print('" + name + "')\n";
    };
    const lesson::PackResult pack = lesson::parsePack(fuzz::textOf(data, size), program);
    if (!pack) {
        fuzz::require(!pack.error().empty());
        for (const Finding& finding : pack.error())
            fuzz::require(!describe(finding.message).empty());
        return 0;
    }
    fuzz::require(!pack->name.empty() && !pack->backends.empty());
    fuzz::require(pack->minRanks >= 1 && pack->minRanks <= pack->ranks &&
                  pack->ranks <= pack->maxRanks);
    fuzz::require(!lesson::problemOfProgram(pack->source));
    fuzz::require(pack->start.empty() || lesson::lineWith(pack->source, pack->start) > 0);
    for (const lesson::Question& question : pack->questions)
        fuzz::require(question.at.empty() || lesson::lineWith(pack->source, question.at) > 0);
    (void)lesson::jobOf(*pack, {.program = "p.py", .ranks = pack->ranks});
    return 0;
}
