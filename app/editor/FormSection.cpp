#include "app/editor/FormSection.h"

#include "app/widget/Card.h"

#include <QVBoxLayout>

namespace ringmaster::app {

FormSection::FormSection(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(this)), m_form(new QFormLayout)
{
    setLook(m_title, "cardTitle");
    m_form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setHorizontalSpacing(12);
    m_form->setVerticalSpacing(8);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addLayout(m_form);
}

QLabel* FormSection::makeLabel(QWidget* buddy)
{
    auto* name = new QLabel(this);
    setLook(name, "muted");
    name->setBuddy(buddy);
    // One width for all sections, so that their fields stand below each other.
    name->setMinimumWidth(150);
    name->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return name;
}

QLabel* FormSection::addRow(QWidget* field)
{
    QLabel* name = makeLabel(field);
    m_form->addRow(name, field);
    return name;
}

QLabel* FormSection::addRow(QLayout* fields, QWidget* first)
{
    QLabel* name = makeLabel(first);
    m_form->addRow(name, fields);
    return name;
}

void FormSection::label(QLabel* label, QWidget* field, const QString& text)
{
    label->setText(text);
    field->setAccessibleName(text);
}

void FormSection::tellEdited()
{
    if (!m_isLoading)
        Q_EMIT edited();
}

} // namespace ringmaster::app
