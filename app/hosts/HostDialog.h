#pragma once

#include "engine/hosts/Host.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace ringmaster::app {

class WarningLabel;

/// One host of the book as a form. It stays open until what it says has been taken.
class HostDialog : public QDialog
{
    Q_OBJECT

public:
    /// `host` without a name: a new one, whose name is none of `taken`.
    explicit HostDialog(const Host& host, const std::vector<std::string>& taken = {},
                        QWidget* parent = nullptr);

    Host host() const;
    /// The book has refused it.
    void complain(const QString& why);

Q_SIGNALS:
    void saveRequested();

private:
    void build();
    void addRows();
    void show(const Host& host);
    void update();
    QString mistake() const;

    const bool m_isNew;
    const std::vector<std::string> m_taken;
    QLineEdit* m_name;
    QLineEdit* m_destination;
    QSpinBox* m_slots;
    QLineEdit* m_groups;
    QLineEdit* m_interpreter;
    QLineEdit* m_code;
    QComboBox* m_sync;
    QPlainTextEdit* m_exclude;
    QLineEdit* m_interface;
    QLineEdit* m_address;
    QPlainTextEdit* m_environment;
    WarningLabel* m_mistake;
    QDialogButtonBox* m_buttons;
};

} // namespace ringmaster::app
