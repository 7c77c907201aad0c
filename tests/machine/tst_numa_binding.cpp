#include "engine/machine/NumaBinding.h"

#include <QtTest>

#include <fstream>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

/// Two sockets with two nodes each, eight CPUs a node: four cores of two threads (n and n + 32),
/// two caches of two cores. GPUs 0 and 1 on node 0, 2 on node 3.
class FakeMachine
{
public:
    FakeMachine()
    {
        write("devices/system/node/possible", "0-3\n");
        for (int node = 0; node < 4; ++node) {
            const int first = node * 4;
            write("devices/system/node/node" + std::to_string(node) + "/cpulist",
                  range(first, 4) + "," + range(first + 32, 4) + "\n");
            for (int core = first; core < first + 4; ++core) {
                addCpu(core, core, node / 2);
                addCpu(core + 32, core, node / 2);
            }
        }
        facts.sysfs = m_folder.path().toStdString();
        addGpu("0000:01:00.0", "0\n");
        addGpu("0000:02:00.0", "-1\n");
        addGpu("0000:c1:00.0", "3\n");
    }

    std::string cpus(const std::string& mode, int rank) const
    {
        const auto result = numaCpus(mode, rank, facts);
        return result ? *result : describe(result.error());
    }

    void allowAll()
    {
        for (int cpu = 0; cpu < 64; ++cpu)
            facts.allowedCpus.insert(cpu);
    }

    NumaFacts facts;

private:
    static std::string range(int first, int count)
    {
        return std::to_string(first) + "-" + std::to_string(first + count - 1);
    }

    void write(const std::string& path, const std::string& text) const
    {
        const fs::path file = fs::path(m_folder.path().toStdString()) / path;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }

    void addCpu(int cpu, int core, int socket) const
    {
        const std::string folder = "devices/system/cpu/cpu" + std::to_string(cpu);
        write(folder + "/topology/physical_package_id", std::to_string(socket) + "\n");
        write(folder + "/topology/thread_siblings_list",
              std::to_string(core) + "," + std::to_string(core + 32) + "\n");
        const int pair = core / 2 * 2;
        addCache(folder + "/cache/index0", "Data", 1, std::to_string(core));
        addCache(folder + "/cache/index1", "Instruction", 9, "0-63");
        addCache(folder + "/cache/index2", "Unified", 3,
                 range(pair, 2) + "," + range(pair + 32, 2));
    }

    void addCache(const std::string& folder, const char* type, int level,
                  const std::string& cpus) const
    {
        write(folder + "/type", std::string(type) + "\n");
        write(folder + "/level", std::to_string(level) + "\n");
        write(folder + "/shared_cpu_list", cpus + "\n");
    }

    void addGpu(const std::string& address, const std::string& node)
    {
        write("bus/pci/devices/" + address + "/numa_node", node);
        facts.gpuAddresses.push_back(address);
    }

    QTemporaryDir m_folder;
};

} // namespace

class tst_numa_binding : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bindsAsTorchDoes()
    {
        FakeMachine machine;
        machine.allowAll();
        QCOMPARE(machine.cpus("node", 0), std::string("0-3,32-35"));
        QCOMPARE(machine.cpus("node", 1), std::string("0-3,32-35"));
        QCOMPARE(machine.cpus("node", 2), std::string("12-15,44-47"));
        QCOMPARE(machine.cpus("socket", 0), std::string("0-7,32-39"));
        QCOMPARE(machine.cpus("exclusive", 0), std::string("0-1,32-33"));
        QCOMPARE(machine.cpus("exclusive", 1), std::string("2-3,34-35"));
        QCOMPARE(machine.cpus("exclusive", 2), std::string("12-15,44-47"));
        QCOMPARE(machine.cpus("core-complex", 0), std::string("0-1,32-33"));
        QCOMPARE(machine.cpus("core-complex", 1), std::string("2-3,34-35"));
    }

    void staysWithinWhatIsAllowed()
    {
        FakeMachine machine;
        machine.facts.allowedCpus = {1, 2, 3, 34, 12};
        QCOMPARE(machine.cpus("node", 0), std::string("1-3,34"));
        // Three cores for two GPUs: the first has two.
        QCOMPARE(machine.cpus("exclusive", 0), std::string("1-2,34"));
        QCOMPARE(machine.cpus("exclusive", 1), std::string("3"));
        // The cache with more free CPUs comes first.
        QCOMPARE(machine.cpus("core-complex", 0), std::string("2-3,34"));
        QCOMPARE(machine.cpus("core-complex", 1), std::string("1"));
    }

    void saysWhyItCannotBind()
    {
        FakeMachine machine;
        machine.facts.allowedCpus = {2, 20};
        QVERIFY(
            machine.cpus("exclusive", 0)
                .starts_with(
                    "There are only 1 physical cores on numa_node_index=0, but there are 2 GPUs"));
        QVERIFY(machine.cpus("node", 2).starts_with("Must bind to a non-empty set of CPU indices"));
        QVERIFY(machine.cpus("node", 3).starts_with(
            "Local rank 3 has no GPU to be bound to; there are 3."));
        QVERIFY(machine.cpus("nodes", 0).starts_with("nodes isn't a way to bind"));
        machine.facts.gpuAddresses.emplace_back("0000:ff:00.0");
        QVERIFY(machine.cpus("node", 3).find("numa_node does not exist") != std::string::npos);
    }

    void knowsItsOwnCpus() { QVERIFY(!allowedCpus().empty()); }
};

QTEST_GUILESS_MAIN(tst_numa_binding)
#include "tst_numa_binding.moc"
