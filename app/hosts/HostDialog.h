#pragma once

#include "engine/job/Host.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace ringmaster::app {

/// One host of the book as a form.
class HostDialog : public QDialog
{
    Q_OBJECT

public:
    /// Without a host, a new one.
    explicit HostDialog(const Host& host, QWidget* parent = nullptr);

    Host host() const;

private:
    void build();
    void show(const Host& host);
    void update();

    const bool m_isNew;
    QLineEdit* m_name;
    QLineEdit* m_destination;
    QSpinBox* m_slots;
    QLineEdit* m_groups;
    QLineEdit* m_interpreter;
    QLineEdit* m_code;
    QComboBox* m_sync;
    QLineEdit* m_exclude;
    QLineEdit* m_interface;
    QLineEdit* m_address;
    QPlainTextEdit* m_environment;
    QDialogButtonBox* m_buttons;
};

} // namespace ringmaster::app
