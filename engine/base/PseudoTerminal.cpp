#include "engine/base/PseudoTerminal.h"

#include "engine/base/Codes.h"

#include <array>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>

namespace ringmaster {

Result<PseudoTerminal> openPseudoTerminal()
{
    const auto failed = [](const char* call) {
        return fail(code::SystemCallFailed, {{"call", call}}, errnoText(errno));
    };
    FileDescriptor master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    std::array<char, 64> name{};
    if (!master.isOpen() || grantpt(master.get()) != 0 || unlockpt(master.get()) != 0 ||
        ptsname_r(master.get(), name.data(), name.size()) != 0)
        return failed("posix_openpt");
    FileDescriptor slave(open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios settings{};
    if (!slave.isOpen() || tcgetattr(slave.get(), &settings) != 0)
        return failed("tcgetattr");
    cfmakeraw(&settings);
    if (tcsetattr(slave.get(), TCSANOW, &settings) != 0)
        return failed("tcsetattr");
    return PseudoTerminal{std::move(master), std::move(slave)};
}

void copyTerminalSize(int terminal, int master)
{
    winsize size{};
    if (ioctl(terminal, TIOCGWINSZ, &size) == 0)
        ioctl(master, TIOCSWINSZ, &size);
}

} // namespace ringmaster
