#pragma once

#include "engine/lesson/FaultAnswers.h"

#include <QDialog>

class QButtonGroup;

namespace ringmaster::app {

/// Asks what a fault will lead to and who will find its rank, before it is made. Not answered, not
/// made.
class FaultQuestion : public QDialog
{
    Q_OBJECT

public:
    FaultQuestion(const InjectFault& fault, QWidget* parent);

    lesson::FaultOutcome outcome() const;
    lesson::FaultWitness witness() const;

private:
    QButtonGroup* ask(const QString& question, const QStringList& answers);

    QButtonGroup* m_outcome;
    QButtonGroup* m_witness;
};

} // namespace ringmaster::app
