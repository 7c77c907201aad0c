#include "app/jobs/LineDialog.h"
#include "app/jobs/LogSearchBar.h"
#include "app/jobs/LogView.h"
#include "app/jobs/SourcePlace.h"
#include "app/model/LogModel.h"
#include "app/widget/Tokens.h"
#include "tests/app/JobTest.h"

#include <QAction>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolTip>
#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using namespace ringmaster::app;

/// The lines of a job's log as they are read: wrapped, folded, marked, and the ways out of them.
class tst_log_panel : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void equalTracebacksAreThereOnce()
    {
        openWithTracebacks();
        const int head = rowOf(QStringLiteral("Traceback"));
        QVERIFY(rowOf(QStringLiteral("Traceback"), head + 1) < 0);
        QCOMPARE(fold(head), QStringLiteral("▸ × 4 ranks"));
        QVERIFY(rowOf(QStringLiteral("ValueError: shard"), head) == head + 3);
        // Unfolded by a click, folded by the keyboard.
        const QPoint badge = placeOfHand(head, 1);
        QVERIFY(!badge.isNull());
        QTest::mouseClick(log().viewport(), Qt::LeftButton, {}, badge);
        QCOMPARE(fold(head), QStringLiteral("▾ × 4 ranks"));
        QCOMPARE(rowOf(QStringLiteral("Traceback"), head + 1), head + 1); // mixed, as they came
        log().setFocus();
        log().setCurrentIndex(log().model()->index(head, 0));
        QTest::keyClick(&log(), Qt::Key_Return);
        QVERIFY(rowOf(QStringLiteral("Traceback"), head + 1) < 0);
        // What is copied says it, too.
        log().selectionModel()->select(log().model()->index(head, 0),
                                       QItemSelectionModel::ClearAndSelect);
        QVERIFY2(log().selectedText().endsWith(QStringLiteral("× 4 ranks")),
                 qPrintable(log().selectedText()));
        choose("Fold equal tracebacks", false);
        QTRY_VERIFY(rowOf(QStringLiteral("Traceback"), head + 1) > 0);
        QVERIFY(fold(head).isEmpty());
    }

    void aFoldedLineThatWasLookedForIsShown()
    {
        openWithTracebacks();
        auto* box = m_dashboard->find<QLineEdit>(QStringLiteral("Filter the log"));
        box->setFocus();
        box->setText(QStringLiteral("ValueError"));
        // All of them, while only matches are shown.
        QTRY_COMPARE(countOf(QStringLiteral("ValueError")), 4);
        press("Log", "Only matches");
        box->setFocus();
        QTRY_COMPARE(countOf(QStringLiteral("ValueError")), 1);
        QTRY_COMPARE(page().findChild<LogSearchBar*>()->text(), QStringLiteral("4 lines match"));
        for (int match = 0; match < 4; ++match)
            QTest::keyClick(box, Qt::Key_F3);
        QTRY_COMPARE(countOf(QStringLiteral("ValueError")), 4);
        QCOMPARE(log().currentIndex().data(LogModel::RankRole).toInt(), 3);
    }

    void longLinesGoOnBelow()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        std::string words;
        for (int i = 0; i < 300; ++i)
            words += "word" + std::to_string(i) + " ";
        print(run, 0, words + "\n");
        print(run, 0, std::string(100'000, 'x') + "\n");
        print(run, 0, "the end\n");
        open(run);
        QTRY_VERIFY(rowOf(QStringLiteral("the end")) > 0);
        QTRY_VERIFY(log().horizontalScrollBar()->maximum() > 0);
        const int height =
            log().visualRect(log().model()->index(log().model()->rowCount() - 1, 0)).height();
        choose("Wrap long lines", true);
        QCOMPARE(log().horizontalScrollBar()->maximum(), 0);
        // Still at the end; a line that no screen holds is cut at one.
        QTRY_VERIFY(log().isAtEnd());
        const int last = log().model()->rowCount() - 1;
        const QRect end = log().visualRect(log().model()->index(last, 0));
        QVERIFY(log().viewport()->rect().contains(end.center()));
        QCOMPARE(end.height(), height);
        const auto longest = log().model()->index(last - 1, 0);
        log().scrollTo(longest);
        QVERIFY(log().visualRect(longest).height() > 2 * height);
        QVERIFY(log().visualRect(longest).height() <= log().viewport()->height());
        // Rows are found where they are drawn, forth and back.
        const auto wrapped = log().model()->index(last - 2, 0);
        log().scrollTo(wrapped);
        const QRect place = log().visualRect(wrapped);
        QVERIFY(place.height() > 2 * height && log().viewport()->rect().contains(place));
        QCOMPARE(log().indexAt(place.center()), wrapped);
        QCOMPARE(log().indexAt({place.left() + 4, place.top() + 1}), wrapped);
        QCOMPARE(log().indexAt({place.left() + 4, place.bottom()}), wrapped);
        choose("Wrap long lines", false);
        QCOMPARE(log().visualRect(wrapped).height(), height);
    }

    void howLinesAreShownIsRemembered()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        choose("Wrap long lines", true);
        choose("Times", false);
        const QVariantMap state = page().saveState();
        choose("Wrap long lines", false);
        choose("Times", true);
        page().restoreState(state);
        QVERIFY(log().wraps() && !log().showsTimes());
    }

    void whatWasLookedForIsMarkedInItsLine()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        print(run, 0, "a needle in the hay\n");
        open(run);
        QTRY_VERIFY(rowOf(QStringLiteral("needle")) > 0);
        QCOMPARE(markedPixels(rowOf(QStringLiteral("needle"))), 0);
        auto* box = m_dashboard->find<QLineEdit>(QStringLiteral("Filter the log"));
        box->setText(QStringLiteral("needle"));
        QTRY_COMPARE(log().model()->rowCount(), 1);
        QTRY_COMPARE(text(0), QStringLiteral("a needle in the hay"));
        const int marked = markedPixels(0);
        const QFontMetrics metrics(log().font());
        const int whole = metrics.horizontalAdvance(QStringLiteral("needle")) * metrics.height();
        QVERIFY2(marked > whole / 2 && marked <= whole * 5 / 4,
                 qPrintable(QStringLiteral("%1 of %2").arg(marked).arg(whole)));
        box->clear();
        QTRY_VERIFY(log().model()->rowCount() > 1);
        QCOMPARE(markedPixels(rowOf(QStringLiteral("needle"))), 0);
    }

    void aClickOnASourceOpensTheEditor()
    {
        const QTemporaryDir folder;
        setEditorCommand(QStringLiteral("touch %1/{line}").arg(folder.path()));
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        print(run, 0, "see a.py:12 and b.py:34\n");
        open(run);
        QTRY_VERIFY(rowOf(QStringLiteral("see a.py")) > 0);
        const int row = rowOf(QStringLiteral("see a.py"));
        const auto isOpened = [&](const char* line) {
            return QFileInfo::exists(folder.filePath(QString::fromLatin1(line)));
        };
        const QPoint second = placeOfHand(row, 2);
        QVERIFY(!second.isNull());
        // A drag selects, it opens nothing; nor does a click beside it.
        QTest::mouseClick(log().viewport(), Qt::LeftButton, {},
                          log().visualRect(log().model()->index(row, 0)).topLeft() + QPoint(3, 3));
        QTest::mouseClick(log().viewport(), Qt::LeftButton, Qt::ShiftModifier, second);
        QTest::mouseClick(log().viewport(), Qt::LeftButton, {}, second);
        QTRY_VERIFY(isOpened("34"));
        QVERIFY(!isOpened("12"));
        // By the keyboard: the first that the line names.
        log().setFocus();
        log().setCurrentIndex(log().model()->index(row, 0));
        QTest::keyClick(&log(), Qt::Key_Return);
        QTRY_VERIFY(isOpened("12"));
        setEditorCommand({});
    }

    void goesToALineByItsNumber()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        for (int i = 1; i <= 30'000; ++i)
            print(run, 9, "straw " + std::to_string(i) + "\n");
        open(run);
        QTRY_VERIFY(rowOf(QStringLiteral("straw 30000")) > 0);
        QCOMPARE(rowOf(QStringLiteral("straw 7")), -1);
        log().setCurrentIndex(log().model()->index(rowOf(QStringLiteral("straw 30000")), 0));
        goToLine(7);
        QTRY_COMPARE(log().currentIndex().data().toString(), QStringLiteral("straw 7"));
        QVERIFY(log().visualRect(log().currentIndex()).intersects(log().viewport()->rect()));
        goToLine(70'000);
        QTRY_VERIFY(says(QStringLiteral("This output has 30,000 lines.")));
    }

    void whatIsToldStaysWhileLinesCome()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        print(run, 9, "straw 1\nstraw 2\n");
        open(run);
        QTRY_VERIFY(rowOf(QStringLiteral("straw 2")) > 0);
        log().setCurrentIndex(log().model()->index(rowOf(QStringLiteral("straw 2")), 0));
        goToLine(7);
        QTRY_VERIFY(says(QStringLiteral("This output has 2 lines.")));
        print(run, 9, "straw 3\n");
        QTRY_VERIFY(rowOf(QStringLiteral("straw 3")) > 0);
        QVERIFY(says(QStringLiteral("This output has 2 lines.")));
    }

    void theMenuOfALineGoesWithThePage()
    {
        const std::string other = m_dashboard->scenario.failed();
        openWithTracebacks();
        const QPointer<QMenu> menu = menuOf(rowOf(QStringLiteral("Traceback")));
        QVERIFY(!menu.isNull());
        open(other);
        QTRY_VERIFY(menu.isNull());
    }

    void theMenuOfALineThatIsGoneDoesNothing()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        print(run, 0, "needle 1\nneedle 2\nneedle 3\nhay\n");
        open(run);
        QTRY_VERIFY(rowOf(QStringLiteral("hay")) > 0);
        auto* box = m_dashboard->find<QLineEdit>(QStringLiteral("Filter the log"));
        box->setText(QStringLiteral("needle"));
        QTRY_VERIFY(qobject_cast<LogModel*>(log().model()) == nullptr);
        QTRY_COMPARE(log().model()->rowCount(), 3);
        QTRY_COMPARE(text(2), QStringLiteral("needle 3"));
        QMenu* menu = menuOf(2);
        QVERIFY(menu != nullptr);
        QAction* show = menu->actions().constFirst();
        QCOMPARE(show->text(), QStringLiteral("Show in the whole log"));
        box->setText(QStringLiteral("hay"));
        QTRY_COMPARE(log().model()->rowCount(), 1);
        show->trigger();
        QCOMPARE(box->text(), QStringLiteral("hay"));
        menu->close();
    }

private:
    LogView& log() { return *page().findChild<LogView*>(); }

    QString text(int row) { return log().model()->index(row, 0).data().toString(); }

    QString fold(int row)
    {
        return log().model()->index(row, 0).data(LogModel::FoldRole).toString();
    }

    /// From `from` on; -1: none.
    int rowOf(const QString& part, int from = 0)
    {
        const QAbstractItemModel& lines = *log().model();
        for (int row = from; row < lines.rowCount(); ++row) {
            if (lines.index(row, 0).data().toString().contains(part))
                return row;
        }
        return -1;
    }

    int countOf(const QString& part)
    {
        int count = 0;
        const QAbstractItemModel& lines = *log().model();
        for (int row = 0; row < lines.rowCount(); ++row)
            count += lines.index(row, 0).data().toString().contains(part) ? 1 : 0;
        return count;
    }

    /// Open; null: it hasn't come.
    QMenu* menuOf(int row)
    {
        log().scrollTo(log().model()->index(row, 0));
        const QRect place = log().visualRect(log().model()->index(row, 0));
        Q_EMIT log().customContextMenuRequested({place.left() + 4, place.center().y()});
        return qobject_cast<QMenu*>(QApplication::activePopupWidget());
    }

    bool says(const QString& sentence)
    {
        const auto labels = page().findChildren<QLabel*>();
        return std::ranges::any_of(labels,
                                   [&](const QLabel* label) { return label->text() == sentence; });
    }

    void print(const std::string& run, int rank, const std::string& bytes)
    {
        m_dashboard->cluster.print(run, Scenario::ago(1), rank, bytes);
    }

    void openWithTracebacks()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        for (const char* line :
             {"Traceback (most recent call last):", "  File \"train.py\", line 12, in <module>",
              "    step(batch)", "ValueError: shard 17 is broken"}) {
            for (int rank = 0; rank < 4; ++rank)
                print(run, rank, "[rank" + std::to_string(rank) + "]: " + line + "\n");
        }
        open(run);
        QTRY_VERIFY(rowOf(QStringLiteral("ValueError")) > 0);
    }

    void choose(const char* action, bool checked)
    {
        for (QAction* candidate : page().findChildren<QAction*>()) {
            if (candidate->text() == QLatin1String(action))
                return candidate->setChecked(checked);
        }
        QFAIL(action);
    }

    void goToLine(int number)
    {
        m_dashboard->window.activateWindow(); // a dialog before has had the focus
        log().setFocus();
        QTRY_VERIFY(log().hasFocus());
        QTest::keyClick(&log(), Qt::Key_G, Qt::ControlModifier);
        auto* dialog = page().findChild<LineDialog*>();
        QVERIFY(dialog != nullptr);
        for (QSpinBox* box : dialog->findChildren<QSpinBox*>()) {
            if (box->accessibleName() == QLatin1String("Line"))
                box->setValue(number);
        }
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                          Qt::LeftButton);
        QTRY_VERIFY(page().findChild<LineDialog*>() == nullptr);
    }

    /// Where the mouse is a hand for the n-th time from the left; null: nowhere.
    QPoint placeOfHand(int row, int time)
    {
        log().scrollTo(log().model()->index(row, 0));
        const QRect place = log().visualRect(log().model()->index(row, 0));
        bool wasHand = false;
        for (int x = 0; x < log().viewport()->width(); x += 2) {
            const QPoint point(x, place.center().y());
            QMouseEvent move(QEvent::MouseMove, point, log().viewport()->mapToGlobal(point),
                             Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QCoreApplication::sendEvent(log().viewport(), &move);
            const bool isHand = log().viewport()->cursor().shape() == Qt::PointingHandCursor;
            if (isHand && !wasHand && --time == 0)
                return point + QPoint(6, 0);
            wasHand = isHand;
        }
        return {};
    }

    /// In the colour that no line has.
    int markedPixels(int row)
    {
        log().scrollTo(log().model()->index(row, 0));
        const QRect place = log().visualRect(log().model()->index(row, 0));
        const QImage image = log().viewport()->grab(place & log().viewport()->rect()).toImage();
        const int hue = themeTokens().warning.fill.hue();
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor color = image.pixelColor(x, y);
                count += std::abs(color.hue() - hue) < 8 && color.saturation() > 60 ? 1 : 0;
            }
        }
        return count;
    }
};

QTEST_MAIN(tst_log_panel)
#include "tst_log_panel.moc"
