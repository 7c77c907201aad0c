#pragma once

#include "app/learn/LessonListModel.h"
#include "app/learn/LessonPlayer.h"
#include "app/widget/Card.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace ringmaster::app {

class ProgramEditor;
class ProgramOutput;

/// The learner's version of a lesson's program, with where each rank is in it, what it has printed,
/// and the Python that runs it. Of a recorded job, the lines that are known, to be read.
class ProgramCard : public Card
{
    Q_OBJECT

public:
    explicit ProgramCard(QWidget* parent = nullptr);

    ProgramEditor& editor() { return *m_editor; }
    /// Nothing before it can be undone.
    void setProgram(const LessonProgram& program);
    /// Another text for the same program; the learner can undo it.
    void reset(const std::string& source);
    /// Instead of a program: pieces of one, under their own numbers.
    void setCode(const std::vector<lesson::CodeLines>& code);
    LessonProgram program() const;
    /// By the learner.
    bool isChanged() const;
    QString interpreter() const;
    void setInterpreter(const QString& interpreter);
    void setRunning(bool isRunning);
    /// Pointers and troubles of the moment at which the player stands.
    void show(const LessonPlayer& player);
    /// Long lines go on below.
    void setNarrow(bool isNarrow);
    void setTypeSize(int pixels);

Q_SIGNALS:
    void resetWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void setTexts();
    void setReadOnly(bool isReadOnly);
    /// Of a place in the program; 0: it isn't there.
    int lineOf(const LessonPlayer& player, const lesson::RankState& rank) const;

    QToolButton* m_reset;
    ProgramEditor* m_editor;
    ProgramOutput* m_output;
    QLabel* m_interpreterLabel;
    QComboBox* m_interpreter;
    std::string m_origin;                                   ///< Of the program.
    std::map<std::pair<std::string, int>, int> m_codeLines; ///< Of a recorded job: file and number.
};

} // namespace ringmaster::app
