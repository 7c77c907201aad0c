#pragma once

#include "engine/job/JobSpec.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QPlainTextEdit;

namespace ringmaster::app {

/// A torchrun command out of a terminal, a script or a web page becomes a job; it is read as it is
/// typed.
class PasteDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PasteDialog(QWidget* parent = nullptr);

    void setText(const QString& command);
    const JobSpec& job() const { return m_spec; }

private:
    void read();

    JobSpec m_spec;
    QPlainTextEdit* m_text;
    QLabel* m_verdict;
    QDialogButtonBox* m_buttons;
};

} // namespace ringmaster::app
