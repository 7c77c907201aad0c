#include "app/editor/EditorColumns.h"

#include <QEvent>
#include <QScrollBar>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

EditorColumns::EditorColumns(QWidget* form, const QList<QWidget*>& panels, QWidget* parent)
    : QScrollArea(parent), m_columns(new QSplitter), m_panels(new QSplitter(Qt::Vertical, this))
{
    for (QWidget* panel : panels)
        m_panels->addWidget(panel);
    m_panels->setSizes({160, 380, 200});
    m_columns->addWidget(form);
    m_columns->addWidget(m_panels);
    m_columns->setSizes({600, 520});
    for (QSplitter* splitter : {m_columns, m_panels}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    setObjectName(QStringLiteral("editorArea"));
    setWidget(m_columns);
    m_columns->setAutoFillBackground(false); // the scroll area has just set it
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

bool EditorColumns::event(QEvent* event)
{
    if (event->type() == QEvent::Resize)
        place();
    return QScrollArea::event(event);
}

/// In a narrow window the form needs all of the width: else the examples in its fields are cut. It
/// isn't scrolled in itself then: two bars would stand beside each other.
void EditorColumns::place()
{
    constexpr int TwoColumns = 816;
    const bool isNarrow = width() - m_bar < TwoColumns;
    const auto orientation = isNarrow ? Qt::Vertical : Qt::Horizontal;
    const bool isOther = m_columns->orientation() != orientation;
    m_columns->setOrientation(orientation);
    m_columns->setHandleWidth(isNarrow ? 8 : 12);
    const int bar = isNarrow ? verticalScrollBar()->sizeHint().width() : 0;
    if (std::exchange(m_bar, bar) != bar)
        Q_EMIT barChanged(bar);
    // One below the other, they need less than beside each other.
    int least = 0;
    for (int i = 0; i < m_columns->count(); ++i)
        least = std::max(least, m_columns->widget(i)->minimumSizeHint().width());
    setMinimumWidth(least + bar);
    if (std::exchange(m_isStacked, isNarrow) != isNarrow)
        Q_EMIT stackedChanged(isNarrow);
    const QWidget* whole = m_columns->widget(0);
    const int form = std::max(whole->minimumHeight(), whole->minimumSizeHint().height());
    const int panels = m_panels->sizeHint().height();
    m_columns->setMinimumHeight(isNarrow ? form + m_columns->handleWidth() + panels : 0);
    if (isNarrow)
        m_columns->setSizes({form, panels});
    else if (isOther)
        m_columns->setSizes({600, 520});
}

QVariantMap EditorColumns::saveState() const
{
    return {{QStringLiteral("columns"), m_columns->saveState()},
            {QStringLiteral("panels"), m_panels->saveState()}};
}

void EditorColumns::restoreState(const QVariantMap& state)
{
    m_columns->restoreState(state.value(QStringLiteral("columns")).toByteArray());
    place(); // the state has its own
    m_panels->restoreState(state.value(QStringLiteral("panels")).toByteArray());
}

} // namespace ringmaster::app
