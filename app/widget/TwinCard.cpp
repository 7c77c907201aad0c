#include "app/widget/TwinCard.h"

#include "app/widget/TableLook.h"

#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace ringmaster::app {

TwinCard::TwinCard(QWidget* parent)
    : Card(parent), m_table(new QTableView(this)), m_button(new QToolButton(this))
{
    dressTable(*m_table);
    m_table->hide();
    setLook(m_button, "flat");
    m_button->setCheckable(true);
    connect(m_button, &QToolButton::toggled, this, [this](bool shown) {
        // Who fills the table only while it is looked at does so before it appears.
        Q_EMIT tableShown(shown);
        QWidget* now = shown ? static_cast<QWidget*>(m_table) : m_view;
        QWidget* before = shown ? m_view : static_cast<QWidget*>(m_table);
        const QWidget* focused = window()->focusWidget();
        now->show();
        // Else the focus would go to whatever comes next on the page.
        if (focused == before || before->isAncestorOf(focused))
            now->setFocus();
        before->hide();
    });
}

void TwinCard::setView(QWidget* view)
{
    m_view = view;
    content()->addWidget(m_view, 1);
    content()->addWidget(m_table, 1);
    addHeaderWidget(m_button);
}

void TwinCard::setTwinTexts(const QString& viewName, const QString& tableName,
                            const QString& buttonToolTip)
{
    m_view->setAccessibleName(viewName);
    m_table->setAccessibleName(tableName);
    m_button->setText(tr("Table"));
    m_button->setToolTip(buttonToolTip);
}

bool TwinCard::showsTable() const
{
    return m_button->isChecked();
}

void TwinCard::showTable(bool shown)
{
    m_button->setChecked(shown);
}

} // namespace ringmaster::app
