#include "app/jobs/PanelMenu.h"

#include "app/widget/Card.h"
#include "app/widget/PanelGrid.h"
#include "app/widget/Translated.h"

#include <QEvent>

namespace ringmaster::app {

PanelMenu::PanelMenu(QWidget* parent)
    : QMenu(parent), maximise(new QAction(this)), resetLayout(new QAction(this))
{
    maximise->setShortcut(QKeySequence(Qt::Key_F11));
    connect(maximise, &QAction::triggered, this, [this] {
        if (m_panels->isMaximised())
            m_panels->restore();
        else
            m_panels->maximiseFocused();
    });
    connect(resetLayout, &QAction::triggered, this, [this] { m_panels->resetLayout(); });
    connect(this, &QMenu::aboutToShow, this, &PanelMenu::fill);
    translated(parent, [this] { setTexts(); });
    update();
}

void PanelMenu::follow(PanelGrid* panels)
{
    if (m_panels != nullptr)
        m_panels->removeEventFilter(this);
    m_panels = panels;
    if (m_panels != nullptr)
        m_panels->installEventFilter(this);
    fill();
    update();
}

/// Other pages have the same key for something else.
bool PanelMenu::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        update();
    return QMenu::eventFilter(watched, event);
}

void PanelMenu::update()
{
    const bool isInSight = m_panels != nullptr && m_panels->isVisible();
    setEnabled(isInSight);
    maximise->setEnabled(isInSight);
    resetLayout->setEnabled(isInSight);
}

void PanelMenu::fill()
{
    clear();
    if (m_panels == nullptr)
        return;
    for (const GridPanel& panel : m_panels->panels()) {
        QAction* action = addAction(panel.card->title());
        action->setCheckable(true);
        action->setChecked(m_panels->isShown(panel.key));
        connect(action, &QAction::triggered, this, [this, key = panel.key](bool isShown) {
            if (m_panels != nullptr)
                m_panels->setShown(key, isShown);
        });
    }
}

void PanelMenu::setTexts()
{
    setTitle(tr("Panels"));
    maximise->setText(tr("One panel only, or all"));
    resetLayout->setText(tr("Reset layout"));
}

} // namespace ringmaster::app
