#include "engine/node/Signals.h"

#include "engine/base/SignalName.h"

#include <csignal>

namespace ringmaster {

std::vector<int> signalsToHandle(const std::vector<std::string>& names, bool ignoreHangup)
{
    std::vector<int> signals;
    for (const std::string& name : names) {
        const auto signal = signalFromName(name);
        const bool isUncatchable = signal == SIGKILL || signal == SIGSTOP;
        if (signal && !isUncatchable && !(signal == SIGHUP && ignoreHangup))
            signals.push_back(*signal);
    }
    return signals;
}

} // namespace ringmaster
