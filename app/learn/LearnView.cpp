#include "app/learn/LearnView.h"

#include "app/learn/LearnHead.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/LessonsCard.h"
#include "app/learn/MomentPanel.h"
#include "app/learn/PlayBar.h"
#include "app/learn/ProgramCard.h"
#include "app/learn/ProgramEditor.h"
#include "app/learn/QuestionPanel.h"
#include "app/widget/Banner.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr double LargeType = 1.5;
constexpr int LeastOfSide = 240;

} // namespace

LearnView::LearnView(LessonListModel& lessons, LessonPlayer& player, QWidget* page)
    : QWidget(page)
    , m_head(new LearnHead(lessons, player, this))
    , m_banner(new Banner(this))
    , m_lessons(new LessonsCard(lessons, this))
    , m_moment(new MomentPanel(player, this))
    , m_questions(new QuestionPanel(this))
    , m_program(new ProgramCard(this))
    , m_columns(new QSplitter(this))
    , m_side(new QSplitter(this))
{
    build(player, page);
}

void LearnView::build(LessonPlayer& player, QWidget* page)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addWidget(m_head);
    layout->addWidget(m_banner);
    m_side->setOrientation(Qt::Vertical);
    m_side->addWidget(m_lessons);
    m_columns->addWidget(m_side);
    m_moment->addBelow(m_questions);
    m_moment->addBelow(new PlayBar(player, page, this));
    m_columns->addWidget(m_moment);
    m_columns->addWidget(m_program);
    for (QSplitter* splitter : {m_columns, m_side}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    m_side->setMinimumWidth(LeastOfSide);
    m_columns->setSizes({270, 600, 380});
    layout->addWidget(m_columns, 1);
    arrange(false);
}

void LearnView::arrange(bool isNarrow)
{
    m_isNarrow = isNarrow;
    m_head->setNarrow(isNarrow);
    m_lessons->setNarrow(isNarrow);
    m_program->setNarrow(isNarrow);
    if (isNarrow) {
        m_side->addWidget(m_program);
        m_side->setSizes({270, 420});
    } else {
        m_columns->addWidget(m_program);
    }
    // Where the program stands below the text, its lines need their part of what room there is.
    m_columns->setStretchFactor(0, isNarrow ? 2 : 1);
    m_columns->setStretchFactor(1, 3);
    if (!isNarrow)
        m_columns->setStretchFactor(2, 2);
    m_beforePresenting = isNarrow ? QList<int>{420, 580} : QList<int>{270, 600, 380};
    shareColumns();
}

/// In a hall the program's lines in large type get the room that the lessons had.
void LearnView::shareColumns()
{
    m_side->setVisible(!m_isPresenting || m_isNarrow);
    m_program->setMinimumWidth(m_isNarrow ? LeastOfSide : 300);
    // A widget that changes its parent gets the style's type anew.
    m_program->setTypeSize(m_isPresenting ? 18 : 12);
    if (!m_isPresenting)
        m_columns->setSizes(m_beforePresenting);
    else
        m_columns->setSizes(m_isNarrow ? QList<int>{450, 550} : QList<int>{0, 570, 430});
}

void LearnView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int WidthForThreeColumns = 1250;
    if (const bool isNarrow = width() < WidthForThreeColumns; isNarrow != m_isNarrow) {
        arrange(isNarrow);
        Q_EMIT arranged();
    }
}

QSize LearnView::minimumSizeHint() const
{
    constexpr int MostForTwoColumns = 800;
    const QMargins margins = layout()->contentsMargins();
    const int head = m_head->minimumSizeHint().width() + margins.left() + margins.right();
    const QSize hint = QWidget::minimumSizeHint();
    return {std::max(head, std::min(hint.width(), MostForTwoColumns)), hint.height()};
}

void LearnView::refreshHead(const QString& state, bool isRunnable, bool isBusy)
{
    m_program->setRunning(isBusy);
    m_head->refresh(state, isRunnable, isBusy);
    m_moment->setSubtitle(m_isNarrow ? state : QString());
}

void LearnView::setPresenting(bool isOn)
{
    m_isPresenting = isOn;
    m_moment->setPresenting(isOn, isOn ? LargeType : 1);
    m_lessons->setVisible(!isOn);
    if (isOn)
        m_beforePresenting = m_columns->sizes();
    shareColumns();
}

void LearnView::focusMoment()
{
    m_moment->setFocus();
    m_moment->picture().setFocus();
}

QVariantMap LearnView::saveState() const
{
    QVariantMap state = m_lessons->saveState();
    state.insert(QStringLiteral("interpreter"), m_program->interpreter());
    state.insert(QStringLiteral("motion"), m_head->motion().choice());
    state.insert(QStringLiteral("columns"), m_columns->saveState());
    return state;
}

void LearnView::restoreState(const QVariantMap& state)
{
    m_lessons->restoreState(state);
    m_program->setInterpreter(state.value(QStringLiteral("interpreter")).toString());
    m_head->motion().choose(state.value(QStringLiteral("motion"), -1).toInt());
    m_columns->restoreState(state.value(QStringLiteral("columns")).toByteArray());
}

} // namespace ringmaster::app
