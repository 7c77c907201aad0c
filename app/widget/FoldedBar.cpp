#include "app/widget/FoldedBar.h"

#include "app/widget/Card.h"
#include "app/widget/FlowLayout.h"
#include "app/widget/PanelPlace.h"

#include <QToolButton>

namespace ringmaster::app {

FoldedBar::FoldedBar(QWidget* parent) : QWidget(parent), m_buttons(new FlowLayout(this)) {}

bool FoldedBar::isEmpty() const
{
    return m_buttons->count() == 0;
}

void FoldedBar::setPlaces(const std::vector<PanelPlace*>& folded)
{
    while (m_buttons->count() > static_cast<int>(folded.size())) {
        QLayoutItem* item = m_buttons->takeAt(m_buttons->count() - 1);
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    while (m_buttons->count() < static_cast<int>(folded.size())) {
        auto* button = new QToolButton(this);
        setLook(button, "button");
        button->setFocusPolicy(Qt::StrongFocus);
        m_buttons->addWidget(button);
        connect(button, &QToolButton::clicked, this,
                [this, button] { Q_EMIT unfoldRequested(button->property("panel").toString()); });
    }
    for (int i = 0; i < m_buttons->count(); ++i) {
        auto* button = qobject_cast<QToolButton*>(m_buttons->itemAt(i)->widget());
        const GridPanel& panel = folded[static_cast<size_t>(i)]->current();
        button->setProperty("panel", panel.key);
        button->setText(panel.card->title());
        button->setToolTip(tr("Unfold %1").arg(button->text()));
    }
}

} // namespace ringmaster::app
