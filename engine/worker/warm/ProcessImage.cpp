#include "engine/worker/warm/ProcessImage.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <linux/prctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// proc(5), /proc/PID/stat: fields 26 to 28 and 45 to 47, which the kernel wants to hear again.
bool readCurrentMap(prctl_mm_map& map)
{
    std::FILE* file = std::fopen("/proc/self/stat", "re");
    if (file == nullptr)
        return false;
    std::array<char, 2048> text{};
    const std::size_t got = std::fread(text.data(), 1, text.size() - 1, file);
    (void)std::fclose(file);
    const char* behindName = got > 0 ? std::strrchr(text.data(), ')') : nullptr;
    if (behindName == nullptr)
        return false;
    std::array<unsigned long long, 6> values{};
    const int fields =
        std::sscanf(behindName + 1,
                    " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
                    " %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu %llu %*s %*s %*s"
                    " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu"
                    " %llu %llu",
                    &values[0], &values[1], &values[2], &values[3], &values[4], &values[5]);
    map.start_code = values[0];
    map.end_code = values[1];
    map.start_stack = values[2];
    map.start_data = values[3];
    map.end_data = values[4];
    map.start_brk = values[5];
    map.brk = reinterpret_cast<std::uintptr_t>(sbrk(0));
    return fields == 6;
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all.append(text).push_back('\0');
    return all;
}

} // namespace

bool setProcessImage(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment)
{
    prctl_mm_map map{};
    if (!readCurrentMap(map))
        return false;
    const std::string first = joined(arguments);
    const std::string second = joined(environment);
    // Never unmapped: the kernel reads it for as long as the process lives.
    void* memory = mmap(nullptr, first.size() + second.size() + 1, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    char* at = static_cast<char*>(memory);
    std::memcpy(at, first.data(), first.size());
    std::memcpy(at + first.size(), second.data(), second.size());
    map.arg_start = reinterpret_cast<std::uintptr_t>(at);
    map.arg_end = map.arg_start + first.size();
    map.env_start = map.arg_end;
    map.env_end = map.env_start + second.size();
    map.exe_fd = static_cast<std::uint32_t>(-1);
    return prctl(PR_SET_MM, PR_SET_MM_MAP, reinterpret_cast<unsigned long>(&map), sizeof map, 0L) ==
           0;
}

} // namespace ringmaster
