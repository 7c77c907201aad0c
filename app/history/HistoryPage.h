#pragma once

#include "app/history/HistoryModel.h"
#include "app/history/RunJobs.h"
#include "app/widget/Page.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace ringmaster::app {

class Card;
class EmptyState;

/// Finished runs: find them by name, state and time; reopen, run again, compare, keep, delete.
class HistoryPage : public Page
{
    Q_OBJECT

public:
    static PageDescription description();
    explicit HistoryPage(EngineBridge& bridge, QWidget* parent = nullptr);
    ~HistoryPage() override;

    QString title() const override;
    void focusFilter() override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

private:
    void buildHead();
    void buildTable();
    void connectButtons();
    void showMenu(const QPoint& position);
    std::vector<RunSummary> selected() const;
    void openSelected();
    void runAgain();
    void edit();
    void compare();
    void togglePin();
    void deleteSelected();
    void removeNow(const std::vector<RunSummary>& runs);
    void update();
    void setTexts();

    EngineBridge& m_bridge;
    RunJobs m_jobs;
    HistoryModel m_model;
    HistoryFilter m_filter;
    QLabel* m_title;
    QLineEdit* m_search;
    QComboBox* m_state;
    Card* m_card;
    QTableView* m_table;
    EmptyState* m_empty;
    QPushButton* m_open;
    QPushButton* m_runAgain;
    QPushButton* m_edit;
    QPushButton* m_compare;
    QPushButton* m_pin;
    QPushButton* m_delete;
    QPushButton* m_openFile;
};

} // namespace ringmaster::app
