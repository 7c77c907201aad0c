#include "app/editor/FormSection.h"

#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace ringmaster::app {

FormSection::FormSection(QWidget* parent)
    : FormRows(parent)
    , m_title(new QLabel(this))
    , m_fold(new QToolButton(this))
    , m_changed(new QLabel(this))
{
    setLook(m_title, "cardTitle");
    setLook(m_fold, "section");
    setLook(m_changed, "muted");
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setCheckable(true);
    m_fold->hide();
    m_changed->hide();
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addWidget(m_fold);
    head->addWidget(m_changed);
    head->addStretch(1);
    static_cast<QVBoxLayout*>(layout())->insertLayout(0, head);
    connect(m_fold, &QToolButton::clicked, this, [this](bool isOpen) {
        setFolded(!isOpen);
        Q_EMIT foldChosen(!isOpen);
    });
    translated(this, [this] { m_changed->setText(tr("changed", "a part of a job's form")); });
}

void FormSection::setTitle(const QString& title)
{
    m_title->setText(title);
    m_fold->setText(title);
    m_fold->setAccessibleName(title);
}

void FormSection::makeFolding()
{
    m_folds = true;
    m_title->hide();
    m_fold->show();
    setFolded(true);
}

void FormSection::setFolded(bool isFolded)
{
    if (!m_folds)
        return;
    rows().setVisible(!isFolded);
    m_fold->setChecked(!isFolded);
    m_fold->setArrowType(isFolded ? Qt::RightArrow : Qt::DownArrow);
}

void FormSection::setChanged(bool isChanged)
{
    m_changed->setVisible(m_folds && isChanged);
}

std::vector<Finding> FormSection::mistakes(const JobSpec& spec, size_t role) const
{
    Q_UNUSED(spec)
    Q_UNUSED(role)
    return {};
}

void FormSection::tellEdited()
{
    if (!m_isLoading)
        Q_EMIT edited();
}

} // namespace ringmaster::app
