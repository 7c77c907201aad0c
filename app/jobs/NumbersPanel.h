#pragma once

#include "app/model/NumberFeed.h"
#include "app/model/NumberTableModel.h"
#include "app/model/OperationFeed.h"
#include "app/widget/TwinCard.h"

#include <QVariantMap>

class QMenu;
class QToolButton;

namespace ringmaster::app {

class NumberChart;

/// What a run's workers print of their training: losses, steps, rates. One number or several over
/// time, a line a rank, and their twin table. Not available as long as none was printed.
class NumbersPanel : public TwinCard
{
    Q_OBJECT

public:
    /// The steps that are recorded come from the operations.
    NumbersPanel(EngineBridge& bridge, const RunModel& run, const OperationFeed& operations,
                 TimeSpan& span, QWidget* parent = nullptr);

    void selectRank(int globalRank);
    /// Of the page: while it isn't seen, nothing is read.
    void setPageShown(bool isShown);
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void rankSelected(int globalRank);
    /// Whether somebody sees it.
    void watched(bool isWatched);
    void told(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void update();
    void updateWatch();
    void updateMenu();
    void choose(const std::string& name, bool isChosen);
    void showSubtitle();
    void setTexts();

    const RunModel& m_run;
    const OperationFeed& m_operations;
    TimeSpan& m_span;
    NumberFeed m_feed;
    NumberTableModel m_rows;
    NumberChart* m_chart;
    QToolButton* m_chooser;
    QMenu* m_menu;
    bool m_isPageShown = false;
    bool m_isChosen = false; ///< By the user; else the first number is shown.
};

} // namespace ringmaster::app
