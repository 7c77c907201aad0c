#pragma once

#include "app/history/HistoryModel.h"
#include "app/history/RunJobs.h"
#include "app/widget/Page.h"

class QBoxLayout;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace ringmaster::app {

class Card;
class CompareView;
class EmptyState;
class HistoryHead;
class RunDetails;
class TableColumns;

/// Finished runs: find them by name, tags, note, end and purpose; reopen, run again, compare,
/// label, keep, export, delete.
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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildList();
    void buildTable();
    void connectButtons();
    void showMenu(const QPoint& position);
    void showList();
    std::vector<RunSummary> selected() const;
    std::vector<QPushButton*> buttons() const;
    EngineBridge::Reply<void> sayingWhyNot();
    static QString exportedText(const QString& file, const ExportReport& report);
    void openSelected();
    void runAgain();
    void edit();
    void compare();
    void label();
    void togglePin();
    void exportSelected();
    void deleteSelected();
    void hideAndDelete(const std::vector<RunSummary>& runs);
    void removeNow(const std::vector<RunSummary>& runs);
    void update();
    void updateDetails();
    void setTexts();

    EngineBridge& m_bridge;
    RunJobs m_jobs;
    HistoryModel m_model;
    HistoryFilter m_filter;
    QStackedWidget* m_stack;
    QWidget* m_list;
    CompareView* m_comparison;
    HistoryHead* m_head;
    Card* m_card;
    QTableView* m_table;
    TableColumns* m_columns = nullptr;
    RunDetails* m_details;
    QBoxLayout* m_parts; ///< The table and the details.
    EmptyState* m_empty;
    QPushButton* m_open;
    QPushButton* m_runAgain;
    QPushButton* m_edit;
    QPushButton* m_compare;
    QPushButton* m_label;
    QPushButton* m_pin;
    QPushButton* m_export;
    QPushButton* m_delete;
    QPushButton* m_openFile;
};

} // namespace ringmaster::app
