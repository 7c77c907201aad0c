#include "app/learn/QuestionPanel.h"

#include "app/bridge/Messages.h"
#include "app/learn/LearnText.h"
#include "app/learn/LessonHtml.h"
#include "app/learn/LessonListModel.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

using Kind = lesson::Question::Kind;

/// While more steps come, long recordings aren't searched at every one.
constexpr size_t LongRecording = 4'000;

std::vector<int> ranksOf(const QString& text)
{
    std::vector<int> ranks;
    static const QRegularExpression number(QStringLiteral("\\d+"));
    for (auto match = number.globalMatch(text); match.hasNext();)
        ranks.push_back(match.next().captured().toInt());
    std::ranges::sort(ranks);
    return ranks;
}

bool isSame(const lesson::Choice& right, const QString& prediction)
{
    switch (right.kind) {
    case lesson::Choice::Kind::Number: {
        bool isNumber = false;
        const double number = prediction.trimmed().toDouble(&isNumber);
        return isNumber && number == QString::fromStdString(right.number).toDouble();
    }
    case lesson::Choice::Kind::Ranks: return right.ranks == ranksOf(prediction);
    case lesson::Choice::Kind::Yes: return prediction == QLatin1String("yes");
    case lesson::Choice::Kind::No: return prediction == QLatin1String("no");
    }
    return false;
}

} // namespace

QuestionPanel::QuestionPanel(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_note(new QLabel(this))
    , m_choices(new QWidget(this))
    , m_choiceLayout(new QHBoxLayout(m_choices))
    , m_prediction(new QLineEdit(this))
    , m_ask(new QPushButton(this))
    , m_reveal(new QPushButton(this))
    , m_previous(new QToolButton(this))
    , m_next(new QToolButton(this))
{
    setObjectName(QStringLiteral("card"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    m_text->setWordWrap(true);
    m_note->setWordWrap(true);
    setLook(m_note, "muted");
    for (QToolButton* button : {m_previous, m_next})
        setLook(button, "flat");
    m_previous->setText(QStringLiteral("‹"));
    m_next->setText(QStringLiteral("›"));
    head->addWidget(m_text, 1);
    head->addWidget(m_previous, 0, Qt::AlignTop);
    head->addWidget(m_next, 0, Qt::AlignTop);
    layout->addLayout(head);
    auto* answer = new QHBoxLayout;
    m_choiceLayout->setContentsMargins(0, 0, 0, 0);
    m_prediction->setMaximumWidth(260);
    answer->addWidget(m_choices);
    answer->addWidget(m_prediction);
    answer->addWidget(m_ask);
    answer->addWidget(m_reveal);
    answer->addWidget(m_note, 1);
    layout->addLayout(answer);
    connect(m_previous, &QToolButton::clicked, this, [this] { setCurrent(m_current - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { setCurrent(m_current + 1); });
    connect(m_prediction, &QLineEdit::returnPressed, this,
            [this] { predict(m_prediction->text().trimmed()); });
    connect(m_ask, &QPushButton::clicked, this, &QuestionPanel::open);
    connect(m_reveal, &QPushButton::clicked, this, [this] {
        if (const auto& asked = m_standings[m_current].asked)
            Q_EMIT stepWanted(asked->answeredAt);
    });
    translated(this, [this] { setTexts(); });
}

void QuestionPanel::setQuestions(const std::vector<lesson::Question>& questions)
{
    m_questions = questions;
    m_current = 0;
    m_recording = nullptr;
    setVisible(!questions.empty());
    forget();
}

void QuestionPanel::forget()
{
    m_standings.assign(m_questions.size(), {});
    m_seen = 0;
    m_isOver = false;
    showCurrent();
}

void QuestionPanel::setRecording(const lesson::Recording* recording, bool isOver)
{
    m_recording = recording;
    const size_t size = recording == nullptr ? 0 : recording->size();
    if ((size == m_seen && isOver == m_isOver) || (!isOver && size > LongRecording))
        return;
    m_seen = size;
    m_isOver = isOver;
    for (size_t question = 0; question < m_questions.size(); ++question)
        evaluate(question);
    showCurrent();
}

void QuestionPanel::evaluate(size_t question)
{
    Standing& standing = m_standings[question];
    if (m_recording == nullptr || standing.isRight)
        return;
    auto asked = lesson::ask(m_questions[question], *m_recording);
    standing.asked.reset();
    if (!asked) {
        standing.whyNot = text(asked.error());
        return;
    }
    standing.asked = *std::move(asked);
    if (!standing.prediction.isEmpty())
        judge(question, std::nullopt,
              isSame(standing.asked->choices[standing.asked->right], standing.prediction));
}

void QuestionPanel::judge(size_t question, std::optional<size_t> choice, bool isRight)
{
    Standing& standing = m_standings[question];
    standing.choice = choice;
    standing.isRight = isRight;
    m_current = question;
    Q_EMIT answered(question, isRight);
    showCurrent();
    // What contradicts a wrong answer is shown at once.
    if (!isRight || choice)
        Q_EMIT stepWanted(standing.asked->answeredAt);
}

void QuestionPanel::predict(const QString& prediction)
{
    if (prediction.isEmpty() || m_questions.empty())
        return;
    m_standings[m_current].prediction = prediction;
    m_prediction->clear();
    evaluate(m_current);
    showCurrent();
    Q_EMIT answerTaken();
}

void QuestionPanel::choose(size_t choice)
{
    const Standing& standing = m_standings[m_current];
    if (standing.asked && !standing.isRight)
        judge(m_current, choice, choice == standing.asked->right);
    Q_EMIT answerTaken();
}

/// Back to the moment before the answer, which is then asked for.
void QuestionPanel::open()
{
    Standing& standing = m_standings[m_current];
    if (!standing.asked)
        return;
    standing.isOpen = true;
    Q_EMIT stepWanted(standing.asked->askedAt);
    showCurrent();
    focusAnswer();
}

void QuestionPanel::setCurrent(size_t question)
{
    if (question >= m_questions.size())
        return;
    m_current = question;
    showCurrent();
}

bool QuestionPanel::offer(size_t question)
{
    if (question >= m_standings.size() || isPredicted(question) || isAnswered(question) ||
        std::exchange(m_standings[question].isOffered, true))
        return false;
    setCurrent(question);
    return true;
}

bool QuestionPanel::isPredicted(size_t question) const
{
    return question < m_standings.size() && !m_standings[question].prediction.isEmpty();
}

bool QuestionPanel::isAnswered(size_t question) const
{
    return question < m_standings.size() && m_standings[question].isRight.has_value();
}

void QuestionPanel::focusAnswer()
{
    if (m_prediction->isVisible())
        m_prediction->setFocus();
    else if (m_choiceLayout->count() > 0)
        m_choiceLayout->itemAt(0)->widget()->setFocus();
    else if (m_ask->isVisible())
        m_ask->setFocus();
    else if (m_reveal->isVisible())
        m_reveal->setFocus();
}

void QuestionPanel::showButtons(const QStringList& texts, const std::function<void(size_t)>& chosen)
{
    while (QLayoutItem* item = m_choiceLayout->takeAt(0)) {
        // Its own click may be why it goes. It keeps its parent: as a window of its own for a
        // moment, it would take the activation from ours.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (qsizetype i = 0; i < texts.size(); ++i) {
        auto* button = new QPushButton(texts.at(i), m_choices);
        connect(
            button, &QPushButton::clicked, this, [chosen, i] { chosen(static_cast<size_t>(i)); },
            Qt::QueuedConnection);
        m_choiceLayout->addWidget(button);
    }
    m_choices->setVisible(!texts.isEmpty());
}

QString QuestionPanel::resultText(const Standing& standing) const
{
    const QString right = text(standing.asked->choices[standing.asked->right]);
    const QString because =
        QString::fromStdString(m_questions[m_current].because.in(lessonLanguage()));
    const QString head =
        *standing.isRight
            ? tr("✓ Right: %1.").arg(right)
            : tr("✗ Not so. It is %1: see step %2.").arg(right).arg(standing.asked->answeredAt + 1);
    return because.isEmpty() ? head : head + u' ' + because;
}

void QuestionPanel::showCurrent()
{
    if (m_questions.empty())
        return;
    const lesson::Question& question = m_questions[m_current];
    const Standing& standing = m_standings[m_current];
    m_text->setText(
        QStringLiteral("<b>%1</b> %2")
            .arg(tr("Predict (%1 of %2):").arg(m_current + 1).arg(m_questions.size()),
                 lessonHtml(QString::fromStdString(question.text.in(lessonLanguage())))));
    m_previous->setEnabled(m_current > 0);
    m_next->setEnabled(m_current + 1 < m_questions.size());
    const bool isDone = standing.isRight.has_value();
    const bool isOpen = !isDone && standing.isOpen && standing.asked;
    const bool canPredict =
        !isDone && !standing.asked && standing.prediction.isEmpty() && !m_isOver;
    const bool isYesNo = question.kind == Kind::Deadlock;
    QStringList choices;
    if (isOpen) {
        for (const lesson::Choice& choice : standing.asked->choices)
            choices << text(choice);
        showButtons(choices, [this](size_t choice) { choose(choice); });
    } else if (canPredict && isYesNo) {
        showButtons({tr("Yes"), tr("No")}, [this](size_t choice) {
            predict(choice == 0 ? QStringLiteral("yes") : QStringLiteral("no"));
        });
    } else {
        showButtons({}, {});
    }
    m_prediction->setVisible(canPredict && !isYesNo);
    m_prediction->setPlaceholderText(question.kind == Kind::Blocked ||
                                             question.kind == Kind::Sender ||
                                             question.kind == Kind::Guilty
                                         ? tr("ranks, such as 0, 1")
                                         : tr("a number, then Enter"));
    constexpr int Frame = 28;
    m_prediction->setMinimumWidth(
        m_prediction->fontMetrics().horizontalAdvance(m_prediction->placeholderText()) + Frame);
    m_ask->setVisible(!isDone && !isOpen && standing.asked);
    m_reveal->setVisible(isDone);
    QString note;
    if (isDone)
        note = resultText(standing);
    else if (!standing.asked && !standing.prediction.isEmpty() && !m_isOver)
        note = tr("You say: %1. Run the program on to see.")
                   .arg(standing.prediction == QLatin1String("yes")  ? tr("Yes")
                        : standing.prediction == QLatin1String("no") ? tr("No")
                                                                     : standing.prediction);
    else if (m_recording == nullptr)
        note = tr("The answer comes from your own run.");
    else if (!standing.asked && m_isOver)
        note = standing.whyNot;
    m_note->setText(note);
}

void QuestionPanel::setTexts()
{
    setAccessibleName(tr("Question"));
    m_text->setToolTip(tr("To the answer: A"));
    m_ask->setText(tr("Ask me"));
    m_ask->setToolTip(tr("Goes back to the moment before the answer"));
    m_reveal->setText(tr("Show the step"));
    m_prediction->setAccessibleName(tr("Your prediction"));
    m_previous->setAccessibleName(tr("Previous question"));
    m_next->setAccessibleName(tr("Next question"));
    showCurrent();
}

} // namespace ringmaster::app
