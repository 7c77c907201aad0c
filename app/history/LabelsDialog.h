#pragma once

#include "engine/record/RunSummary.h"

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;

namespace ringmaster::app {

/// What is written on a run: its name, tags and a note.
class LabelsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit LabelsDialog(const RunSummary& run, QWidget* parent = nullptr);

    RunLabels labels() const;

private:
    QLineEdit* m_name;
    QLineEdit* m_tags;
    QPlainTextEdit* m_note;
};

} // namespace ringmaster::app
