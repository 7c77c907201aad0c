#pragma once

#include "engine/base/Result.h"
#include "engine/hosts/Host.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace ringmaster::app {

/// The names of ~/.ssh/config that stand for one host, to choose from. They come a little later.
class ImportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ImportDialog(QWidget* parent = nullptr);

    void setNames(const Result<std::vector<std::string>>& names);
    /// Those that were chosen.
    std::vector<Host> hosts() const;

private:
    void update();

    QLabel* m_text;
    QListWidget* m_names;
    QLineEdit* m_groups;
    QSpinBox* m_slots;
    QDialogButtonBox* m_buttons;
};

} // namespace ringmaster::app
