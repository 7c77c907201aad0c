#include "app/editor/EditorHead.h"

#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace ringmaster::app {

EditorHead::EditorHead(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_fileName(new QLabel(this))
    , m_hint(new QLabel(this))
    , m_revert(new QPushButton(this))
    , m_open(new QPushButton(this))
    , m_paste(new QPushButton(this))
    , m_save(new QPushButton(this))
    , m_launch(new QPushButton(this))
{
    setLook(m_title, "title");
    setLook(m_fileName, "muted");
    setLook(m_hint, "muted");
    setLook(m_revert, "flat");
    setLook(m_launch, "primary");
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(10);
    line->addWidget(m_title);
    line->addWidget(m_fileName);
    line->addStretch(1);
    line->addWidget(m_hint);
    line->addWidget(m_revert);
    for (QPushButton* button : {m_open, m_paste, m_save, m_launch})
        line->addWidget(button);
    connect(m_open, &QPushButton::clicked, this, &EditorHead::openRequested);
    connect(m_paste, &QPushButton::clicked, this, &EditorHead::pasteRequested);
    connect(m_save, &QPushButton::clicked, this, &EditorHead::saveRequested);
    connect(m_launch, &QPushButton::clicked, this, &EditorHead::launchRequested);
    connect(m_revert, &QPushButton::clicked, this, &EditorHead::revertRequested);
    setWaiting(false);
    translated(this, [this] { setTexts(); });
}

void EditorHead::setFile(const QString& path, bool isDirty)
{
    m_path = path;
    m_isDirty = isDirty;
    setTexts();
}

void EditorHead::setWaiting(bool isWaiting)
{
    m_hint->setVisible(isWaiting);
    m_revert->setVisible(isWaiting);
}

void EditorHead::setLaunching(bool isLaunching)
{
    m_launch->setEnabled(!isLaunching);
}

void EditorHead::setProblem(const QString& problem)
{
    m_problem = problem;
    setTexts();
}

void EditorHead::setTexts()
{
    m_title->setText(tr("New job"));
    const QString name = QFileInfo(m_path).fileName();
    m_fileName->setText(m_isDirty ? tr("%1 (not saved)").arg(name) : name);
    m_fileName->setVisible(!m_path.isEmpty());
    m_open->setText(tr("Open…"));
    m_paste->setText(tr("Paste torchrun command"));
    m_save->setText(tr("Save"));
    m_launch->setText(tr("Launch"));
    const QString why =
        m_problem.isEmpty() ? QString() : tr("It can't start yet: %1").arg(m_problem);
    m_launch->setToolTip(why);
    m_launch->setAccessibleDescription(why);
    m_hint->setText(tr("Changes apply at the next launch"));
    m_revert->setText(tr("Revert"));
    m_revert->setToolTip(tr("Back to the job as it was launched"));
}

} // namespace ringmaster::app
