#pragma once

#include "app/model/ForeignJobs.h"
#include "app/model/RunListModel.h"

#include <QTimer>
#include <QWidget>

#include <map>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QToolButton;

namespace ringmaster::app {

class Card;
class ElidedLabel;
class ElsewhereCard;
class EmptyState;
class MachineBridge;
class RunPreview;
class TableColumns;

/// All jobs at a glance: what each is in, how far and how fast it is, and what it says. Those that
/// go on come first; lessons and sweeps are a group of their own, folded until somebody wants it.
class JobsList : public QWidget
{
    Q_OBJECT

public:
    JobsList(EngineBridge& bridge, RunListModel& runs, QWidget* parent = nullptr);

    /// Also those that something else started there; `name`: empty: this machine.
    void watchMachine(std::unique_ptr<ForeignJobs::Machine> machine, const QString& name = {});
    /// The same for the machines that are watched.
    void setMachines(MachineBridge& machines);
    void focusFilter();
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void runChosen(const QString& run);
    void newJobRequested();
    void openRequested();
    void exampleRequested(const QString& name);
    /// A sentence for the reader.
    void told(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHead();
    void buildTable(QTableView& table, RunFilter& filter);
    void buildOthers();
    void connectButtons();
    void showGpus();
    void watchMachines(MachineBridge& machines);
    void connectRows();
    void fitRows();
    int roomForTable() const;
    int roomForCards() const;
    void showPreview();
    /// What is worth a look first: whatever isn't well.
    int firstToPreview() const;
    void update();
    void showOthers(bool isShown);
    void setTexts();

    RunListModel& m_runs;
    RunOverview m_overview;
    std::map<QString, ElsewhereCard*> m_elsewhere{}; ///< By the machine's name.
    QTimer m_fitRows;                                ///< Once for all that has changed.
    RunFilter m_jobs;
    RunFilter m_others; ///< Lessons and sweeps.
    QLabel* m_title;
    ElidedLabel* m_health;
    QLineEdit* m_search;
    Card* m_card;
    QTableView* m_table;
    std::vector<TableColumns*> m_columns{}; ///< Of both tables.
    EmptyState* m_noMatch;                  ///< In the place of the table.
    QToolButton* m_othersButton;
    QTableView* m_othersTable;
    RunPreview* m_preview; ///< Of the chosen job, where there is room below the list.
    EmptyState* m_empty;
    QPushButton* m_newButton;
    QPushButton* m_openButton;
    QPushButton* m_exampleButton;
    QPushButton* m_otherNewButton;
    QPushButton* m_otherOpenButton;
};

} // namespace ringmaster::app
