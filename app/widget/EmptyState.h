#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace ringmaster::app {

/// What stands where nothing is yet: what will be here, and the ways to get it.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr, int textWidth = 440);

    void setTexts(const QString& headline, const QString& text);
    QPushButton* addButton(bool primary);

private:
    const int m_textWidth;
    QLabel* m_headline;
    QLabel* m_text;
    QHBoxLayout* m_buttons;
};

} // namespace ringmaster::app
