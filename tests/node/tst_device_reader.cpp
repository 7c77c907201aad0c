#include "engine/agent/Codes.h"
#include "engine/machine/Codes.h"
#include "engine/node/Codes.h"
#include "engine/node/DeviceSampler.h"
#include "tests/support/Nanoseconds.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <mutex>

#include <dlfcn.h>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

constexpr const char* NoLibrary = "libringmaster-none.so.1";

/// A machine's /proc and /sys as text.
class Machine
{
public:
    fs::path root() const { return m_folder.path().toStdString(); }

    void write(const std::string& path, const std::string& text) const
    {
        fs::create_directories((root() / path).parent_path());
        std::ofstream(root() / path) << text;
    }

    /// Ticks of two processors together, bytes of each interface.
    void count(int user, int idle, long ethernet, long loopback) const
    {
        write("proc/stat", "cpu  " + std::to_string(user) + " 0 0 " + std::to_string(idle) +
                               " 0 0 0 0 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\ncpu1 1 0 0 1 0 0 0 0 0 0\n"
                               "intr 12345\n");
        const auto line = [](const char* name, long received, long sent) {
            return std::string("  ") + name + ": " + std::to_string(received) + " 9 0 0 0 0 0 0 " +
                   std::to_string(sent) + " 9 0 0 0 0 0 0\n";
        };
        write("proc/net/dev", "Inter-|   Receive\n face |bytes\n" + line("lo", loopback, loopback) +
                                  line("eth0", ethernet, ethernet / 2) +
                                  line("veth7", ethernet, ethernet) + line("docker0", ethernet, 0));
        write("sys/class/net/veth7/master", "");
        write("sys/class/net/docker0/bridge", "");
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

/// What this machine and its GPUs do, from what the kernel and the driver count.
class tst_device_reader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void processorsAndNetworkAreRates()
    {
        const Machine machine;
        DeviceReader reader(NoLibrary, machine.root());
        machine.count(100, 100, 1'000'000, 5'000'000);
        QVERIFY(!reader.read(1 * Second));
        machine.count(250, 150, 3'000'000, 9'000'000);
        const auto sample = reader.read(3 * Second);
        QVERIFY(sample.has_value());
        QCOMPARE(sample->processors, 2);
        QCOMPARE(sample->cpuFraction, 0.75);
        // What belongs to a bridge isn't counted twice.
        QCOMPARE(sample->network.received, 1e6);
        QCOMPARE(sample->network.sent, 5e5);
        QCOMPARE(sample->loopback, 2e6);
        QVERIFY(sample->gpus.empty());
        QCOMPARE(sample->absence.code, code::NoGpuDriver);
    }

    void aCounterThatBeginsAnewTellsNothing()
    {
        const Machine machine;
        DeviceReader reader(NoLibrary, machine.root());
        machine.count(100, 100, 9'000'000, 9'000'000);
        QVERIFY(!reader.read(1 * Second));
        machine.count(200, 200, 1'000, 10'000'000);
        const auto sample = reader.read(2 * Second);
        QCOMPARE(sample->network.received, 0.0);
        QCOMPARE(sample->loopback, 1e6);
        reader.forget();
        QVERIFY(!reader.read(3 * Second));
    }

    void whatIsNoProcIsNoSample()
    {
        const Machine machine;
        machine.write("proc/stat", "cpu nonsense\n");
        machine.write("proc/net/dev", ":::\n eth0: a b c\n");
        DeviceReader reader(NoLibrary, machine.root());
        QVERIFY(!reader.read(1 * Second));
        QVERIFY(!reader.read(2 * Second));
    }

    void gpusAreAskedByNvml()
    {
        const Machine machine;
        DeviceReader reader(RINGMASTER_FAKE_NVML, machine.root());
        machine.count(100, 100, 0, 0);
        QVERIFY(!reader.read(1 * Second));
        machine.count(200, 200, 0, 0);
        const auto sample = reader.read(3 * Second);
        QCOMPARE(sample->gpus.size(), size_t{2});
        const GpuSample& first = sample->gpus[0];
        QCOMPARE(first.name, std::string("Fake H200"));
        QCOMPARE(first.utilisation.value(), 0.75);
        QCOMPARE(first.totalBytes, std::int64_t{150'754'820'096});
        // 1 MiB sent and 2 MiB received each time that it is asked, over 2 s.
        QCOMPARE(first.nvlink.value().sent, 1024.0 * 1024 / 2);
        QCOMPARE(first.nvlink.value().received, 1024.0 * 1024);
        // Its counter has 32 bits, which say nothing; its rate does.
        QCOMPARE(first.pcie.value().sent, 7e6);
        QCOMPARE(first.pcie.value().received, 9e6);
        // The second one tells nothing of its links and its use.
        const GpuSample& second = sample->gpus[1];
        QVERIFY(!second.utilisation && !second.nvlink && !second.pcie);
        QCOMPARE(second.usedBytes, std::int64_t{76'235'669'504});
        // The third can't be asked.
        QCOMPARE(sample->absence.code, code::GpuNotReadable);
        QCOMPARE(sample->absence.parameters.at("index"), std::string("2"));
    }

    void samplesOnceASecondWhileItIsOn()
    {
        std::mutex mutex;
        std::vector<DeviceSample> samples;
        DeviceSampler sampler({.sampled =
                                   [&](const DeviceSample& sample) {
                                       const std::lock_guard lock(mutex);
                                       samples.push_back(sample);
                                   },
                               .failed = [](const DeviceSampler::Fault&) {}},
                              NoLibrary);
        const auto count = [&] {
            const std::lock_guard lock(mutex);
            return samples.size();
        };
        QCOMPARE(count(), size_t{0});
        sampler.setOn(true);
        QTRY_VERIFY2(count() >= 2, qPrintable(QString::number(count())));
        sampler.setOn(false);
        const std::lock_guard lock(mutex);
        QVERIFY(samples[0].processors > 0);
        QVERIFY2(samples[0].cpuFraction >= 0 && samples[0].cpuFraction <= 1,
                 qPrintable(QString::number(samples[0].cpuFraction)));
    }

    void anErrorOfAGpuNamesWhoComputedThere()
    {
        std::mutex mutex;
        std::vector<DeviceSampler::Fault> faults;
        DeviceSampler sampler({.sampled = [](const DeviceSample&) {},
                               .failed =
                                   [&](const DeviceSampler::Fault& fault) {
                                       const std::lock_guard lock(mutex);
                                       faults.push_back(fault);
                                   }},
                              RINGMASTER_FAKE_NVML);
        const auto count = [&] {
            const std::lock_guard lock(mutex);
            return faults.size();
        };
        void* const library = dlopen(RINGMASTER_FAKE_NVML, RTLD_NOW);
        QVERIFY(library != nullptr);
        auto* const raise =
            reinterpret_cast<void (*)(unsigned, unsigned long long, unsigned long long)>(
                dlsym(library, "fakeNvmlRaise"));
        // It has looked at who computes where before the error comes.
        sampler.lookNow();
        QVERIFY(count() == 0);
        raise(1, 8, 79);
        sampler.lookNow();
        QTRY_VERIFY2(count() == 1, qPrintable(QString::number(count())));
        raise(1, 2, 0);
        sampler.lookNow();
        QTRY_VERIFY2(count() == 2, qPrintable(QString::number(count())));
        raise(1, 8, 43);
        sampler.lookNow();
        QTRY_VERIFY2(count() == 3, qPrintable(QString::number(count())));
        const std::lock_guard lock(mutex);
        QCOMPARE(faults[2].what.code, code::GpuXidOfProgram);
        QCOMPARE(faults[0].what.code, code::GpuXid);
        QCOMPARE(faults[0].what.parameters.at("gpu"), std::string("1"));
        QCOMPARE(faults[0].what.parameters.at("xid"), std::string("79"));
        QCOMPARE(faults[1].what.code, code::GpuMemoryError);
        QCOMPARE(faults[1].pids.front(), 3310);
        dlclose(library);
    }
};

QTEST_GUILESS_MAIN(tst_device_reader)
#include "tst_device_reader.moc"
