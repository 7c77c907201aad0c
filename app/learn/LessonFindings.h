#pragma once

#include "app/learn/LessonChecker.h"
#include "app/widget/Card.h"

class QListWidget;

namespace ringmaster::app {

/// What is wrong with a lesson, a row an error; Enter or a click leads to its line.
class LessonFindings : public Card
{
    Q_OBJECT

public:
    explicit LessonFindings(QWidget* parent = nullptr);

    void setChecking();
    void setFindings(const std::vector<LessonFinding>& findings, const QString& programName);
    const std::vector<LessonFinding>& findings() const { return m_findings; }
    /// The one behind this line, or the first one; nothing: there is none with a line.
    const LessonFinding* next(bool isInProgram, int line) const;

Q_SIGNALS:
    void chosen(bool isInProgram, int line);

private:
    QString rowText(const LessonFinding& finding) const;
    void fill();
    void setTexts();

    std::vector<LessonFinding> m_findings;
    QString m_programName;
    bool m_isChecking = true;
    QListWidget* m_list;
};

} // namespace ringmaster::app
