#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/jobs/PortsDialog.h"
#include "tests/app/Clicking.h"
#include "tests/app/RealDashboard.h"
#include "tests/support/Patience.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QLabel>
#include <QTcpSocket>
#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// Which the browser would be given.
class Browser : public QObject
{
    Q_OBJECT

public:
    Browser() { QDesktopServices::setUrlHandler(QStringLiteral("http"), this, "open"); }
    ~Browser() override { QDesktopServices::unsetUrlHandler(QStringLiteral("http")); }

    QList<QUrl> urls;

public Q_SLOTS:
    void open(const QUrl& url) { urls.append(url); }
};

QByteArray get(const QUrl& url)
{
    QTcpSocket socket;
    socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
    socket.write("GET / HTTP/1.0\r\n\r\n");
    QByteArray answer;
    while (socket.waitForReadyRead(Patience))
        answer += socket.readAll();
    return answer;
}

} // namespace

/// A real job that serves a port, and the dashboard over it.
class tst_job_ports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPortOfAJobHereIsALinkUntilTheRunEnds()
    {
        RealDashboard dashboard;
        const auto job = dashboard.command().start(
            QStringLiteral("run --standalone --name board --no-python /bin/sh -c").split(u' ') +
            QStringList{QStringLiteral("mkdir served && cd served && touch a-file-of-the-job && "
                                       "exec python3 -u -m http.server 0 --bind 127.0.0.1")});
        QByteArray said;
        const auto isServed = [&] {
            said += job->readAllStandardOutput();
            return said.contains("Serving HTTP on 127.0.0.1 port ") && said.endsWith('\n');
        };
        QTRY_VERIFY_WITH_TIMEOUT(isServed(), Patience);
        const QString port = QString::fromUtf8(said.mid(said.indexOf("port ") + 5).split(' ')[0]);
        const QString address = QStringLiteral("127.0.0.1:") + port;

        JobsPage& jobs = dashboard.window.jobsPage();
        dashboard.window.show();
        QTRY_VERIFY_WITH_TIMEOUT(!dashboard.bridge.runs().empty(), Patience);
        jobs.showRun(QString::fromStdString(dashboard.bridge.runs().front().id));
        QAction* action = jobs.actions().forwardPort;
        QTRY_VERIFY_WITH_TIMEOUT(action->isEnabled(), Patience);
        action->trigger();
        auto* dialog = jobs.jobPage()->findChild<PortsDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto* field = dialog->findChild<QComboBox*>();
        QCOMPARE(field->itemText(0), QStringLiteral("6006"));
        QAbstractButton* show = button(*dialog, "Show");
        QVERIFY(show != nullptr);
        field->setEditText(QString());
        QVERIFY(!show->isEnabled());
        field->setEditText(port);
        QTest::mouseClick(show, Qt::LeftButton);
        QTRY_VERIFY(linkTo(*dialog, address) != nullptr);
        // The same once more isn't another one.
        QTest::mouseClick(show, Qt::LeftButton);
        QCOMPARE(jobs.ports().of(jobs.jobPage()->run().run()).size(), size_t{1});

        Browser browser;
        QLabel* link = linkTo(*dialog, address);
        link->setFocus(Qt::TabFocusReason);
        QTest::keyClick(link, Qt::Key_Tab);
        QTest::keyClick(link, Qt::Key_Return);
        if (browser.urls.isEmpty())
            QTest::mouseClick(link, Qt::LeftButton, {}, QPoint(12, link->height() / 2));
        QTRY_COMPARE(browser.urls, QList<QUrl>{QUrl(QStringLiteral("http://") + address)});
        const QByteArray page = get(browser.urls.front());
        QVERIFY2(page.contains("a-file-of-the-job"), page);

        QTest::mouseClick(button(*dialog, "Stop"), Qt::LeftButton);
        QVERIFY(linkTo(*dialog, address) == nullptr);
        QTest::mouseClick(show, Qt::LeftButton);
        QTRY_VERIFY(linkTo(*dialog, address) != nullptr);
        // Ports that were asked for are offered again.
        QCOMPARE(jobs.saveState()[QStringLiteral("ports")].toList(), QVariantList{port.toInt()});
        jobs.restoreState(
            {{QStringLiteral("ports"), QVariantList{1234, 70'000, QStringLiteral("x")}}});
        QCOMPARE(jobs.ports().recent(), QList<int>{1234});

        dashboard.command().run({QStringLiteral("stop"), QStringLiteral("board")});
        Ringmaster::finish(*job);
        QTRY_VERIFY_WITH_TIMEOUT(linkTo(*dialog, address) == nullptr, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!action->isEnabled(), Patience);
    }

private:
    static QLabel* linkTo(const QWidget& in, const QString& address)
    {
        for (QLabel* label : in.findChildren<QLabel*>())
            if (label->isVisible() &&
                label->text().contains(QStringLiteral("http://%1\"").arg(address)))
                return label;
        return nullptr;
    }
};

QTEST_MAIN(tst_job_ports)
#include "tst_job_ports.moc"
