#pragma once

#include "app/model/LogLineFinder.h"

#include <QDialog>

class QComboBox;
class QSpinBox;

namespace ringmaster::app {

/// Asks which line of which worker's output somebody wants to see.
class LineDialog : public QDialog
{
    Q_OBJECT

public:
    /// `line` is what it begins with.
    LineDialog(const LogLineFinder::Line& line, int ranks, QWidget* parent);

Q_SIGNALS:
    void chosen(const ringmaster::app::LogLineFinder::Line& line);

private:
    LogLineFinder::Line m_line;
    QSpinBox* m_rank;
    QComboBox* m_stream;
    QSpinBox* m_number;
};

} // namespace ringmaster::app
