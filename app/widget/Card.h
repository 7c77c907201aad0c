#pragma once

#include <QFrame>

class QHBoxLayout;
class QVBoxLayout;
class QLabel;

namespace ringmaster::app {

class ElidedLabel;

/// A framed part of a page: title, a subtitle that gives way, actions at the right, content below.
class Card : public QFrame
{
    Q_OBJECT

public:
    explicit Card(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setSubtitle(const QString& subtitle);
    /// In a narrow card all of its room goes to what stands at the right.
    void setSubtitleDispensable();
    void addHeaderWidget(QWidget* widget);
    QVBoxLayout* content() const { return m_content; }

private:
    QLabel* m_title;
    ElidedLabel* m_subtitle;
    QHBoxLayout* m_header;
    QVBoxLayout* m_content;
};

/// Marks a widget for the style sheet: "primary", "flat", "muted" …
void setLook(QWidget* widget, const char* look);

} // namespace ringmaster::app
