#pragma once

#include <QFormLayout>
#include <QLabel>
#include <QWidget>

#include <utility>
#include <vector>

namespace ringmaster::app {

/// Rows of the job's form: a label and a field. The labels of all of them have one width.
class FormRows : public QWidget
{
    Q_OBJECT

public:
    explicit FormRows(QWidget* parent = nullptr);

    /// The widget of a field such as "slurm.time"; null when it isn't here.
    virtual QWidget* fieldWidget(const QString& key) const;

protected:
    using Field = std::pair<const char*, QWidget*>;

    /// What the fields are called in findings; one leads there whose name begins so, too.
    void setFields(std::initializer_list<Field> fields) { m_fields = fields; }
    /// A row whose label is set by the returned label's text; the label names the field for screen
    /// readers.
    QLabel* addRow(QWidget* field);
    QLabel* addRow(QLayout* fields, QWidget* first);
    static void label(QLabel* label, QWidget* field, const QString& text);
    QFormLayout& form() const { return *m_form; }
    /// All of them, to be hidden together.
    QWidget& rows() const { return *m_rows; }

private:
    QLabel* makeLabel(QWidget* buddy);

    QWidget* m_rows;
    QFormLayout* m_form;
    std::vector<Field> m_fields;
};

} // namespace ringmaster::app
