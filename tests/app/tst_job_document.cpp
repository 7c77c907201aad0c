#include "app/editor/JobDocument.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

JobSpec named(const std::string& name)
{
    JobSpec spec;
    spec.name = name;
    return spec;
}

void launch(JobDocument& document, const std::string& name)
{
    document.launchAsked(named(name));
    document.started(named(name), named(name));
}

const QString File = QStringLiteral("/home/me/a.ringjob");

} // namespace

class tst_job_document : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasChangedWouldBeLost()
    {
        JobDocument document;
        QVERIFY(!document.wouldBeLost(named("a"), named("b")));
        document.edited();
        QVERIFY(document.isDirty());
        QVERIFY(document.wouldBeLost(named("a"), named("b")));
        QVERIFY(!document.wouldBeLost(named("a"), named("a")));
        document.opened(File);
        QVERIFY(!document.isDirty());
        QCOMPARE(document.path(), File);
    }

    void whatIsWrittenDuringASaveIsNotSaved()
    {
        JobDocument document;
        document.edited();
        document.saved(File, named("a"), named("a2"));
        QVERIFY(document.isDirty());
        document.saved(File, named("a2"), named("a2"));
        QVERIFY(!document.isDirty());
    }

    void aJobThatRunsIsKeptThoughItIsInNoFile()
    {
        JobDocument document;
        document.edited();
        launch(document, "a");
        QVERIFY(!document.isDirty());
        // The file has something else.
        document.opened(File);
        document.edited();
        launch(document, "a");
        QVERIFY(document.isDirty());
    }

    void aLaunchThatFailsKeepsNothing()
    {
        JobDocument document;
        document.edited();
        document.launchAsked(named("a"));
        QVERIFY(document.isDirty());
        QVERIFY(!document.launched());
        // Nor does a job that somebody else starts.
        document.started(named("b"), named("a"));
        QVERIFY(document.isDirty());
        QVERIFY(!document.launched());
    }

    void whatIsWrittenDuringALaunchIsNotKept()
    {
        JobDocument document;
        document.edited();
        document.launchAsked(named("a"));
        document.started(named("a"), named("a2"));
        QVERIFY(document.isDirty());
        QVERIFY(document.waitsForLaunch(named("a2")));
    }

    void aLaunchIsNotOfTheNextJob()
    {
        JobDocument document;
        document.launchAsked(named("a"));
        document.opened({});
        document.edited();
        document.started(named("a"), named("a"));
        QVERIFY(document.isDirty());
        QVERIFY(!document.launched());
    }

    void whatRunsIsNotWhatIsShownOnceThatWasChanged()
    {
        JobDocument document;
        QVERIFY(!document.waitsForLaunch(named("a")));
        launch(document, "a");
        QVERIFY(!document.waitsForLaunch(named("a")));
        QVERIFY(document.waitsForLaunch(named("b")));
        document.opened(File);
        QVERIFY(!document.launched());
        document.openedFromRun(named("c"));
        QVERIFY(document.waitsForLaunch(named("b")));
    }
};

QTEST_MAIN(tst_job_document)
#include "tst_job_document.moc"
