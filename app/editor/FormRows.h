#pragma once

#include <QFormLayout>
#include <QLabel>
#include <QWidget>

namespace ringmaster::app {

/// Rows of the job's form: a label and a field. The labels of all of them have one width.
class FormRows : public QWidget
{
    Q_OBJECT

public:
    explicit FormRows(QWidget* parent = nullptr);

protected:
    /// A row whose label is set by the returned label's text; the label names the field for screen
    /// readers.
    QLabel* addRow(QWidget* field);
    QLabel* addRow(QLayout* fields, QWidget* first);
    static void label(QLabel* label, QWidget* field, const QString& text);
    QFormLayout& form() const { return *m_form; }

private:
    QLabel* makeLabel(QWidget* buddy);

    QFormLayout* m_form;
};

} // namespace ringmaster::app
