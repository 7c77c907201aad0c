#include "engine/text/PythonPath.h"
#include "tests/TestMain.h"

using namespace ringmaster;

class tst_python_path : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ownFoldersStandAroundTheOthersOnce_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("last");
        QTest::addColumn<QString>("path");
        QTest::newRow("nothing") << ""
                                 << ""
                                 << ""
                                 << "";
        QTest::newRow("alone") << "/hook"
                               << ""
                               << "/ring"
                               << "/hook:/ring";
        QTest::newRow("around") << "/hook"
                                << "/a:b"
                                << "/ring"
                                << "/hook:/a:b:/ring";
        QTest::newRow("of a run within a run") << "/hook"
                                               << "/hook:/a:/ring"
                                               << "/ring"
                                               << "/hook:/a:/ring";
        QTest::newRow("no first") << ""
                                  << "/a"
                                  << "/ring"
                                  << "/a:/ring";
        QTest::newRow("the working folder") << "/hook"
                                            << "/a:"
                                            << ""
                                            << "/hook:/a:";
    }
    void ownFoldersStandAroundTheOthersOnce()
    {
        QFETCH(QString, first);
        QFETCH(QString, given);
        QFETCH(QString, last);
        QFETCH(QString, path);
        QCOMPARE(QString::fromStdString(
                     pythonPathWith(first.toStdString(), given.toStdString(), last.toStdString())),
                 path);
    }

    void anEmptyFolderIsTheWorkingFolder()
    {
        QVERIFY(!hasRelativeFolder(""));
        QVERIFY(!hasRelativeFolder("/a:/b"));
        QVERIFY(hasRelativeFolder("/a:b"));
        QVERIFY(hasRelativeFolder("/a:"));
        QVERIFY(hasRelativeFolder(":/a"));
    }
};

QTEST_GUILESS_MAIN(tst_python_path)
#include "tst_python_path.moc"
