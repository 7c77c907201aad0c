#include "engine/cli/Main.h"

#include <algorithm>
#include <clocale>

int main(int argc, char** argv)
{
    // Names and messages may be UTF-8; numbers stay as they are written in files.
    (void)std::setlocale(LC_CTYPE, ""); // NOLINT(concurrency-mt-unsafe): no thread yet
    return ringmaster::commandMain(argc > 0 ? argv[0] : "ringmaster",
                                   {argv + std::min(argc, 1), argv + argc});
}
