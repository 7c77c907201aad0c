#include "app/learn/LessonEditor.h"
#include "app/learn/LessonFindings.h"
#include "app/learn/LessonPreview.h"
#include "app/learn/SourceEditor.h"
#include "app/main/MainWindow.h"
#include "app/widget/Toast.h"
#include "app/widget/Tokens.h"
#include "engine/base/Paths.h"
#include "tests/TestMain.h"
#include "tests/app/CutTexts.h"
#include "tests/app/LearnTest.h"
#include "tests/lesson/Steps.h"

#include <QAction>
#include <QFileDialog>
#include <QListWidget>
#include <QMessageBox>
#include <QToolButton>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

constexpr int Patience = LearnWindow::Patience;

/// With a program in a file of its own.
const QByteArray FolderLesson = R"(format = 1
name = "beside"
program = "program.py"
[title]
en = "Beside"
ja = "となり"
[text]
en = "Text"
ja = "本文"
[mistake]
en = "Wrong"
ja = "間違い"
)";

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& content)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

} // namespace

/// Somebody writes a lesson in the window.
class tst_lesson_editor : public LearnTest
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup()
    {
        m_learn.reset();
        QFile::remove(draftFile());
    }

    void aNewLessonIsWholeAndIsShownAsLearnShowsIt()
    {
        beginNew();
        QVERIFY(!writing()->isModified());
        QVERIFY(findings().empty());
        QVERIFY(text().contains(QStringLiteral("dist.all_reduce(tensor)")));
        const auto* preview = writing()->findChild<LessonPreview*>();
        QVERIFY(preview->shownText().startsWith(QStringLiteral("My first lesson")));
        QVERIFY(preview->shownText().contains(QStringLiteral("What the learner reads before.")));
        QVERIFY(preview->shownText().contains(
            QStringLiteral("1. What does rank 1 hold after all_reduce?")));
        auto* language = find<QComboBox>("Language of the preview");
        QVERIFY(language != nullptr);
        language->setCurrentIndex(1);
        QVERIFY(preview->shownText().startsWith(QStringLiteral("はじめてのレッスン")));
    }

    void whatIsWrongIsShownAtItsLineWhileOneTypes()
    {
        beginNew();
        const int line = replaceLine("expect = \"succeeds\"", "expect = \"wins\"");
        QTRY_COMPARE_WITH_TIMEOUT(findings().size(), size_t(1), Patience);
        QCOMPARE(findings().front().line, line);
        auto* list = find<QListWidget>("What is wrong with this lesson");
        QVERIFY(list->item(0)->text().startsWith(QStringLiteral("Line %1: ").arg(line)));
        QVERIFY(list->item(0)->text().contains(QStringLiteral("wins")));
        QCOMPARE(lesson().troubles().size(), size_t(1));
        QCOMPARE(lesson().troubles().front().line, line);
        // The preview goes on with what can be read.
        replaceLine("en = \"My first lesson\"", "en = \"My **second** lesson\"");
        QTRY_VERIFY_WITH_TIMEOUT(writing()->findChild<LessonPreview*>()->shownText().startsWith(
                                     QStringLiteral("My second lesson")),
                                 Patience);
        lesson().goTo(1);
        QTest::keyClick(&lesson(), Qt::Key_F8);
        QCOMPARE(lesson().currentLine(), line);
        replaceLine("expect = \"wins\"", "expect = \"succeeds\"");
        QTRY_VERIFY_WITH_TIMEOUT(writing()->isChecked() && findings().empty(), Patience);
        QVERIFY(lesson().troubles().empty());
    }

    /// While it is no TOML, the last preview stays.
    void whatCantBeReadLeavesThePreview()
    {
        beginNew();
        const int line = replaceLine("format = 1", "format = = 1");
        QTRY_COMPARE_WITH_TIMEOUT(findings().size(), size_t(1), Patience);
        QCOMPARE(findings().front().line, line);
        const auto* preview = writing()->findChild<LessonPreview*>();
        QVERIFY(preview->shownText().startsWith(QStringLiteral("My first lesson")));
        const auto subtitles = preview->findChildren<ElidedLabel*>();
        QVERIFY(std::ranges::any_of(subtitles, [](const ElidedLabel* label) {
            return label->text() == QStringLiteral("of the last text that could be read");
        }));
    }

    void aSyntaxErrorOfTheProgramIsShownAtItsLine()
    {
        beginNew();
        const int line = replaceLine("    half = tensor / 2", "    half = = tensor / 2");
        QTRY_COMPARE_WITH_TIMEOUT(findings().size(), size_t(1), Patience);
        QCOMPARE(findings().front().line, line);
        QVERIFY(!findings().front().isInProgram);
    }

    void aProgramInAFileOfItsOwnIsWrittenThere()
    {
        const QString folder = m_folder.filePath(QStringLiteral("beside.ringlesson"));
        write(folder + QStringLiteral("/lesson.toml"), FolderLesson);
        write(folder + QStringLiteral("/program.py"), "import torch\n\nx = 1\n");
        openFile(folder + QStringLiteral("/lesson.toml"));
        QCOMPARE(program().toPlainText(), QStringLiteral("import torch\n\nx = 1\n"));
        auto* tabs = find<QTabBar>("Files of the lesson");
        QVERIFY(tabs->isVisible());
        tabs->setCurrentIndex(1);
        QVERIFY(program().isVisible());
        program().goTo(3);
        QTest::keyClick(&program(), Qt::Key_End);
        QTest::keyClicks(&program(), QStringLiteral(" +"));
        QTRY_COMPARE_WITH_TIMEOUT(findings().size(), size_t(1), Patience);
        QVERIFY(findings().front().isInProgram);
        QCOMPARE(findings().front().line, 3);
        QCOMPARE(program().troubles().front().line, 3);
        QTest::keyClicks(&program(), QStringLiteral(" 1"));
        QTRY_VERIFY_WITH_TIMEOUT(writing()->isChecked() && findings().empty(), Patience);
        QTest::keyClick(&program(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!writing()->isModified(), Patience);
        QCOMPARE(contentOf(folder + QStringLiteral("/program.py")),
                 QByteArray("import torch\n\nx = 1 + 1\n"));
        QCOMPARE(contentOf(folder + QStringLiteral("/lesson.toml")), FolderLesson);
    }

    void aCopyHasAnotherNameAndAFileOfItsOwn()
    {
        m_learn->actionOf("Edit a copy of this lesson")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(isWriting() && writing()->isChecked(), Patience);
        QVERIFY(findings().empty());
        QCOMPARE(writing()->checkup().pack.name, std::string("deadlock-copy"));
        QVERIFY(!writing()->isModified());
        QTest::mouseClick(button("Save"), Qt::LeftButton);
        const QString path = saveAs(QStringLiteral("copied.ringlesson"));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), Patience);
        const auto saved = lesson::loadPack(path.toStdString());
        QVERIFY(saved.has_value());
        QCOMPARE(saved->name, std::string("deadlock-copy"));
        // From now on it is saved where it is.
        QTRY_VERIFY_WITH_TIMEOUT(button("Run it") != nullptr, Patience);
        replaceLine("name = \"deadlock-copy\"", "name = \"mine\"");
        QVERIFY(writing()->isModified());
        QVERIFY(button("Save and run it") != nullptr);
        QTest::keyClick(&lesson(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!writing()->isModified(), Patience);
        QVERIFY(contentOf(path).contains("name = \"mine\""));
    }

    void itIsSavedAndRunsInLearn()
    {
        beginNew();
        replaceLine("name = \"my-first\"", "name = \"written-here\"");
        QTest::keyClick(&lesson(), Qt::Key_Return, Qt::ControlModifier);
        saveAs(QStringLiteral("written.ringlesson"));
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->cluster.launched().size(), size_t(1), Patience);
        QCOMPARE(m_dashboard->cluster.launched().front().name, std::string("written-here"));
        QVERIFY(!isWriting());
        QVERIFY(editor()->isVisible());
        QCOMPARE(m_page->lessons().rowOf("written-here"), m_page->lessons().rowCount() - 1);
        // And back to where one was.
        m_learn->actionOf("Edit this lesson")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(isWriting(), Patience);
        QVERIFY(text().contains(QStringLiteral("written-here")));
    }

    void whatIsWrittenRunsInPlaceOfWhatTheLearnerTried()
    {
        beginNew();
        replaceLine("name = \"my-first\"", "name = \"tried\"");
        QTest::keyClick(&lesson(), Qt::Key_Return, Qt::ControlModifier);
        saveAs(QStringLiteral("tried.ringlesson"));
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->cluster.launched().size(), size_t(1), Patience);
        QVERIFY(m_learn->begin());
        m_learn->endRun();
        QTRY_VERIFY_WITH_TIMEOUT(button("Run") != nullptr, Patience);
        editor()->insertPlainText(QStringLiteral("# tried\n"));
        Q_EMIT writing()->runWanted();
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->cluster.launched().size(), size_t(2), Patience);
        const QString program =
            QString::fromStdString(m_dashboard->cluster.launched().back().roles.front().program);
        QVERIFY(contentOf(program).contains("all_reduce"));
        QVERIFY(!contentOf(program).contains("# tried"));
        editor()->undo();
        QVERIFY(editor()->toPlainText().contains(QStringLiteral("# tried")));
    }

    void withErrorsItDoesntRun()
    {
        beginNew();
        const int line = replaceLine("expect = \"succeeds\"", "expect = \"wins\"");
        QTest::keyClick(&lesson(), Qt::Key_Return, Qt::ControlModifier);
        saveAs(QStringLiteral("wrong.ringlesson"));
        QTRY_VERIFY_WITH_TIMEOUT(
            m_dashboard->window.toast().text().contains(QStringLiteral("has errors")), Patience);
        QVERIFY(isWriting());
        QCOMPARE(lesson().currentLine(), line);
        QVERIFY(m_dashboard->cluster.launched().empty());
    }

    void whatIsntSavedIsAskedFor()
    {
        beginNew();
        lesson().goTo(1);
        type("# mine\n");
        leave();
        m_learn->actionOf("New lesson")->trigger();
        answer("Cancel");
        QVERIFY(text().startsWith(QStringLiteral("# mine")));
        m_learn->actionOf("Back to the lesson that you write")->trigger();
        QVERIFY(isWriting());
        QVERIFY(text().startsWith(QStringLiteral("# mine")));
        leave();
        m_learn->actionOf("New lesson")->trigger();
        answer("Save");
        const QString path = saveAs(QStringLiteral("asked.ringlesson"));
        QTRY_VERIFY_WITH_TIMEOUT(isWriting() && !text().startsWith(QStringLiteral("# mine")),
                                 Patience);
        QVERIFY(contentOf(path).startsWith("# mine"));
        type("# again\n");
        leave();
        m_learn->actionOf("New lesson")->trigger();
        answer("Discard");
        QTRY_VERIFY_WITH_TIMEOUT(isWriting() && !text().startsWith(QStringLiteral("# again")),
                                 Patience);
    }

    void whatChangedOnDiskIsAskedFor()
    {
        const QString path = m_folder.filePath(QStringLiteral("shared.ringlesson"));
        write(path, "format = 1\n");
        openFile(path);
        type("# here\n");
        write(path, "# elsewhere\n");
        QTest::keyClick(&lesson(), Qt::Key_S, Qt::ControlModifier);
        answer("Cancel", "outdatedLesson");
        QCOMPARE(contentOf(path), QByteArray("# elsewhere\n"));
        QVERIFY(writing()->isModified());
        QTest::keyClick(&lesson(), Qt::Key_S, Qt::ControlModifier);
        answer("Replace it", "outdatedLesson");
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(path), QByteArray("# here\nformat = 1\n"), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!writing()->isModified(), Patience);
    }

    void aSaveThatIsAnsweredLateIsOfTheLessonBefore()
    {
        const QString path = m_folder.filePath(QStringLiteral("late.ringlesson"));
        write(path, "format = 1\n");
        openFile(path);
        type("# here\n");
        // In one go: no answer comes in between.
        Q_EMIT writing()->saveWanted();
        m_learn->actionOf("New lesson")->trigger();
        auto* box = m_dashboard->window.findChild<QMessageBox*>(QStringLiteral("unsavedLesson"));
        QVERIFY(box != nullptr);
        for (QAbstractButton* choice : box->buttons())
            if (choice->text() == QStringLiteral("Discard"))
                choice->click();
        QVERIFY(!text().startsWith(QStringLiteral("# here")));
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->window.toast().text(),
                                  QStringLiteral("Saved ") + path, Patience);
        QCOMPARE(contentOf(path), QByteArray("# here\nformat = 1\n"));
        QVERIFY(writing()->source().path.empty());
        QVERIFY(!writing()->isModified());
    }

    void aFileThatIsReadLateReplacesNoOtherLesson()
    {
        const QString path = m_folder.filePath(QStringLiteral("late.ringlesson"));
        const QString binary = m_folder.filePath(QStringLiteral("binary.ringlesson"));
        write(path, "# of the file\nformat = 1\n");
        write(binary, "\xFF\xFE\x01");
        chooseFile(path);
        m_learn->actionOf("New lesson")->trigger();
        // Files are read one after the other.
        chooseFile(binary);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_dashboard->window.toast().text().contains(QStringLiteral("UTF-8")), Patience);
        QVERIFY(!text().startsWith(QStringLiteral("# of the file")));
    }

    void whatIsTypedWhileAFileIsReadIsAskedFor()
    {
        const QString path = m_folder.filePath(QStringLiteral("late.ringlesson"));
        write(path, "# of the file\nformat = 1\n");
        beginNew();
        chooseFile(path);
        type("# mine\n");
        answer("Cancel");
        QVERIFY(text().startsWith(QStringLiteral("# mine")));
    }

    void aFolderThatCantBeWrittenLosesNothing()
    {
        beginNew();
        type("# mine\n");
        QTest::keyClick(&lesson(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(dialog() != nullptr);
        Q_EMIT dialog()->fileSelected(QStringLiteral("/proc/none/a.ringlesson"));
        dialog()->close();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_dashboard->window.toast().text().contains(QStringLiteral("can't be saved")),
            Patience);
        QVERIFY(writing()->isModified());
        QVERIFY(text().startsWith(QStringLiteral("# mine")));
    }

    void everyCharacterIsKept()
    {
        const QString path = m_folder.filePath(QStringLiteral("characters.ringlesson"));
        const QByteArray content = "# a\u00a0b \u3000 \u65e5\u672c\tc\r\n\r\nformat = 1\r\n";
        write(path, content);
        openFile(path);
        QTest::keyClick(&lesson(), Qt::Key_End, Qt::ControlModifier);
        QTest::keyClicks(&lesson(), QStringLiteral("# d"));
        QTest::keyClick(&lesson(), Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(path), content + "# d", Patience);
    }

    void whatIsNoTextIsntOpened()
    {
        const QString path = m_folder.filePath(QStringLiteral("binary.ringlesson"));
        write(path, "\xFF\xFE\x01");
        m_learn->actionOf("Edit a lesson file…")->trigger();
        Q_EMIT dialog()->fileSelected(path);
        dialog()->close();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_dashboard->window.toast().text().contains(QStringLiteral("UTF-8")), Patience);
        QVERIFY(!isWriting());
    }

    void whatIsntSavedIsThereAgainAfterTheEnd()
    {
        beginNew();
        type("# not saved\n");
        // The window goes at once, without a question and without time for a timer.
        m_learn.reset();
        QVERIFY(QFile::exists(draftFile()));
        m_learn = std::make_unique<LearnWindow>();
        QVERIFY(m_learn->open());
        m_page = &m_learn->page();
        m_dashboard = &m_learn->dashboard();
        QTRY_VERIFY_WITH_TIMEOUT(isWriting(), Patience);
        QVERIFY(text().startsWith(QStringLiteral("# not saved")));
        QVERIFY(writing()->isModified());
        QTest::keyClick(&lesson(), Qt::Key_S, Qt::ControlModifier);
        saveAs(QStringLiteral("recovered.ringlesson"));
        QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(draftFile()), Patience);
    }

    void closingTheWindowAsksForWhatIsntSaved()
    {
        beginNew();
        type("# mine\n");
        // Wherever one is.
        leave();
        QTest::keyClick(&m_dashboard->window, Qt::Key_1, Qt::ControlModifier);
        m_dashboard->window.close();
        QVERIFY(m_dashboard->window.isVisible());
        choose("Cancel");
        QVERIFY(m_dashboard->window.isVisible());
        m_dashboard->window.close();
        choose("Save");
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, Patience);
        QVERIFY(m_dashboard->window.isVisible());
        const QString path = m_folder.filePath(QStringLiteral("closed.ringlesson"));
        Q_EMIT dialog()->fileSelected(path);
        QTRY_VERIFY_WITH_TIMEOUT(!m_dashboard->window.isVisible(), Patience);
        QVERIFY(contentOf(path).startsWith("# mine"));
    }

    void whatIsDiscardedOnClosingIsGone()
    {
        beginNew();
        type("# mine\n");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(draftFile()), Patience);
        m_dashboard->window.close();
        choose("Discard");
        QTRY_VERIFY_WITH_TIMEOUT(!m_dashboard->window.isVisible(), Patience);
        m_learn.reset();
        QVERIFY(!QFile::exists(draftFile()));
    }

    void whatIsSavedClosesAtOnce()
    {
        beginNew();
        m_dashboard->window.close();
        QVERIFY(!m_dashboard->window.isVisible());
    }

    /// A job that runs has its own question.
    void jobsAreAskedForAfterwards()
    {
        m_dashboard->scenario.restartedAndRunning();
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->bridge.runs().size(), size_t{1}, Patience);
        beginNew();
        type("# mine\n");
        m_dashboard->window.close();
        choose("Discard");
        choose("Cancel", "closeQuestion");
        QVERIFY(m_dashboard->window.isVisible());
        QVERIFY(text().startsWith(QStringLiteral("# mine")));
        // It isn't forgotten that it was asked: the text is still there, and may be wanted now.
        m_dashboard->window.close();
        choose("Discard");
        choose("Keep running", "closeQuestion");
        QTRY_VERIFY_WITH_TIMEOUT(!m_dashboard->window.isVisible(), Patience);
    }

    void theLessonsKeysDoNothingMeanwhile()
    {
        QVERIFY(m_learn->launch());
        publish({attemptOf(2), test::lineStep(0, 9), test::lineStep(1, 9)});
        QTRY_COMPARE_WITH_TIMEOUT(m_page->player().size(), size_t(2), Patience);
        beginNew();
        find<QListWidget>("What is wrong with this lesson")->setFocus();
        m_dashboard->cluster.settle();
        const size_t before = m_dashboard->cluster.commands().size();
        QTest::keyClick(&m_dashboard->window, Qt::Key_Right);
        QTest::keyClick(&m_dashboard->window, Qt::Key_E);
        QTest::keyClick(&m_dashboard->window, Qt::Key_Space);
        m_dashboard->cluster.settle();
        QCOMPARE(m_dashboard->cluster.commands().size(), before);
        leave();
        m_learn->press(Qt::Key_Right);
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->cluster.commands().size(), before + 1, Patience);
    }

    void aNewLineBeginsWhereTheOneBeforeDoes()
    {
        SourceEditor editor;
        editor.setSource("def run():\n    x = 1");
        editor.moveCursor(QTextCursor::End);
        QTest::keyClick(&editor, Qt::Key_Return);
        QTest::keyClicks(&editor, QStringLiteral("y = 2"));
        QCOMPARE(editor.source(), std::string("def run():\n    x = 1\n    y = 2"));
        editor.selectAll();
        QTest::keyClick(&editor, Qt::Key_BracketRight, Qt::ControlModifier);
        QCOMPARE(editor.source(), std::string("    def run():\n        x = 1\n        y = 2"));
        QTest::keyClick(&editor, Qt::Key_BracketLeft, Qt::ControlModifier);
        QTest::keyClick(&editor, Qt::Key_BracketLeft, Qt::ControlModifier);
        QCOMPARE(editor.source(), std::string("def run():\nx = 1\ny = 2"));
        editor.undo();
        QCOMPARE(editor.source(), std::string("def run():\n    x = 1\n    y = 2"));
    }

    void theProgramInItHasItsColours()
    {
        SourceEditor editor;
        editor.setSource("ja = \"text\"\nsource = '''\nimport torch\n\"\"\"in\nfor\n\"\"\"\nfor x\n"
                         "'''\n[text]\nen = '''\nfor all\n'''\n");
        const auto colours = [&](int line) {
            QList<QColor> all;
            const QTextBlock block = editor.document()->findBlockByNumber(line - 1);
            for (const auto& range : block.layout()->formats())
                all << range.format.foreground().color();
            return all;
        };
        const QColor keyword = themeTokens().restarted.text;
        const QColor string = themeTokens().finished.text;
        QCOMPARE(colours(1), QList<QColor>{string});
        QCOMPARE(colours(3), QList<QColor>{keyword});
        QCOMPARE(colours(5), QList<QColor>{string});
        QCOMPARE(colours(7), QList<QColor>{keyword});
        QCOMPARE(colours(9), QList<QColor>{});
        QCOMPARE(colours(11), QList<QColor>{string});
    }

    void itsPartsAreInAMenu()
    {
        beginNew();
        QToolButton* parts = nullptr;
        for (QToolButton* one : writing()->findChildren<QToolButton*>())
            if (one->text().startsWith(QStringLiteral("Go to")))
                parts = one;
        QVERIFY(parts != nullptr);
        Q_EMIT parts->menu()->aboutToShow();
        QStringList names;
        for (const QAction* action : parts->menu()->actions())
            names << action->text();
        for (const char* name : {"source", "title", "text", "mistake", "question 1", "question 2"})
            QVERIFY2(names.contains(QLatin1String(name)), name);
        parts->menu()->actions().at(names.indexOf(QStringLiteral("question 2")))->trigger();
        const QString line = lesson().textCursor().block().text();
        QCOMPARE(line, QStringLiteral("[[question]]"));
    }

    void everyTextHasItsRoom_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("language");
        for (const QSize size : {QSize(1024, 700), QSize(1440, 900)})
            for (const auto language : {Language::Choice::English, Language::Choice::Japanese})
                QTest::addRow("%d x %d, %s", size.width(), size.height(),
                              language == Language::Choice::English ? "en" : "ja")
                    << size << static_cast<int>(language);
    }

    void everyTextHasItsRoom()
    {
        QFETCH(const QSize, size);
        QFETCH(const int, language);
        beginNew();
        replaceLine("expect = \"succeeds\"", "expect = \"wins\"");
        QTRY_COMPARE_WITH_TIMEOUT(findings().size(), size_t(1), Patience);
        m_dashboard->language.choose(static_cast<Language::Choice>(language));
        m_dashboard->window.resize(size);
        QTRY_COMPARE_WITH_TIMEOUT(m_dashboard->window.size(), size, Patience);
        QTRY_VERIFY2_WITH_TIMEOUT(cutTexts(*writing(), GivingWay::Allowed).isEmpty(),
                                  qPrintable(cutTexts(*writing(), GivingWay::Allowed).join(u'\n')),
                                  Patience);
        QVERIFY(m_dashboard->window.rect().contains(writing()->geometry()));
        QVERIFY(lesson().viewport()->height() > 250);
        for (const QWidget* widget : writing()->findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool isNamed = !widget->accessibleName().isEmpty() ||
                                 (button != nullptr && !button->text().isEmpty());
            const bool isReached = widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus);
            QVERIFY2(!isReached || isNamed, widget->metaObject()->className());
        }
    }

private:
    static QString draftFile()
    {
        return QString::fromStdString((stateFolder() / "lesson-draft.json").string());
    }

    LessonEditor* writing() { return m_page->writing().editor(); }
    bool isWriting() { return writing() != nullptr && writing()->isVisible(); }
    SourceEditor& lesson() { return writing()->lessonText(); }
    SourceEditor& program() { return writing()->programText(); }
    QString text() { return lesson().toPlainText(); }
    const std::vector<LessonFinding>& findings() { return writing()->checkup().findings; }
    QFileDialog* dialog() { return m_page->findChild<QFileDialog*>(); }

    template <class T>
    T* find(const char* name)
    {
        return m_dashboard->find<T>(QLatin1String(name));
    }

    void beginNew()
    {
        m_learn->actionOf("New lesson")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(isWriting() && writing()->isChecked() &&
                                     !writing()->checkup().pack.name.empty(),
                                 Patience);
    }

    void openFile(const QString& path)
    {
        m_learn->actionOf("Edit a lesson file…")->trigger();
        QVERIFY(dialog() != nullptr);
        Q_EMIT dialog()->fileSelected(path);
        dialog()->close();
        QTRY_VERIFY_WITH_TIMEOUT(isWriting() && writing()->isChecked(), Patience);
        regainKeyboard();
    }

    /// Without a turn of the event loop.
    void chooseFile(const QString& path)
    {
        m_learn->actionOf("Edit a lesson file…")->trigger();
        QVERIFY(dialog() != nullptr);
        Q_EMIT dialog()->fileSelected(path);
        delete dialog();
    }

    /// A dialog had it.
    void regainKeyboard()
    {
        m_dashboard->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_dashboard->window, Patience));
        lesson().setFocus();
    }

    void leave()
    {
        for (QAbstractButton* one : writing()->findChildren<QAbstractButton*>())
            if (one->text() == QStringLiteral("‹ Learn"))
                QTest::mouseClick(one, Qt::LeftButton);
        QVERIFY(!isWriting());
    }

    /// Its path.
    QString saveAs(const QString& name)
    {
        const QString path = m_folder.filePath(name);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr, Patience); }();
        if (dialog() == nullptr)
            return {};
        Q_EMIT dialog()->fileSelected(path);
        dialog()->close();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), Patience); }();
        regainKeyboard();
        return path;
    }

    void answer(const char* with, const char* name = "unsavedLesson")
    {
        choose(with, name);
        regainKeyboard();
    }

    void choose(const char* with, const char* name = "unsavedLesson")
    {
        const auto box = [&] {
            return m_dashboard->window.findChild<QMessageBox*>(QLatin1String(name));
        };
        QTRY_VERIFY_WITH_TIMEOUT(box() != nullptr && box()->isVisible(), Patience);
        for (QAbstractButton* choice : box()->buttons())
            if (choice->text() == QLatin1String(with))
                QTest::mouseClick(choice, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(box() == nullptr, Patience);
    }

    void type(const char* typed) { lesson().insertPlainText(QString::fromUtf8(typed)); }

    /// As somebody types it; the line's number.
    int replaceLine(const char* line, const char* with)
    {
        QTextCursor cursor = lesson().document()->find(QLatin1String(line));
        const int number = cursor.blockNumber() + 1;
        cursor.insertText(QString::fromUtf8(with));
        return cursor.isNull() ? -1 : number;
    }
};

QTEST_MAIN(tst_lesson_editor)
#include "tst_lesson_editor.moc"
