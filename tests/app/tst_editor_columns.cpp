#include "app/editor/EditorColumns.h"

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
            panels.append(new QWidget);
            panels.last()->setMinimumSize(240, 100);
        }
        m_columns = std::make_unique<EditorColumns>(m_form, panels);
        m_told = std::make_unique<QSignalSpy>(m_columns.get(), &EditorColumns::barChanged);
    }

    void cleanup()
    {
        m_told.reset();
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
        // Most of the height is the form's, and something of the panels is seen.
        QTRY_VERIFY(m_form->height() >= 320);
        QVERIFY(m_form->height() < m_columns->height());
    }

    void theBarGoesWithTheWidthThatItNeeds()
    {
        show(600);
        show(1200);
        QCOMPARE(m_told->count(), 2);
        QCOMPARE(m_told->last().first().toInt(), 0);
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
        QVERIFY(QTest::qWaitForWindowExposed(m_columns.get()));
    }
    QSplitter* splitter() const { return qobject_cast<QSplitter*>(m_columns->widget()); }

    QWidget* m_form = nullptr;
    std::unique_ptr<EditorColumns> m_columns;
    std::unique_ptr<QSignalSpy> m_told;
};

QTEST_MAIN(tst_editor_columns)
#include "tst_editor_columns.moc"
