#include "engine/base/Files.h"
#include "engine/job/JobFile.h"
#include "engine/job/JobSchema.h"
#include "tests/job/RandomJob.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace ringmaster;

/// The schema that is printed, and what our own reader takes, by a validator that isn't ours.
class tst_job_schema : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QProcess python;
        python.start("/usr/bin/python3", {"-c", "import jsonschema, tomllib"});
        if (!python.waitForFinished() || python.exitCode() != 0)
            QSKIP("python3-jsonschema isn't installed");
        write("schema.json", jobSchema());
    }

    void itTakesWhatIsWritten()
    {
        QStringList files;
        for (unsigned seed = 0; seed < 200; ++seed) {
            files += QString("%1.ringjob").arg(seed);
            write(files.last(), jobFileText(RandomJob(seed).any()).value());
        }
        QCOMPARE(refused(files), QString());
    }

    void itRefusesWhatTheReaderRefuses_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"nmae = 'a'", "restart.max = 'x'", "restart.maximum = 3", "workers = [1]",
              "nodes = 'a'", "warm = 'x'", "plain = 1", "logs.tee = 'all'",
              "logs.tee = { x = 'both' }", "rendezvous.method = 'etcd'", "restart.grace = 'soon'",
              "hosts = 'a'", "devices = ['a']", "run_on = 'cloud'", "[[role]]\nnmae = 'a'",
              "slurm = 1", "environment = { A = [1] }"})
            QTest::newRow(text) << text;
    }

    void itRefusesWhatTheReaderRefuses()
    {
        QFETCH(QString, text);
        QVERIFY(!parseJobFile(text.toStdString()));
        write("wrong.ringjob", text.toStdString());
        QVERIFY(!refused({"wrong.ringjob"}).isEmpty());
    }

    void itTakesOtherFormsToo_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "restart.grace = 30", "restart.grace = '1h30m'", "nodes = '1:4'",
              "workers = 'gpu'", "logs.tee = { others = 'both', 0 = 'none' }",
              "environment = { A = 1 }", "[[role]]\nname = 'a'\nprogram = 'a.py'"})
            QTest::newRow(text) << text;
    }

    void itTakesOtherFormsToo()
    {
        QFETCH(QString, text);
        QVERIFY(parseJobFile(text.toStdString()));
        write("right.ringjob", text.toStdString());
        QCOMPARE(refused({"right.ringjob"}), QString());
    }

private:
    void write(const QString& name, const std::string& text) const
    {
        QVERIFY(writeFileAtomically(m_folder.filePath(name).toStdString(), text));
    }

    QString refused(const QStringList& files) const
    {
        QProcess python;
        python.setWorkingDirectory(m_folder.path());
        python.start(
            "/usr/bin/python3",
            QStringList{RINGMASTER_SOURCE_DIR "/tests/job/check_by_schema.py", "schema.json"} +
                files);
        if (!python.waitForFinished() || python.exitCode() != 0)
            return python.readAllStandardError();
        return python.readAllStandardOutput();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_job_schema)
#include "tst_job_schema.moc"
