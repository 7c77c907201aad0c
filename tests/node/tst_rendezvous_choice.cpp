#include "engine/node/RendezvousChoice.h"
#include "engine/rendezvous/Codes.h"

#include <QtTest>

using namespace ringmaster;

class tst_rendezvous_choice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesWhatTheJobSays()
    {
        JobSpec spec;
        spec.nodes = {2, 4};
        spec.rendezvous.method = RendezvousMethod::C10d;
        spec.rendezvous.endpoint = "host:1234";
        spec.rendezvous.id = "z";
        spec.rendezvous.configuration = {{"join_timeout", "7"}};
        const auto options = rendezvousOf(spec, {});
        QVERIFY(options->method == RendezvousOptions::Method::C10d);
        QCOMPARE(options->endpoint, std::string("host:1234"));
        QCOMPARE(options->settings.id, std::string("z"));
        QCOMPARE(options->settings.minNodes, 2);
        QCOMPARE(options->settings.maxNodes, 4);
        QVERIFY(options->settings.joinTimeout == std::chrono::seconds(7));
        QVERIFY(options->shareStore);
    }

    void obeysTheVariableThatKeepsStoresApart()
    {
        const EnvironmentMap unshared{{"TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1"}};
        QVERIFY(!rendezvousOf(JobSpec{}, unshared)->shareStore);
    }

    void namesABadSetting()
    {
        JobSpec spec;
        spec.rendezvous.configuration = {{"join_timeout", "soon"}};
        QVERIFY(rendezvousOf(spec, {}).error().code == code::RendezvousConfigurationInvalid);
    }
};

QTEST_GUILESS_MAIN(tst_rendezvous_choice)
#include "tst_rendezvous_choice.moc"
