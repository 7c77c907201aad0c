#pragma once

#include <QWidget>

#include <vector>

namespace ringmaster::app {

class FlowLayout;
class PanelPlace;

/// A button for each place of a page whose panels are folded.
class FoldedBar : public QWidget
{
    Q_OBJECT

public:
    explicit FoldedBar(QWidget* parent = nullptr);

    /// Buttons that stay keep the focus.
    void setPlaces(const std::vector<PanelPlace*>& folded);
    bool isEmpty() const;

Q_SIGNALS:
    void unfoldRequested(const QString& panel);

private:
    FlowLayout* m_buttons;
};

} // namespace ringmaster::app
