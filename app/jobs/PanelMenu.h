#pragma once

#include <QMenu>
#include <QPointer>

namespace ringmaster::app {

class PanelGrid;

/// Which panels of the job's page are shown, by name; and what else is done with them. Empty while
/// no such page is in sight.
class PanelMenu : public QMenu
{
    Q_OBJECT

public:
    explicit PanelMenu(QWidget* parent);

    /// Of the page that is shown from now on; null: none.
    void follow(PanelGrid* panels);

    QAction* maximise; ///< Or back to all of them.
    QAction* resetLayout;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void update();
    void setTexts();

    QPointer<PanelGrid> m_panels;
};

} // namespace ringmaster::app
