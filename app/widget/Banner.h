#pragma once

#include "engine/event/Event.h"

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QHBoxLayout;
class QPushButton;

namespace ringmaster::app {

/// A standing condition above a page: what happened, what to do, and the details on demand.
class Banner : public QFrame
{
    Q_OBJECT

public:
    explicit Banner(QWidget* parent = nullptr);

    /// `headline` is bold, `text` follows it; `details` (a traceback) may be empty.
    void show(Notice::Severity severity, const QString& headline, const QString& text,
              const QString& details);
    void clear();
    void addButton(QPushButton* button);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showDetails(bool shown);

    Notice::Severity m_severity = Notice::Severity::Info;
    QString m_plainText;
    QLabel* m_label;
    QPushButton* m_detailsButton;
    QPushButton* m_copyButton;
    QPlainTextEdit* m_details;
    QHBoxLayout* m_row;
};

} // namespace ringmaster::app
