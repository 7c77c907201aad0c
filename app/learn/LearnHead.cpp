#include "app/learn/LearnHead.h"

#include "app/learn/LearnText.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QStyleOptionComboBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {
constexpr int Gap = 8;
} // namespace

LearnHead::LearnHead(LessonListModel& lessons, LessonPlayer& player, QWidget* parent)
    : QWidget(parent)
    , m_player(player)
    , m_title(new QLabel(this))
    , m_pick(new QComboBox(this))
    , m_chip(new QLabel(this))
    , m_row(new QHBoxLayout)
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
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(Gap);
    lines->addLayout(m_row);
    m_row->setSpacing(Gap);
    setLook(m_title, "title");
    setLook(m_chip, "muted");
    setLook(m_runButton, "primary");
    m_chip->setWordWrap(true);
    m_pick->setModel(&lessons);
    m_pick->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_pick->setMinimumContentsLength(1);
    // All lessons at once, or a list that scrolls: a popup would cut its last one.
    m_pick->setStyleSheet(QStringLiteral("QComboBox { combobox-popup: 0; }"));
    m_pick->setMaxVisibleItems(30);
    connect(&lessons, &QAbstractItemModel::dataChanged, this, &LearnHead::fitLesson);
    connect(&lessons, &QAbstractItemModel::rowsInserted, this, &LearnHead::fitLesson);
    connect(&lessons, &QAbstractItemModel::modelReset, this, &LearnHead::fitLesson);
    connect(m_pick, &QComboBox::currentIndexChanged, this, &LearnHead::fitLesson);
    m_backend->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_row->addWidget(m_title);
    m_row->addWidget(m_pick, 1);
    m_row->addWidget(m_chip, 1);
    m_row->addStretch();
    for (QToolButton* button : {m_faults, m_more}) {
        setLook(button, "button");
        button->setPopupMode(QToolButton::InstantPopup);
        button->setMenu(new QMenu(button));
    }
    m_more->setText(QStringLiteral("⋯"));
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_ranks, m_backend, m_faults, m_more, m_runButton})
        m_row->addWidget(widget);
    fitLesson();
}

/// At least as wide as the chosen one's name, at most as the longest, as the list of all is.
void LearnHead::fitLesson()
{
    QStyleOptionComboBox option;
    option.initFrom(m_pick);
    const QSize text(m_pick->fontMetrics().horizontalAdvance(m_pick->currentText()) + Gap,
                     m_pick->fontMetrics().height());
    const int wanted =
        m_pick->style()->sizeFromContents(QStyle::CT_ComboBox, &option, text, m_pick).width();
    m_pick->setMinimumWidth(wanted);
    QAbstractItemView& list = *m_pick->view();
    const int longest =
        list.sizeHintForColumn(0) + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + Gap;
    list.setMinimumWidth(longest);
    m_pick->setMaximumWidth(std::max(wanted, longest));
    arrange();
    updateGeometry();
}

int LearnHead::controlsWidth() const
{
    int width = 0;
    for (const QWidget* widget :
         std::initializer_list<const QWidget*>{m_ranks, m_backend, m_faults, m_more, m_runButton})
        width += widget->isHidden() ? 0 : widget->sizeHint().width() + Gap;
    return width;
}

void LearnHead::arrange()
{
    const bool isAbove = !m_pick->isHidden() && m_pick->minimumWidth() + controlsWidth() > width();
    if (std::exchange(m_isLessonAbove, isAbove) == isAbove)
        return;
    auto* lines = static_cast<QVBoxLayout*>(layout());
    if (isAbove) {
        m_row->removeWidget(m_pick);
        lines->insertWidget(0, m_pick);
    } else {
        lines->removeWidget(m_pick);
        m_row->insertWidget(1, m_pick, 1);
    }
}

QSize LearnHead::minimumSizeHint() const
{
    return {std::max(m_pick->minimumWidth(), controlsWidth()), QWidget::minimumSizeHint().height()};
}

void LearnHead::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
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
    arrange();
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
    arrange();
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
    fitLesson();
}

} // namespace ringmaster::app
