#pragma once

#include "app/widget/Card.h"
#include "engine/job/JobSpec.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace ringmaster::app {

/// The job as a torchrun command line, and what such a line can't say.
class CommandPanel : public Card
{
    Q_OBJECT

public:
    explicit CommandPanel(QWidget* parent = nullptr);

    void setJob(const JobSpec& spec);
    QString command() const;

private:
    void render();
    void setTexts();

    JobSpec m_spec;
    QPlainTextEdit* m_command;
    QLabel* m_missing;
    QToolButton* m_copy;
};

} // namespace ringmaster::app
