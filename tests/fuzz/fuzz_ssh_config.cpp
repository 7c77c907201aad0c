// A user's ssh config, which may include itself; and what ssh prints when it fails. Each name that
// is found is one that a host may have, and is offered once.

#include "Fuzz.h"
#include "engine/hosts/HostBook.h"
#include "engine/hosts/Ssh.h"

#include <set>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // Its number never changes: a seed may say "Include /proc/self/fd/100".
    static const int file = [] {
        const int memory = ::memfd_create("config", MFD_CLOEXEC);
        return ::dup2(memory, 100);
    }();
    const std::string_view text = fuzz::textOf(data, size);
    fuzz::require(::ftruncate(file, 0) == 0 && ::pwrite(file, data, size, 0) == ssize_t(size));
    const std::vector<std::string> names = sshConfigNames("/proc/self/fd/100");
    fuzz::require(std::set<std::string>(names.begin(), names.end()).size() == names.size());
    for (const std::string& name : names)
        fuzz::require(HostBook::isName(name) && text.find(name) != std::string_view::npos);
    fuzz::require(!describe(sshFailure({.name = "n1"}, 255, std::string(text))).empty());
    return 0;
}
