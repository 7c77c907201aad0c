#include "engine/machine/WorkerCpus.h"

#include <QtTest>

using namespace ringmaster;

class tst_worker_cpus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void followsCudaVisibleDevices()
    {
        const std::vector<std::string> all{"a", "b", "c"};
        const auto visible = [&](const char* value) {
            return visibleAddresses(all, {{"CUDA_VISIBLE_DEVICES", value}});
        };
        QCOMPARE(visibleAddresses(all, {}), all);
        QCOMPARE(visible("2,0"), (std::vector<std::string>{"c", "a"}));
        QCOMPARE(visible("1,7,0"), (std::vector<std::string>{"b"}));
        QCOMPARE(visible("-1"), std::vector<std::string>{});
        QCOMPARE(visible(""), std::vector<std::string>{});
    }

    void failsForAWorkerWithoutAGpu()
    {
        // Whatever GPUs this machine has, none is visible here.
        QVERIFY(!workerCpus("node", 1, {{"CUDA_VISIBLE_DEVICES", "-1"}}));
    }
};

QTEST_GUILESS_MAIN(tst_worker_cpus)
#include "tst_worker_cpus.moc"
