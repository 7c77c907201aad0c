#include "app/editor/FormSection.h"

#include "app/widget/Card.h"

#include <QVBoxLayout>

namespace ringmaster::app {

FormSection::FormSection(QWidget* parent) : FormRows(parent), m_title(new QLabel(this))
{
    setLook(m_title, "cardTitle");
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_title);
}

void FormSection::tellEdited()
{
    if (!m_isLoading)
        Q_EMIT edited();
}

} // namespace ringmaster::app
