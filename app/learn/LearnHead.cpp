#include "app/learn/LearnHead.h"

#include "app/learn/LearnText.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace ringmaster::app {

LearnHead::LearnHead(LessonListModel& lessons, LessonPlayer& player, QWidget* parent)
    : QWidget(parent)
    , m_player(player)
    , m_title(new QLabel(this))
    , m_pick(new QComboBox(this))
    , m_chip(new QLabel(this))
    , m_ranks(new QSpinBox(this))
    , m_backend(new QComboBox(this))
    , m_faults(new QToolButton(this))
    , m_more(new QToolButton(this))
    , m_motion(new MotionMenu(this))
    , m_runButton(new QPushButton(this))
{
    build(lessons);
    connect(m_pick, &QComboBox::activated, this, &LearnHead::lessonChosen);
    connect(m_runButton, &QPushButton::clicked, this, &LearnHead::runWanted);
    connect(m_faults->menu(), &QMenu::aboutToShow, this, &LearnHead::fillFaults);
    translated(this, [this] { setTexts(); });
}

void LearnHead::build(LessonListModel& lessons)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    setLook(m_title, "title");
    setLook(m_chip, "muted");
    setLook(m_runButton, "primary");
    m_chip->setWordWrap(true);
    m_pick->setModel(&lessons);
    m_pick->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    // All lessons at once, or a list that scrolls: a popup would cut its last one.
    m_pick->setStyleSheet(QStringLiteral("QComboBox { combobox-popup: 0; }"));
    m_pick->setMaxVisibleItems(30);
    // QComboBox keeps the least width that its first entries wanted.
    const auto fit = [this] { m_pick->setMinimumWidth(m_pick->sizeHint().width()); };
    connect(&lessons, &QAbstractItemModel::dataChanged, this, fit);
    connect(&lessons, &QAbstractItemModel::rowsInserted, this, fit);
    connect(&lessons, &QAbstractItemModel::modelReset, this, fit);
    fit();
    m_backend->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    layout->addWidget(m_title);
    layout->addWidget(m_pick);
    layout->addWidget(m_chip, 1);
    layout->addStretch();
    for (QToolButton* button : {m_faults, m_more}) {
        setLook(button, "button");
        button->setPopupMode(QToolButton::InstantPopup);
        button->setMenu(new QMenu(button));
    }
    m_more->setText(QStringLiteral("⋯"));
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_ranks, m_backend, m_faults, m_more, m_runButton})
        layout->addWidget(widget);
}

void LearnHead::setTitle(const QString& title)
{
    m_title->setText(title);
}

void LearnHead::setLesson(const lesson::Pack& pack)
{
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_ranks, m_backend, m_faults, m_runButton})
        widget->setVisible(!pack.recording);
    m_ranks->setRange(pack.minRanks, pack.maxRanks);
    m_backend->clear();
    for (const std::string& backend : pack.backends)
        m_backend->addItem(QString::fromStdString(backend));
    m_ranks->setValue(pack.ranks);
}

void LearnHead::setEditing(Editing editing)
{
    m_editing = editing;
    m_edit->setText(editing == Editing::Itself ? tr("Edit this lesson")
                                               : tr("Edit a copy of this lesson"));
    m_edit->setEnabled(editing != Editing::Nothing);
}

void LearnHead::setWriting(bool isWriting)
{
    m_writing->setVisible(isWriting);
}

void LearnHead::setRow(int row)
{
    m_pick->setCurrentIndex(row);
}

void LearnHead::choose(int ranks, const std::string& backend)
{
    m_ranks->setValue(ranks);
    m_backend->setCurrentText(QString::fromStdString(backend));
}

int LearnHead::ranks() const
{
    return m_ranks->value();
}

std::string LearnHead::backend() const
{
    return m_backend->currentText().toStdString();
}

void LearnHead::setNarrow(bool isNarrow)
{
    m_title->setVisible(!isNarrow);
    m_pick->setVisible(isNarrow);
    m_chip->setVisible(!isNarrow);
}

void LearnHead::refresh(const QString& state, bool isRunnable, bool isBusy)
{
    m_runButton->setText(isBusy ? tr("Stop") : tr("Run"));
    m_runButton->setEnabled(isRunnable);
    m_ranks->setEnabled(!isBusy);
    m_backend->setEnabled(!isBusy);
    m_faults->setEnabled(m_player.canMove());
    m_again->setEnabled(isRunnable && m_player.run() != nullptr && !isBusy && m_player.size() > 0);
    m_chip->setText(state);
}

/// A menu a kind with the ranks that there are.
void LearnHead::fillFaults()
{
    using Kind = InjectFault::Kind;
    QMenu* menu = m_faults->menu();
    menu->clear();
    for (const Kind kind : {Kind::Kill, Kind::Pause, Kind::Resume, Kind::Delay, Kind::WrongShape,
                            Kind::WrongType, Kind::CorruptData}) {
        QMenu* ranks = menu->addMenu(word(kind));
        for (int rank = 0; rank < m_player.state().rankCount(); ++rank) {
            QAction* action = ranks->addAction(tr("on rank %1").arg(rank));
            connect(action, &QAction::triggered, this,
                    [this, kind, rank] { Q_EMIT faultWanted(kind, rank); });
        }
    }
}

void LearnHead::openFaults()
{
    if (!m_faults->isEnabled())
        return;
    m_faults->menu()->popup(m_faults->mapToGlobal(QPoint(0, m_faults->height())));
}

void LearnHead::fillMore()
{
    QMenu* more = m_more->menu();
    const bool canRepeat = m_again != nullptr && m_again->isEnabled();
    const bool isWriting = m_writing != nullptr && m_writing->isVisible();
    more->clear();
    more->addAction(tr("Open a lesson…"), this, &LearnHead::lessonFileWanted);
    more->addAction(tr("Open a recorded run…"), this, &LearnHead::recordedRunWanted);
    m_again = more->addAction(tr("Run again in the same order"), this, &LearnHead::repeatWanted);
    m_again->setEnabled(canRepeat);
    more->addMenu(m_motion);
    more->addAction(tr("Save the picture…"), this, &LearnHead::pictureWanted);
    more->addAction(tr("Save my answers…"), this, &LearnHead::answersWanted);
    more->addAction(tr("Full screen with large type (F11)"), this, &LearnHead::presentationWanted);
    more->addSeparator();
    more->addAction(tr("New lesson"), this, &LearnHead::newLessonWanted);
    m_edit = more->addAction(QString(), this, &LearnHead::editWanted);
    setEditing(m_editing);
    more->addAction(tr("Edit a lesson file…"), this, &LearnHead::editFileWanted);
    m_writing =
        more->addAction(tr("Back to the lesson that you write"), this, &LearnHead::writingWanted);
    setWriting(isWriting);
}

void LearnHead::setTexts()
{
    m_pick->setAccessibleName(tr("Lesson to learn"));
    m_ranks->setAccessibleName(tr("Ranks"));
    m_ranks->setPrefix(tr("Ranks: "));
    m_backend->setAccessibleName(tr("Backend"));
    m_faults->setText(tr("Inject fault ▾"));
    m_faults->setToolTip(tr("Break this run on purpose (F)"));
    m_more->setAccessibleName(tr("More"));
    m_runButton->setToolTip(tr("Run the program, and stop it (Ctrl+Enter)"));
    fillMore();
}

} // namespace ringmaster::app
