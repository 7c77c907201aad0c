#pragma once

#include "app/learn/LessonChecker.h"

#include <QWidget>

class QMenu;
class QPushButton;
class QSplitter;
class QTabBar;
class QToolButton;

namespace ringmaster::app {

class Card;
class ElidedLabel;
class LessonFindings;
class LessonPreview;
class SourceEditor;

/// A lesson's files as they are, to be written in; beneath them what is wrong and in which line,
/// beside them what Learn will show. Reads and writes no file: LessonWriting does.
class LessonEditor : public QWidget
{
    Q_OBJECT

public:
    explicit LessonEditor(QWidget* parent = nullptr);

    /// Another lesson, or this one from its beginning.
    void setSource(const LessonSource& source, bool isModified = false);
    /// With the texts as they are now.
    LessonSource source() const;
    /// `written` is what the disk has now; what was typed meanwhile is still modified.
    void setSaved(const LessonSource& written);
    /// Since it was opened or saved.
    bool isModified() const;
    const LessonCheckup& checkup() const { return m_checkup; }
    /// That is of the texts as they are.
    bool isChecked() const { return m_checker.isDone(); }
    bool hasErrors() const { return !m_checkup.findings.empty(); }
    void showNextError();
    void checkNow() { m_checker.checkNow(); }

    SourceEditor& lessonText() { return *m_lesson; }
    SourceEditor& programText() { return *m_program; }

Q_SIGNALS:
    void leaveWanted();
    void saveWanted();
    void saveAsWanted();
    void runWanted();
    /// Something was typed, saved or opened.
    void edited();
    void checked();

private:
    void build();
    void addKeys();
    void takeCheckup(const LessonCheckup& checkup);
    void takeProgram(const lesson::Pack& pack);
    void showFile(bool isProgram);
    void goTo(bool isInProgram, int line);
    void fillParts();
    void refreshHead();
    void setTexts();

    LessonSource m_source; ///< But for the texts, which are in the editors.
    LessonCheckup m_checkup;
    bool m_isLoading = false; ///< Nobody types.
    LessonChecker m_checker;

    ElidedLabel* m_title;
    QPushButton* m_leave;
    QPushButton* m_save;
    QPushButton* m_saveAs;
    QPushButton* m_run;
    Card* m_files;
    QToolButton* m_parts;
    QTabBar* m_tabs;
    SourceEditor* m_lesson;
    SourceEditor* m_program;
    LessonFindings* m_findings;
    LessonPreview* m_preview;
    QSplitter* m_left;
    QSplitter* m_columns;
};

} // namespace ringmaster::app
