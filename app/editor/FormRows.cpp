#include "app/editor/FormRows.h"

#include "app/widget/Card.h"

#include <QComboBox>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

FormRows::FormRows(QWidget* parent)
    : QWidget(parent), m_rows(new QWidget(this)), m_form(new QFormLayout(m_rows))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setHorizontalSpacing(12);
    m_form->setVerticalSpacing(8);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_rows);
}

QLabel* FormRows::makeLabel(QWidget* buddy)
{
    auto* name = new QLabel(this);
    setLook(name, "muted");
    name->setBuddy(buddy);
    name->setMinimumWidth(130);
    name->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return name;
}

QLabel* FormRows::addRow(QWidget* field)
{
    // As wide as the others, not as its longest choice.
    constexpr int FewLetters = 12;
    if (auto* box = qobject_cast<QComboBox*>(field)) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(FewLetters);
    }
    QLabel* name = makeLabel(field);
    m_form->addRow(name, field);
    return name;
}

QLabel* FormRows::addRow(QLayout* fields, QWidget* first)
{
    QLabel* name = makeLabel(first);
    m_form->addRow(name, fields);
    return name;
}

QWidget* FormRows::fieldWidget(const QString& key) const
{
    const auto found = std::ranges::find_if(m_fields, [&key](const Field& field) {
        return key.startsWith(QLatin1String(field.first));
    });
    return found == m_fields.end() ? nullptr : found->second;
}

void FormRows::label(QLabel* label, QWidget* field, const QString& text)
{
    label->setText(text);
    field->setAccessibleName(text);
}

} // namespace ringmaster::app
