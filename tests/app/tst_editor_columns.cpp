#include "app/editor/EditorColumns.h"

#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QtTest>

using namespace ringmaster::app;

class tst_editor_columns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_form = new QWidget;
        m_form->setMinimumSize(280, 300);
        QList<QWidget*> panels;
        for (int i = 0; i < 3; ++i) {
            panels.append(new QPlainTextEdit); // it says how high it would be
            panels.last()->setMinimumSize(240, 100);
        }
        m_columns = std::make_unique<EditorColumns>(m_form, panels);
        m_told = std::make_unique<QSignalSpy>(m_columns.get(), &EditorColumns::barChanged);
        m_stacked = std::make_unique<QSignalSpy>(m_columns.get(), &EditorColumns::stackedChanged);
    }

    void cleanup()
    {
        m_told.reset();
        m_stacked.reset();
        m_columns.reset();
    }

    void thePanelsStandBesideTheForm()
    {
        show(1200);
        QCOMPARE(splitter()->orientation(), Qt::Horizontal);
        QVERIFY(!m_columns->verticalScrollBar()->isVisible());
        QVERIFY(m_told->isEmpty());
    }

    void inANarrowWindowOneScrollsToThem()
    {
        show(600);
        QCOMPARE(splitter()->orientation(), Qt::Vertical);
        QTRY_VERIFY(m_columns->verticalScrollBar()->maximum() > 0);
        QCOMPARE(m_told->count(), 1);
        QVERIFY(m_told->first().first().toInt() > 0);
        QTRY_COMPARE(m_form->height(), m_form->minimumHeight());
        QCOMPARE(m_stacked->count(), 1);
        QVERIFY(m_stacked->first().first().toBool());
    }

    void theFormGrowsWithWhatIsInIt()
    {
        show(600);
        const int before = splitter()->height();
        m_form->setMinimumHeight(m_form->minimumHeight() + 500);
        m_columns->place();
        QTRY_COMPARE(splitter()->height(), before + 500);
    }

    void theBarGoesWithTheWidthThatItNeeds()
    {
        show(600);
        show(1200);
        QCOMPARE(m_told->count(), 2);
        QCOMPARE(m_told->last().first().toInt(), 0);
        QVERIFY(!m_stacked->last().first().toBool());
        QCOMPARE(splitter()->orientation(), Qt::Horizontal);
    }

    void theWidthsComeBack()
    {
        show(1200);
        splitter()->setSizes({800, 388});
        const QVariantMap state = m_columns->saveState();
        const int form = m_form->width();
        splitter()->setSizes({400, 788});
        QVERIFY(m_form->width() != form);
        m_columns->restoreState(state);
        QCOMPARE(m_form->width(), form);
    }

    void aStateOfAWideWindowDoesNotTurnANarrowOne()
    {
        show(1200);
        const QVariantMap state = m_columns->saveState();
        show(600);
        m_columns->restoreState(state);
        QCOMPARE(splitter()->orientation(), Qt::Vertical);
    }

private:
    void show(int width)
    {
        m_columns->resize(width, 700);
        m_columns->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_columns.get(), 60'000));
    }
    QSplitter* splitter() const { return qobject_cast<QSplitter*>(m_columns->widget()); }

    QWidget* m_form = nullptr;
    std::unique_ptr<EditorColumns> m_columns;
    std::unique_ptr<QSignalSpy> m_told;
    std::unique_ptr<QSignalSpy> m_stacked;
};

QTEST_MAIN(tst_editor_columns)
#include "tst_editor_columns.moc"
