#include "engine/machine/NumaBinding.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/machine/Codes.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <map>

#include <sched.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;
using Cpus = std::set<int>;

constexpr int MostCpus = 1 << 20;

/// "0-2,4" as the kernel writes sets of CPUs.
Cpus parseRanges(const std::string& text)
{
    Cpus all;
    for (const std::string& range : split(stripped(text), ',')) {
        const std::vector<std::string> ends = split(range, '-');
        const auto first = pythonInt(ends.front());
        const auto last = pythonInt(ends.back());
        for (int i = first.value_or(0); first && last && i <= std::min(*last, MostCpus); ++i)
            all.insert(i);
    }
    return all;
}

std::string rangesText(const Cpus& cpus)
{
    std::vector<std::string> ranges;
    for (auto at = cpus.begin(); at != cpus.end();) {
        const int first = *at;
        int last = first;
        while (++at != cpus.end() && *at == last + 1)
            last = *at;
        const std::string end = last == first ? "" : "-" + std::to_string(last);
        ranges.push_back(std::to_string(first) + end);
    }
    return join(ranges, ",");
}

class Topology
{
public:
    explicit Topology(const NumaFacts& facts) : m_facts(facts) {}

    Result<Cpus> node(int gpu) const { return allowedOfNode(RM_TRY(nodeOfGpu(gpu))); }
    Result<Cpus> socket(int gpu) const;
    Result<Cpus> exclusive(int gpu) const;
    Result<Cpus> coreComplex(int gpu) const;

private:
    Result<int> number(const fs::path& path) const;
    Result<Cpus> cpusIn(const fs::path& path) const
    {
        return parseRanges(RM_TRY(readFile(m_facts.sysfs / path, 1U << 16U)));
    }
    Result<int> nodeOfGpu(int gpu) const;
    Result<Cpus> gpusOfNode(int wanted) const;
    Result<Cpus> allowedOfNode(int node) const;
    Result<int> socketOfNode(int node) const;
    /// CPUs of a node, grouped by the smallest CPU that shares something with them.
    Result<std::map<int, Cpus>> grouped(const Cpus& cpus,
                                        Result<Cpus> (Topology::*sharing)(int) const) const;
    Result<Cpus> sharingCore(int cpu) const;
    Result<Cpus> sharingCache(int cpu) const;

    const NumaFacts& m_facts;
};

fs::path cpuFolder(int cpu)
{
    return "devices/system/cpu/cpu" + std::to_string(cpu);
}

Result<int> Topology::number(const fs::path& path) const
{
    const std::string text = RM_TRY(readFile(m_facts.sysfs / path, 1U << 16U));
    if (const auto number = pythonInt(text))
        return *number;
    return fail(code::FileNotReadable, {{"path", (m_facts.sysfs / path).string()}});
}

Result<int> Topology::nodeOfGpu(int gpu) const
{
    const auto count = m_facts.gpuAddresses.size();
    if (gpu < 0 || static_cast<size_t>(gpu) >= count)
        return fail(code::NumaNoSuchGpu,
                    {{"rank", std::to_string(gpu)}, {"count", std::to_string(count)}});
    const std::string& address = m_facts.gpuAddresses[static_cast<size_t>(gpu)];
    // A machine with one node often says -1.
    return std::max(0, RM_TRY(number(fs::path("bus/pci/devices") / address / "numa_node")));
}

Result<Cpus> Topology::gpusOfNode(int wanted) const
{
    Cpus gpus;
    for (int gpu = 0; static_cast<size_t>(gpu) < m_facts.gpuAddresses.size(); ++gpu) {
        if (RM_TRY(nodeOfGpu(gpu)) == wanted)
            gpus.insert(gpu);
    }
    return gpus;
}

Result<Cpus> Topology::allowedOfNode(int node) const
{
    const std::string name = "node" + std::to_string(node);
    Cpus cpus = RM_TRY(cpusIn(fs::path("devices/system/node") / name / "cpulist"));
    std::erase_if(cpus, [this](int cpu) { return !m_facts.allowedCpus.contains(cpu); });
    return cpus;
}

Result<int> Topology::socketOfNode(int node) const
{
    const Cpus cpus = RM_TRY(allowedOfNode(node));
    if (cpus.empty())
        return -1;
    return number(cpuFolder(*cpus.begin()) / "topology/physical_package_id");
}

Result<Cpus> Topology::socket(int gpu) const
{
    const int wanted = RM_TRY(socketOfNode(RM_TRY(nodeOfGpu(gpu))));
    Cpus all;
    for (const int node : RM_TRY(cpusIn("devices/system/node/possible"))) {
        if (RM_TRY(socketOfNode(node)) == wanted)
            all.merge(RM_TRY(allowedOfNode(node)));
    }
    return all;
}

Result<Cpus> Topology::sharingCore(int cpu) const
{
    return cpusIn(cpuFolder(cpu) / "topology/thread_siblings_list");
}

/// Of the largest cache that holds data.
Result<Cpus> Topology::sharingCache(int cpu) const
{
    Cpus sharing;
    int highest = -1;
    std::error_code error;
    for (fs::directory_iterator at(m_facts.sysfs / cpuFolder(cpu) / "cache", error), end;
         !error && at != end; at.increment(error)) {
        if (!at->path().filename().string().starts_with("index"))
            continue;
        const fs::path index = at->path().lexically_relative(m_facts.sysfs);
        const std::string type = RM_TRY(readFile(m_facts.sysfs / index / "type", 1U << 16U));
        const int level = RM_TRY(number(index / "level"));
        if (stripped(type) == "Instruction" || level <= highest)
            continue;
        highest = level;
        sharing = RM_TRY(cpusIn(index / "shared_cpu_list"));
    }
    return sharing;
}

Result<std::map<int, Cpus>> Topology::grouped(const Cpus& cpus,
                                              Result<Cpus> (Topology::*sharing)(int) const) const
{
    std::map<int, Cpus> groups;
    for (const int cpu : cpus) {
        const Cpus all = RM_TRY((this->*sharing)(cpu));
        groups[all.empty() ? cpu : *all.begin()].insert(cpu);
    }
    return groups;
}

/// The node's cores, divided among its GPUs; the first ones get what is left over.
Result<Cpus> Topology::exclusive(int gpu) const
{
    const int node = RM_TRY(nodeOfGpu(gpu));
    const Cpus gpus = RM_TRY(gpusOfNode(node));
    const auto cores = RM_TRY(grouped(RM_TRY(allowedOfNode(node)), &Topology::sharingCore));
    const auto position = static_cast<size_t>(std::distance(gpus.begin(), gpus.find(gpu)));
    const size_t each = cores.size() / gpus.size();
    const size_t leftOver = cores.size() % gpus.size();
    if (each < 1)
        return fail(code::NumaFewerCoresThanGpus, {{"cores", std::to_string(cores.size())},
                                                   {"gpus", std::to_string(gpus.size())},
                                                   {"node", std::to_string(node)}});
    const size_t first = position * each + std::min(position, leftOver);
    const size_t end = first + each + (position < leftOver ? 1 : 0);
    Cpus own;
    size_t index = 0;
    for (const auto& [core, cpus] : cores) {
        if (index >= first && index < end)
            own.insert(cpus.begin(), cpus.end());
        ++index;
    }
    return own;
}

/// One group of cores with a common cache; groups with more free CPUs are taken first.
Result<Cpus> Topology::coreComplex(int gpu) const
{
    const int node = RM_TRY(nodeOfGpu(gpu));
    const Cpus gpus = RM_TRY(gpusOfNode(node));
    const auto caches = RM_TRY(grouped(RM_TRY(allowedOfNode(node)), &Topology::sharingCache));
    std::vector<Cpus> groups;
    groups.reserve(caches.size());
    for (const auto& [cache, cpus] : caches)
        groups.push_back(cpus);
    std::ranges::stable_sort(groups, std::greater<>(), &Cpus::size);
    if (groups.empty())
        return Cpus{};
    const auto position = static_cast<size_t>(std::distance(gpus.begin(), gpus.find(gpu)));
    return groups[position % groups.size()];
}

} // namespace

Result<std::string> numaCpus(const std::string& mode, int localRank, const NumaFacts& facts)
{
    const Topology topology(facts);
    Result<Cpus> cpus =
        fail(code::NumaBindingUnknown,
             {{"value", mode}, {"choices", "node, socket, exclusive, core-complex"}});
    if (mode == "node")
        cpus = topology.node(localRank);
    else if (mode == "socket")
        cpus = topology.socket(localRank);
    else if (mode == "exclusive")
        cpus = topology.exclusive(localRank);
    else if (mode == "core-complex")
        cpus = topology.coreComplex(localRank);
    const Cpus own = RM_TRY(std::move(cpus));
    if (own.empty())
        return fail(code::NumaEmptyBinding, {{"rank", std::to_string(localRank)}});
    return rangesText(own);
}

std::set<int> allowedCpus()
{
    // Larger than cpu_set_t: machines have more than 1024 CPUs.
    std::vector<cpu_set_t> sets(16);
    const size_t bytes = sets.size() * sizeof(cpu_set_t);
    Cpus cpus;
    if (sched_getaffinity(0, bytes, sets.data()) != 0)
        return cpus;
    for (size_t cpu = 0; cpu < bytes * 8; ++cpu) {
        if (CPU_ISSET_S(cpu, bytes, sets.data()))
            cpus.insert(static_cast<int>(cpu));
    }
    return cpus;
}

} // namespace ringmaster
