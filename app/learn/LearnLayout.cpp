#include "app/learn/LearnHead.h"
#include "app/learn/LearnPage.h"
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

void LearnPage::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addWidget(m_head);
    layout->addWidget(m_banner);
    m_side->setOrientation(Qt::Vertical);
    m_side->addWidget(m_lessonsCard);
    m_columns->addWidget(m_side);
    m_moment->addBelow(m_questions);
    m_moment->addBelow(new PlayBar(m_player, this, this));
    m_columns->addWidget(m_moment);
    m_columns->addWidget(m_program);
    for (QSplitter* splitter : {m_columns, m_side}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    m_side->setMinimumWidth(240);
    m_program->setMinimumWidth(300);
    m_columns->setStretchFactor(1, 1);
    m_columns->setSizes({270, 600, 380});
    layout->addWidget(m_columns, 1);
    arrange(false);
}

/// Three columns where there is room for them; else two, with the lessons to choose from above.
void LearnPage::arrange(bool isNarrow)
{
    m_isNarrow = isNarrow;
    m_head->setNarrow(isNarrow);
    m_lessonsCard->setNarrow(isNarrow);
    if (isNarrow) {
        m_side->addWidget(m_program);
        m_side->setSizes({270, 420});
        m_columns->setSizes({400, 600});
    } else {
        m_columns->addWidget(m_program);
        m_columns->setSizes({270, 600, 380});
    }
}

void LearnPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    constexpr int WidthForThreeColumns = 1250;
    if (const bool isNarrow = width() < WidthForThreeColumns; isNarrow != m_isNarrow) {
        arrange(isNarrow);
        refreshHead();
    }
}

QSize LearnPage::minimumSizeHint() const
{
    constexpr int MostForTwoColumns = 800;
    const QSize hint = Page::minimumSizeHint();
    return {std::min(hint.width(), MostForTwoColumns), hint.height()};
}

void LearnPage::connectControls()
{
    connect(m_lessonsCard, &LessonsCard::chosen, this, [this](int row) {
        m_head->setRow(row);
        showLesson(row);
    });
    connect(m_head, &LearnHead::lessonChosen, m_lessonsCard, &LessonsCard::setCurrent);
    connect(m_head, &LearnHead::runWanted, this, &LearnPage::run);
    connect(m_head, &LearnHead::faultWanted, this, &LearnPage::inject);
    connect(m_head, &LearnHead::lessonFileWanted, this, &LearnPage::openLesson);
    connect(m_head, &LearnHead::recordedRunWanted, this, &Page::openRequested);
    connect(m_head, &LearnHead::repeatWanted, this, &LearnPage::runAgainInOrder);
    connect(m_head, &LearnHead::pictureWanted, this, &LearnPage::savePicture);
    connect(m_head, &LearnHead::presentationWanted, this,
            [this] { setPresenting(!m_isPresenting); });
    connect(m_program, &ProgramCard::resetWanted, this, &LearnPage::resetProgram);
    connect(&m_player, &LessonPlayer::moved, this, &LearnPage::refresh);
    connect(&m_program->editor(), &ProgramEditor::rankChosen, &m_player, &LessonPlayer::stepRank);
    connect(m_questions, &QuestionPanel::answered, this, &LearnPage::answered);
    connect(m_questions, &QuestionPanel::answerTaken, this, &LearnPage::focusMoment);
    connect(m_questions, &QuestionPanel::stepWanted, this, [this](size_t step) {
        m_player.pause();
        m_player.go(step);
    });
    connect(&m_faultPredictor, &FaultPredictor::judged, this, &LearnPage::faultJudged);
}

void LearnPage::setTexts()
{
    showText();
    refresh();
}

} // namespace ringmaster::app
