#pragma once

#include <QToolButton>

namespace ringmaster::app {

/// A small button in the head of a panel: folds it, or gives it the whole page. With the keyboard
/// the menu does the same, so it takes no focus.
class PanelButton : public QToolButton
{
    Q_OBJECT

public:
    enum class Shape { Fold, Maximise, Restore };

    explicit PanelButton(Shape shape, QWidget* parent = nullptr);

    void setShape(Shape shape);
    QSize sizeHint() const override { return {24, 24}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Shape m_shape;
};

} // namespace ringmaster::app
