#pragma once

#include <QComboBox>

namespace ringmaster::app {

class AttemptChoice;

/// All attempts of a run, or one of them; not there while there is only one.
class AttemptPicker : public QComboBox
{
    Q_OBJECT

public:
    explicit AttemptPicker(AttemptChoice& choice, QWidget* parent = nullptr);

private:
    void fill();

    AttemptChoice& m_choice;
};

} // namespace ringmaster::app
