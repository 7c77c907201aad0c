#include "engine/machine/LockHolder.h"

#include <sstream>

namespace ringmaster {

int lockHolderIn(const std::string& locks, pid_t pid)
{
    // "1: FLOCK ADVISORY WRITE 70 fe:01:12 0 EOF", and below it who waits for it, one and all:
    // "1: -> FLOCK ADVISORY WRITE 71 fe:01:12 0 EOF".
    std::istringstream lines(locks);
    int holder = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        int who = 0;
        words >> word >> word;
        const bool isWaiting = word == "->";
        if (isWaiting)
            words >> word;
        words >> word >> word >> who;
        if (!isWaiting)
            holder = who;
        else if (who == pid)
            return holder;
    }
    return 0;
}

} // namespace ringmaster
