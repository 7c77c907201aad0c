#include "app/editor/ChecksPanel.h"
#include "app/editor/CommandPanel.h"
#include "app/editor/EditorPage.h"
#include "app/editor/FreshJob.h"
#include "app/editor/JobForm.h"
#include "app/editor/PlaceSection.h"
#include "app/main/Pages.h"
#include "app/widget/Banner.h"
#include "app/widget/WarningLabel.h"
#include "engine/base/Codes.h"
#include "engine/job/Codes.h"
#include "engine/job/JobFile.h"
#include "tests/app/EditorFields.h"
#include "tests/app/PageOf.h"
#include "tests/app/Window.h"
#include "tests/support/Patience.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// The checks look for interpreters and run them, on a machine that has more to do.

void typeLines(QPlainTextEdit* field, const QStringList& lines)
{
    for (const QString& line : lines) {
        QTest::keyClicks(field, line);
        QTest::keyClick(field, Qt::Key_Return);
    }
}

enum Place { Here, Hosts, Slurm, FirstMachine, SecondMachine };

void runOn(const QWidget& editor, Place place)
{
    auto* box = named<QComboBox>(editor, "Run on");
    box->setCurrentIndex(place);
    Q_EMIT box->activated(place);
}

/// What is said beside the fields that are shown.
QString warning(const QWidget& form)
{
    for (const WarningLabel* label : form.findChildren<WarningLabel*>())
        if (label->isVisible())
            return label->text();
    return {};
}

QString oneLine(QString text)
{
    return text.remove(QLatin1Char('\\')).simplified();
}

/// As a job file would have it.
JobSpec again(const JobSpec& spec)
{
    const auto text = jobFileText(spec);
    return text ? parseJobFile(*text)->spec : JobSpec{};
}

} // namespace

/// The editor's *Where*: this machine, hosts, Slurm; and containers.
class tst_editor_places : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { useTemporarySettings(); }

    void hostsAreChosenOrWrittenAndAreTheSame()
    {
        Window dashboard(pages());
        dashboard.cluster.hosts().setHosts(
            {{.name = "gpu1", .slots = 8, .groups = {"lab"}}, {.name = "gpu2"}});
        dashboard.window.show();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, Patience));
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto& editor = pageOf<EditorPage>(dashboard.window);
        auto* runOn = named<QComboBox>(editor, "Run on");
        auto* words = named<QLineEdit>(editor, "Hosts");
        auto* table = named<QTableWidget>(editor, "Hosts to choose from");
        QVERIFY(!table->isVisible());
        runOn->setCurrentIndex(1);
        Q_EMIT runOn->activated(1);
        QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 4, Patience); // this machine, @lab, gpu1, gpu2
        // Who gives a host workers wants it.
        table->item(3, 1)->setText(QStringLiteral("2"));
        QCOMPARE(words->text(), QStringLiteral("gpu2:2"));
        QCOMPARE(table->item(3, 0)->checkState(), Qt::Checked);
        table->item(3, 0)->setCheckState(Qt::Unchecked);
        QCOMPARE(words->text(), QString());
        table->item(2, 0)->setCheckState(Qt::Checked);
        table->item(3, 0)->setCheckState(Qt::Checked);
        table->item(3, 1)->setText(QStringLiteral("4"));
        QCOMPARE(words->text(), QStringLiteral("gpu1, gpu2:4"));
        QCOMPARE(editor.job().hosts, (std::vector<std::string>{"gpu1", "gpu2:4"}));
        QVERIFY(!editor.job().rendezvous.standalone);
        const QString line = editor.findChild<CommandPanel*>()->command();
        QVERIFY2(line.startsWith(QLatin1String("ringmaster run")) &&
                     line.contains(QLatin1String("--hosts")) &&
                     line.contains(QLatin1String("gpu1,gpu2:4")),
                 qPrintable(line));
        type(words, "@lab, other");
        QCOMPARE(editor.job().hosts, (std::vector<std::string>{"@lab", "other"}));
        QCOMPARE(table->item(1, 0)->checkState(), Qt::Checked);
        QCOMPARE(table->item(2, 0)->checkState(), Qt::Unchecked);
        const auto text = jobFileText(editor.job());
        QVERIFY(text.has_value());
        QCOMPARE(parseJobFile(*text)->spec.hosts, editor.job().hosts);
        runOn->setCurrentIndex(0);
        Q_EMIT runOn->activated(0);
        QVERIFY(editor.job().hosts.empty());
        QVERIFY(editor.job().rendezvous.standalone);
    }

    void aMachineOfTheBookRunsAJobByItself()
    {
        Window dashboard(pages());
        dashboard.cluster.hosts().setHosts(
            {{.name = "gpu1", .code = "/data/code", .sync = CodeSync::Rsync}, {.name = "gpu2"}});
        dashboard.window.show();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, Patience));
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto& editor = pageOf<EditorPage>(dashboard.window);
        auto* box = named<QComboBox>(editor, "Run on");
        QTRY_COMPARE_WITH_TIMEOUT(box->count(), 5, Patience);
        QCOMPARE(box->itemText(3), QStringLiteral("On gpu1, by itself"));
        runOn(editor, FirstMachine);
        QCOMPARE(editor.machine(), "gpu1");
        // What is checked here isn't what is there: no such program is known of.
        type(named<QLineEdit>(editor, "Program"), "/there/train.py");
        const auto says = [&](const char* text) {
            for (const QLabel* label : editor.findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(QLatin1String(text)))
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(says("brought to /data/code there"), Patience);
        const QString line = oneLine(editor.findChild<CommandPanel*>()->command());
        QVERIFY2(line.startsWith(QLatin1String("ringmaster run --on gpu1 ")), qPrintable(line));
        // The job itself doesn't say where.
        QVERIFY(editor.job().hosts.empty() && editor.job().rendezvous.standalone);
        QSignalSpy launched(&editor, &Page::launchRequested);
        editor.launch();
        QTRY_COMPARE_WITH_TIMEOUT(launched.count(), 1, Patience);
        QCOMPARE(launched.at(0).at(2).toString(), QStringLiteral("gpu1"));

        runOn(editor, SecondMachine);
        QVERIFY(says("at the same path there"));
        editor.undo(); // the program's name
        QCOMPARE(editor.machine(), "gpu2");
        runOn(editor, Hosts);
        QVERIFY(editor.machine().empty());
        runOn(editor, SecondMachine);
        // One that isn't in the book any more.
        dashboard.cluster.hosts().setHosts({{.name = "gpu1"}});
        Q_EMIT dashboard.bridge.hostsChanged();
        QTRY_COMPARE_WITH_TIMEOUT(box->count(), 4, Patience);
        QCOMPARE(box->currentIndex(), static_cast<int>(Here));
        editor.newJob();
        QVERIFY(editor.machine().empty());
    }

    void atALaptopAFreshJobIsForAnotherMachine()
    {
        const std::vector<Host> book{{.name = "gpu1"}, {.name = "gpu2"}};
        JobForm form;
        form.load(freshJob());
        form.setHosts(book);
        QCOMPARE(form.place().machine(), "");
        form.setFacts({.hasBattery = true});
        QCOMPARE(form.place().machine(), "gpu1");
        QVERIFY(form.job() == freshJob());
        JobSpec named = freshJob();
        named.name = "train";
        form.load(named);
        QCOMPARE(form.place().machine(), "");
        // Where the last one was sent: another machine, or this one.
        form.setLastMachine("gpu2");
        form.load(freshJob());
        QCOMPARE(form.place().machine(), "gpu2");
        form.setLastMachine("");
        form.load(freshJob());
        QCOMPARE(form.place().machine(), "");
        auto* box = ::named<QComboBox>(form, "Run on");
        box->setCurrentIndex(3);
        Q_EMIT box->activated(3);
        QCOMPARE(form.place().lastMachine().value_or("none"), "gpu1");
        form.setFacts({.hasBattery = true});
        QCOMPARE(form.place().machine(), "gpu1");
    }

    void thePreflightOfAJobIsAmongItsChecks()
    {
        Window dashboard(pages());
        dashboard.cluster.hosts().setFindings({{PreflightFinding::Grade::Bad,
                                                "gpu1",
                                                "",
                                                {code::FileNotFound, {{"path", "/no/python"}}, {}},
                                                ""}});
        dashboard.window.show();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, Patience));
        auto& editor = pageOf<EditorPage>(dashboard.window);
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        editor.openText(QStringLiteral("program = \"train.py\"\nhosts = [\"gpu1\"]\n"),
                        QStringLiteral("/tmp"));
        auto* words = named<QLineEdit>(editor, "Hosts");
        QCOMPARE(words->text(), QStringLiteral("gpu1"));
        QTest::mouseClick(button<QPushButton>(editor, "Preflight"), Qt::LeftButton);
        const ChecksModel& checks = editor.findChild<ChecksPanel*>()->model();
        const auto isListed = [&] {
            return std::ranges::any_of(checks.rows(), [](const Finding& finding) {
                return finding.message.code == code::FileNotFound;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isListed(), Patience);
        const auto request = dashboard.cluster.hosts().requests().front();
        QCOMPARE(request.program, std::string("train.py"));
        QCOMPARE(request.folder, std::filesystem::path("/tmp"));
        type(words, "gpu2");
        QVERIFY(!isListed());
    }

    void oneFieldBringsAJobFromHostsToSlurm()
    {
        EditorPage page(m_bridge);
        page.openText(QStringLiteral("command = \"/bin/true\"\nhosts = [\"gpu1\", \"gpu2\"]\n"
                                     "nodes = \"1:2\"\nworkers = 2\n"),
                      QStringLiteral("/tmp"));
        page.show();
        const JobSpec before = page.job();
        auto* workers = named<QComboBox>(page, "Workers per node");
        runOn(page, Here);
        QVERIFY(!workers->itemText(0).contains(QLatin1String("each node")));
        runOn(page, Slurm);
        // What this machine has says nothing of the others.
        QCOMPARE(workers->itemText(0), QStringLiteral("auto: one per GPU or CPU of each node"));
        QVERIFY(!named<QWidget>(page, "GPUs")->isVisible());
        JobSpec wanted = before;
        wanted.runOn = RunOn::Slurm;
        wanted.hosts.clear();
        QVERIFY(page.job() == wanted);
        const QString line = oneLine(page.findChild<CommandPanel*>()->command());
        QVERIFY2(line.startsWith(QLatin1String("ringmaster run")) &&
                     line.contains(QLatin1String("--slurm")) &&
                     line.contains(QLatin1String("--nnodes 1:2")),
                 qPrintable(line));
        page.undo();
        page.undo();
        QVERIFY(page.job() == before);
        QVERIFY(!button<QToolButton>(page, "Slurm script")->isVisible());
    }

    void whatSlurmIsAskedForIsInTheFormTheFileAndTheScript()
    {
        EditorPage page(m_bridge);
        page.openText(QStringLiteral("command = \"/bin/true\"\nrun_on = \"slurm\"\n"),
                      QStringLiteral("/tmp"));
        page.show();
        type(named<QLineEdit>(page, "Partition"), "gpu");
        type(named<QLineEdit>(page, "Account"), "physics");
        type(named<QLineEdit>(page, "Time limit"), "4:00:00");
        named<QSpinBox>(page, "GPUs a node")->setValue(4);
        typeLines(named<QPlainTextEdit>(page, "More for sbatch"),
                  {QStringLiteral("--constraint=a100"), QString(), QStringLiteral("--exclusive")});
        const SlurmSpec wanted{.partition = "gpu",
                               .account = "physics",
                               .time = "4:00:00",
                               .gpusPerNode = 4,
                               .options = {"--constraint=a100", "--exclusive"}};
        QVERIFY(page.job().slurm == wanted);
        QVERIFY(again(page.job()).slurm == wanted);
        // It comes back when the job has been elsewhere.
        runOn(page, Here);
        runOn(page, Slurm);
        QVERIFY(page.job().slurm == wanted);
        auto* toScript = button<QToolButton>(page, "Slurm script");
        QTest::mouseClick(toScript, Qt::LeftButton);
        const QString script = page.findChild<CommandPanel*>()->command();
        for (const char* part : {"#!/bin/sh", "--partition=gpu", "--account=physics",
                                 "--time=4:00:00", "--gpus-per-node=4", "--exclusive", "srun"})
            QVERIFY2(script.contains(QLatin1String(part)), qPrintable(script));
        type(named<QLineEdit>(page, "Partition"), "cpu");
        QVERIFY(
            page.findChild<CommandPanel*>()->command().contains(QLatin1String("--partition=cpu")));
        QTest::mouseClick(toScript, Qt::LeftButton);
        QVERIFY(
            page.findChild<CommandPanel*>()->command().startsWith(QLatin1String("ringmaster run")));
    }

    void whatSlurmWouldRefuseIsCheckedAndLeadsToItsField()
    {
        Window dashboard(pages());
        dashboard.window.show();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, Patience));
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto& editor = pageOf<EditorPage>(dashboard.window);
        editor.openText(QStringLiteral("command = \"/bin/true\"\nrun_on = \"slurm\"\n"
                                       "[slurm]\ntime = \"soon\"\n"),
                        QStringLiteral("/tmp"));
        auto* checks = editor.findChild<ChecksPanel*>();
        const auto row = [&] {
            for (int i = 0; i < checks->model().rowCount(); ++i)
                if (checks->model().index(i, 0).data().toString().contains(QLatin1String("soon")))
                    return checks->model().index(i, 0);
            return QModelIndex();
        };
        QTRY_VERIFY_WITH_TIMEOUT(row().isValid(), Patience);
        Q_EMIT checks->fieldChosen(row().data(ChecksModel::FieldRole).toString());
        QVERIFY(named<QLineEdit>(editor, "Time limit")->hasFocus());
    }

    void aMissingSbatchOrContainerEngineIsAmongTheChecks()
    {
        const QByteArray path = qgetenv("PATH");
        const auto restore = qScopeGuard([&] { qputenv("PATH", path); });
        qputenv("PATH", "/nowhere");
        EditorPage page(m_bridge);
        static_cast<QWidget&>(page).show();
        const ChecksModel& checks = page.findChild<ChecksPanel*>()->model();
        const auto fieldOf = [&checks](Code code) {
            const auto found = std::ranges::find_if(checks.rows(), [code](const Finding& finding) {
                return finding.message.code == code && finding.severity == Finding::Severity::Error;
            });
            return found == checks.rows().end() ? std::string() : found->place.field;
        };
        page.openText(QStringLiteral("command = \"/bin/true\"\nrun_on = \"slurm\"\n"
                                     "image = \"torch:2.11\"\n"),
                      QStringLiteral("/tmp"));
        QTRY_COMPARE_WITH_TIMEOUT(fieldOf(code::SlurmMissing), std::string("run_on"), Patience);
        QCOMPARE(fieldOf(code::ContainerEngineMissing), std::string());
        runOn(page, Here);
        QTRY_COMPARE_WITH_TIMEOUT(fieldOf(code::ContainerEngineMissing),
                                  std::string("container.engine"), Patience);
        QCOMPARE(fieldOf(code::SlurmMissing), std::string());
        page.launch();
        auto* banner = page.findChild<Banner*>();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), Patience);
        QVERIFY2(banner->text().contains(QLatin1String("torch:2.11")), qPrintable(banner->text()));
        QVERIFY(m_cluster.launched().empty());
    }

    void saysBesideTheFieldThatSlurmOrAnEngineIsNotHere()
    {
        JobForm form;
        static_cast<QWidget&>(form).show();
        JobSpec spec;
        spec.runOn = RunOn::Slurm;
        form.load(spec);
        form.setFacts({});
        QVERIFY2(warning(form).contains(QLatin1String("sbatch isn't on this machine")),
                 qPrintable(warning(form)));
        form.setFacts({.hasSbatch = true});
        QCOMPARE(warning(form), QString());
        // The nodes have engines of their own.
        spec.roles.front().image = "torch:2.11";
        form.load(spec);
        QCOMPARE(warning(form), QString());
        spec.runOn = RunOn::Hosts;
        form.load(spec);
        QVERIFY2(warning(form).contains(QLatin1String("isn't on this machine")),
                 qPrintable(warning(form)));
        form.setFacts({.containerEngines = {"podman"}});
        QCOMPARE(warning(form), QString());
        auto* engine = named<QComboBox>(form, "Engine");
        QCOMPARE(engine->itemText(0), QStringLiteral("the first that is found: Podman"));
        QCOMPARE(engine->itemText(2), QStringLiteral("Docker (not here)"));
        engine->setCurrentIndex(2);
        Q_EMIT engine->activated(2);
        QVERIFY(!warning(form).isEmpty());
        QCOMPARE(form.job().container.engine, std::string("docker"));
    }

    void aContainerIsSaidInTheFormTheFileAndTheLine()
    {
        EditorPage page(m_bridge);
        page.show();
        page.findChild<JobForm*>()->focusField(QStringLiteral("image"));
        QVERIFY(!named<QComboBox>(page, "Engine")->isVisible());
        type(named<QLineEdit>(page, "Program"), "train.py");
        type(named<QLineEdit>(page, "Image"), "torch:2.11");
        QVERIFY(named<QComboBox>(page, "Engine")->isVisible());
        QTest::keyClicks(named<QPlainTextEdit>(page, "Mounts"), QStringLiteral("/data:/data:ro"));
        QTest::keyClicks(named<QPlainTextEdit>(page, "Devices"), QStringLiteral("/dev/fuse"));
        QTest::keyClicks(named<QPlainTextEdit>(page, "More for the engine"),
                         QStringLiteral("--shm-size=8g"));
        const ContainerSpec wanted{
            .mounts = {"/data:/data:ro"}, .devices = {"/dev/fuse"}, .options = {"--shm-size=8g"}};
        QVERIFY(page.job().container == wanted);
        QCOMPARE(page.job().roles.front().image, std::string("torch:2.11"));
        QVERIFY(again(page.job()).container == wanted);
        const QString line = oneLine(page.findChild<CommandPanel*>()->command());
        QVERIFY2(line.contains(QLatin1String("--image torch:2.11")) &&
                     line.contains(QLatin1String("--container-mount /data:/data:ro")),
                 qPrintable(line));
    }

    void anotherRoleHasTheFirstOnesImageUnlessItHasItsOwn()
    {
        JobForm form;
        static_cast<QWidget&>(form).show();
        JobSpec spec;
        spec.roles.front().image = "torch:2.11";
        spec.roles.push_back({.name = "reader"});
        form.load(spec);
        form.focusField(QStringLiteral("role.1.image"));
        auto* image = named<QLineEdit>(form, "Image");
        QCOMPARE(image->text(), QString());
        QVERIFY(image->placeholderText().contains(QLatin1String("torch:2.11")));
        type(image, "reader:1");
        QCOMPARE(form.job().roles[0].image, std::string("torch:2.11"));
        QCOMPARE(form.job().roles[1].image, std::string("reader:1"));
    }

private:
    FakeCluster m_cluster;
    EngineBridge m_bridge{m_cluster};
};

QTEST_MAIN(tst_editor_places)
#include "tst_editor_places.moc"
