#include "engine/job/JobFile.h"

#include <QDir>
#include <QTest>

using namespace ringmaster;

namespace {

const QString ExamplesFolder = QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples");

JobSpec loaded(const QString& name)
{
    const JobFileResult file = loadJobFile(ExamplesFolder.toStdString() + "/" + name.toStdString());
    return file ? file->spec : JobSpec{};
}

} // namespace

class tst_example_files : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areUnderstood_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList files = QDir(ExamplesFolder).entryList({QStringLiteral("*.ringjob")});
        QVERIFY(files.size() >= 4);
        for (const QString& file : files)
            QTest::newRow(qPrintable(file)) << file;
    }

    void areUnderstood()
    {
        QFETCH(QString, name);
        const JobSpec spec = loaded(name);
        QVERIFY(!spec.name.empty());
        QCOMPARE(spec.roles.size(), size_t{1});
        QVERIFY(spec.rendezvous.standalone);
        QVERIFY(!spec.roles.front().program.empty());
    }

    void nameProgramsThatAreThere_data() { areUnderstood_data(); }

    void nameProgramsThatAreThere()
    {
        QFETCH(QString, name);
        const Role role = loaded(name).roles.front();
        if (role.kind == ProgramKind::Script)
            QVERIFY(QDir(ExamplesFolder).exists(QString::fromStdString(role.program)));
        else
            QCOMPARE(role.program, std::string("bash"));
    }

    void areWrittenBackWithoutLoss_data() { areUnderstood_data(); }

    void areWrittenBackWithoutLoss()
    {
        QFETCH(QString, name);
        const JobSpec spec = loaded(name);
        const Result<std::string> text = jobFileText(spec);
        QVERIFY(text.has_value());
        const JobFileResult again = parseJobFile(*text);
        QVERIFY(again.has_value());
        QVERIFY(again->spec == spec);
    }

    void restartTheJobsThatAPersonKillsAWorkerOf()
    {
        QCOMPARE(loaded(QStringLiteral("ddp_digits.ringjob")).restart.maxRestarts, 3);
        QCOMPARE(loaded(QStringLiteral("ddp_digits_checkpoint.ringjob")).restart.maxRestarts, 3);
    }
};

QTEST_GUILESS_MAIN(tst_example_files)
#include "tst_example_files.moc"
