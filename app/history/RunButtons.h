#pragma once

#include "app/history/RunJobs.h"

#include <QWidget>

#include <map>

class QPushButton;
class QTimer;

namespace ringmaster::app {

/// What can be done with the finished runs that are chosen, as a row of buttons and as a menu:
/// open, run again, compare, label, keep, export, delete.
class RunButtons : public QWidget
{
    Q_OBJECT

public:
    explicit RunButtons(EngineBridge& bridge, QWidget* parent = nullptr);
    ~RunButtons() override;

    void setRuns(std::vector<RunSummary> runs);
    /// An export isn't finished: it is given up when the window goes.
    bool isExporting() const { return m_exports > 0; }
    void open();
    void openMenu(const QPoint& globalPosition);

Q_SIGNALS:
    void openRequested(const QString& run);
    void editRequested(const QString& jobFile, const QString& workingFolder);
    void runAgainRequested(const QString& jobFile, const QString& workingFolder,
                           const QString& machine);
    void compareRequested();
    /// A short affirmation; with `undo` it can be taken back.
    void toastRequested(const QString& text, const std::function<void()>& undo);

private:
    std::vector<QPushButton*> buttons() const;
    void update();
    EngineBridge::Reply<void> sayingWhyNot();
    void tellWhyNot(const Error& error);
    static QString exportedText(const QString& file, const ExportReport& report);
    void runAgain();
    void edit();
    void label();
    void togglePin();
    void exportRun();
    void askToDelete();
    void hideAndDelete(const std::vector<RunSummary>& runs);
    void removeNow(const QTimer* deletion, const std::vector<std::string>& runs);
    bool takePending(const QTimer* deletion, const std::string& run);
    void setTexts();

    EngineBridge& m_bridge;
    RunJobs m_jobs;
    std::vector<RunSummary> m_runs;
    /// To be removed when that time is over, unless it is taken back.
    std::map<std::string, const QTimer*> m_pending;
    int m_exports = 0; ///< Not answered yet.
    QPushButton* m_open;
    QPushButton* m_runAgain;
    QPushButton* m_edit;
    QPushButton* m_compare;
    QPushButton* m_label;
    QPushButton* m_pin;
    QPushButton* m_export;
    QPushButton* m_delete;
};

} // namespace ringmaster::app
