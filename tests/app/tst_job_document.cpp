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

    void aLaunchKeepsWhatIsInNoFile()
    {
        JobDocument document;
        document.edited();
        document.launched(named("a"));
        QVERIFY(!document.isDirty());
        // The file has something else.
        document.opened(File);
        document.edited();
        document.launched(named("a"));
        QVERIFY(document.isDirty());
    }

    void whatRunsIsNotWhatIsShownOnceThatWasChanged()
    {
        JobDocument document;
        QVERIFY(!document.waitsForLaunch(named("a")));
        document.launched(named("a"));
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
