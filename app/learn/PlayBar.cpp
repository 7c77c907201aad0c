#include "app/learn/PlayBar.h"

#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr double Speeds[] = {0.5, 1, 2, 4, 8, 20};
constexpr int UsualSpeed = 2;
constexpr int ManySteps = 10;
constexpr int MostRankKeys = 8;
constexpr int ButtonGap = 6;

} // namespace

PlayBar::PlayBar(LessonPlayer& player, QWidget* scope, QWidget* parent)
    : QWidget(parent)
    , m_player(player)
    , m_scrub(new QHBoxLayout)
    , m_first(new QPushButton(QStringLiteral("|◀"), this))
    , m_back(new QPushButton(QStringLiteral("◀"), this))
    , m_play(new QPushButton(this))
    , m_step(new QPushButton(this))
    , m_blocked(new QPushButton(this))
    , m_last(new QPushButton(QStringLiteral("▶|"), this))
    , m_finish(new QPushButton(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_place(new QLabel(this))
    , m_speed(new QComboBox(this))
{
    build();
    addKeys(scope);
    connect(&m_player, &LessonPlayer::moved, this, &PlayBar::refresh);
    translated(this, [this] { setTexts(); });
}

void PlayBar::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_scrub->addWidget(m_slider, 1);
    m_scrub->addWidget(m_place);
    m_scrub->addWidget(m_speed);
    setLook(m_place, "muted");
    layout->addLayout(m_scrub);
    auto* row = new QHBoxLayout;
    row->setSpacing(ButtonGap);
    for (QPushButton* button : {m_first, m_back, m_play, m_step, m_blocked, m_last, m_finish})
        row->addWidget(button);
    row->addStretch();
    layout->addLayout(row);
    for (const double speed : Speeds)
        m_speed->addItem(QString(), speed);
    m_speed->setCurrentIndex(UsualSpeed);
    m_speed->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_first, &QPushButton::clicked, &m_player, &LessonPlayer::toStart);
    connect(m_back, &QPushButton::clicked, &m_player, [this] { m_player.back(); });
    connect(m_play, &QPushButton::clicked, &m_player, &LessonPlayer::togglePlay);
    connect(m_step, &QPushButton::clicked, &m_player, [this] { m_player.forward(); });
    connect(m_blocked, &QPushButton::clicked, &m_player, &LessonPlayer::untilBlocked);
    connect(m_last, &QPushButton::clicked, &m_player, &LessonPlayer::toEnd);
    connect(m_finish, &QPushButton::clicked, &m_player, &LessonPlayer::finish);
    connect(m_slider, &QSlider::valueChanged, &m_player, [this](int value) {
        m_player.pause();
        m_player.go(static_cast<size_t>(value));
    });
    connect(m_speed, &QComboBox::currentIndexChanged, &m_player,
            [this] { m_player.setStepsASecond(m_speed->currentData().toDouble()); });
}

void PlayBar::addKeys(QWidget* scope)
{
    const auto key = [&](const QKeySequence& sequence, std::function<void()> action) {
        auto* shortcut =
            new QShortcut(sequence, scope, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, std::move(action));
    };
    key(Qt::Key_Right, [this] { m_player.forward(); });
    key(Qt::Key_Left, [this] { m_player.back(); });
    key(Qt::SHIFT | Qt::Key_Right, [this] {
        // Ten steps of real processes are ten decisions; of a recording they are one.
        m_player.forward(m_player.isAtEnd() ? 1 : ManySteps);
    });
    key(Qt::SHIFT | Qt::Key_Left, [this] { m_player.back(ManySteps); });
    key(Qt::Key_Home, [this] { m_player.toStart(); });
    key(Qt::Key_End, [this] { m_player.toEnd(); });
    key(Qt::Key_B, [this] { m_player.untilBlocked(); });
    key(Qt::Key_E, [this] { m_player.finish(); });
    for (int rank = 0; rank < MostRankKeys; ++rank)
        key(static_cast<Qt::Key>(Qt::Key_0 + rank), [this, rank] { m_player.stepRank(rank); });
}

int PlayBar::buttonsWidth(bool withEnds) const
{
    int width = -ButtonGap;
    for (const QPushButton* button : {m_back, m_play, m_step, m_blocked, m_finish})
        width += button->sizeHint().width() + ButtonGap;
    for (const QPushButton* end : {m_first, m_last})
        width += withEnds ? end->sizeHint().width() + ButtonGap : 0;
    return width;
}

QSize PlayBar::minimumSizeHint() const
{
    const int width = std::max(m_scrub->minimumSize().width(), buttonsWidth(false));
    return {width, QWidget::minimumSizeHint().height()};
}

void PlayBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showEnds();
}

void PlayBar::showEnds()
{
    const bool isRoom = width() >= buttonsWidth(true);
    m_first->setVisible(isRoom);
    m_last->setVisible(isRoom);
}

QString PlayBar::placeText() const
{
    if (m_player.size() == 0)
        return {};
    const QString place = tr("step %1 of %2").arg(m_player.position() + 1).arg(m_player.size());
    if (m_player.canMove())
        return m_player.isAtEnd() ? tr("%1 · live").arg(place) : tr("%1 · the past").arg(place);
    return tr("%1 · recorded").arg(place);
}

/// The slider keeps its length, whatever is said beside it.
void PlayBar::keepPlace()
{
    constexpr qsizetype UsualDigits = 3;
    const QString digits(std::max(UsualDigits, QString::number(m_player.size()).size()), u'0');
    const QString place = tr("step %1 of %2").arg(digits, digits);
    int widest = 0;
    m_place->ensurePolished(); // else its font isn't the one that is shown
    for (const QString& text : {tr("%1 · live").arg(place), tr("%1 · the past").arg(place),
                                tr("%1 · recorded").arg(place)})
        widest = std::max(widest, m_place->fontMetrics().horizontalAdvance(text));
    m_place->setMinimumWidth(widest);
}

void PlayBar::refresh()
{
    const QSignalBlocker blocker(m_slider);
    const bool hasSteps = m_player.size() > 0;
    const bool isAtEnd = m_player.isAtEnd();
    m_slider->setRange(0, hasSteps ? static_cast<int>(m_player.size() - 1) : 0);
    m_slider->setValue(static_cast<int>(m_player.position()));
    m_slider->setEnabled(hasSteps);
    m_first->setEnabled(hasSteps && m_player.position() > 0);
    m_back->setEnabled(m_first->isEnabled());
    m_play->setEnabled(hasSteps);
    m_step->setEnabled(hasSteps && (!isAtEnd || m_player.canMove()));
    m_blocked->setEnabled(m_step->isEnabled());
    m_last->setEnabled(hasSteps && !isAtEnd);
    m_finish->setEnabled(m_player.canMove());
    m_play->setText(m_player.isPlaying() ? tr("Pause") : tr("Play"));
    m_place->setText(placeText());
    const bool isPast = m_player.canMove() && !isAtEnd;
    m_place->setToolTip(isPast ? tr("The processes stand at the last step") : QString());
    keepPlace();
}

void PlayBar::setTexts()
{
    m_step->setText(tr("Step ▶"));
    m_blocked->setText(tr("Until blocked"));
    m_finish->setText(tr("Run on"));
    m_first->setToolTip(tr("To the first step (Home)"));
    m_back->setToolTip(tr("One step back (←), ten with Shift"));
    m_play->setToolTip(tr("Play and pause (Space)"));
    m_step->setToolTip(tr("One step (→): of the recording, and at its end one line of every rank; "
                          "a rank's number steps that rank alone"));
    m_blocked->setToolTip(tr("On until a rank blocks (B)"));
    m_last->setToolTip(tr("To the last step (End)"));
    m_finish->setToolTip(tr("Let the processes run to their end without waiting (E)"));
    m_first->setAccessibleName(tr("First step"));
    m_back->setAccessibleName(tr("Step back"));
    m_last->setAccessibleName(tr("Last step"));
    m_slider->setAccessibleName(tr("Step of the recording"));
    m_speed->setAccessibleName(tr("Speed"));
    for (int i = 0; i < m_speed->count(); ++i)
        m_speed->setItemText(i, tr("%1 steps/s").arg(m_speed->itemData(i).toDouble()));
    refresh();
    showEnds();
}

} // namespace ringmaster::app
