#pragma once

#include "app/history/HistoryModel.h"
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
class RunButtons;
class RunDetails;
class RunPreview;
class TableColumns;

/// Finished runs: find them by name, tags, note, end and purpose; read about one, and do something
/// with those that are chosen.
class HistoryPage : public Page
{
    Q_OBJECT

public:
    static PageDescription description();
    explicit HistoryPage(EngineBridge& bridge, QWidget* parent = nullptr);
    ~HistoryPage() override;

    void focusFilter() override;
    /// An export isn't finished.
    bool isUnsaved() const override;
    void whenSaved(std::function<void()> then) override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildList();
    void buildTable();
    void connectButtons();
    void showList();
    std::vector<RunSummary> selected() const;
    void compare();
    void update();
    void updateDetails();
    void arrange();
    void setTexts();

    EngineBridge& m_bridge;
    HistoryModel m_model;
    HistoryFilter m_filter;
    QStackedWidget* m_stack;
    QWidget* m_list;
    CompareView* m_comparison;
    HistoryHead* m_head;
    Card* m_card;
    QTableView* m_table;
    RunButtons* m_buttons;
    TableColumns* m_columns = nullptr;
    RunDetails* m_details;
    QBoxLayout* m_parts; ///< The table and the details.
    RunPreview* m_preview;
    EmptyState* m_empty;
    QPushButton* m_openFile;
};

} // namespace ringmaster::app
