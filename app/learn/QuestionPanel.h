#pragma once

#include "engine/lesson/Questions.h"

#include <QFrame>

#include <functional>
#include <optional>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace ringmaster::app {

/// Predict, then reveal: the questions of a lesson, one at a time. A prediction made before the
/// program has come there is judged when it does; one made afterwards chooses among answers, with
/// the recording at the moment before.
class QuestionPanel : public QFrame
{
    Q_OBJECT

public:
    explicit QuestionPanel(QWidget* parent = nullptr);

    void setQuestions(const std::vector<lesson::Question>& questions);
    /// Another run: what was predicted of the last one is void.
    void forget();
    /// What is known by now; null: nothing has run. `isOver`: nothing more comes.
    void setRecording(const lesson::Recording* recording, bool isOver);
    void setCurrent(size_t question);
    /// Shows it, if it has neither been shown so in this run nor predicted nor answered. False: it
    /// isn't asked again.
    bool offer(size_t question);
    size_t current() const { return m_current; }
    bool isPredicted(size_t question) const;
    bool isAnswered(size_t question) const;
    void focusAnswer();

Q_SIGNALS:
    void answered(size_t question, bool isRight);
    /// What was typed or pressed goes; the keyboard is wanted elsewhere.
    void answerTaken();
    /// Look at this step of the recording.
    void stepWanted(size_t step);

private:
    struct Standing
    {
        QString prediction{};
        std::optional<size_t> choice{};
        std::optional<bool> isRight{};
        std::optional<lesson::Asked> asked{};
        QString whyNot{};
        bool isOpen = false; ///< Its choices are shown.
        bool isOffered = false;
    };

    void evaluate(size_t question);
    void judge(size_t question, std::optional<size_t> choice, bool isRight);
    void predict(const QString& prediction);
    void choose(size_t choice);
    void open();
    void showCurrent();
    void showButtons(const QStringList& texts, const std::function<void(size_t)>& chosen);
    QString resultText(const Standing& standing) const;
    void setTexts();

    std::vector<lesson::Question> m_questions;
    std::vector<Standing> m_standings;
    const lesson::Recording* m_recording = nullptr;
    size_t m_seen = 0;
    bool m_isOver = false;
    size_t m_current = 0;

    QLabel* m_text;
    QLabel* m_note;
    QWidget* m_choices;
    QHBoxLayout* m_choiceLayout;
    QLineEdit* m_prediction;
    QPushButton* m_ask;
    QPushButton* m_reveal;
    QToolButton* m_previous;
    QToolButton* m_next;
};

} // namespace ringmaster::app
