#pragma once

#include <QLabel>

namespace ringmaster::app {

/// A sentence beside a field that says what is wrong and what to do: in the colour and with the
/// shape of a warning.
class WarningLabel : public QLabel
{
    Q_OBJECT

public:
    explicit WarningLabel(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace ringmaster::app
