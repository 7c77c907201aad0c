#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace ringmaster::app {

/// The line above the form: which job it is, and what can be done with all of it.
class EditorHead : public QWidget
{
    Q_OBJECT

public:
    explicit EditorHead(QWidget* parent = nullptr);

    /// Where the job came from or went to; empty: none yet.
    void setFile(const QString& path, bool isDirty);
    /// The job in the form isn't the one that runs.
    void setWaiting(bool isWaiting);
    void setLaunching(bool isLaunching);
    /// Why it can't be launched, which the button says; empty: it can.
    void setProblem(const QString& problem);

Q_SIGNALS:
    void openRequested();
    void pasteRequested();
    void saveRequested();
    void launchRequested();
    void revertRequested();

private:
    void setTexts();

    QString m_path;
    bool m_isDirty = false;
    QString m_problem;
    QLabel* m_title;
    QLabel* m_fileName;
    QLabel* m_hint;
    QPushButton* m_revert;
    QPushButton* m_open;
    QPushButton* m_paste;
    QPushButton* m_save;
    QPushButton* m_launch;
};

} // namespace ringmaster::app
