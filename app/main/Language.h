#pragma once

#include <QObject>
#include <QTranslator>

namespace ringmaster::app {

/// The language of the dashboard; changed without a restart: every widget sets its texts again.
class Language : public QObject
{
    Q_OBJECT

public:
    enum class Choice { System, English, Japanese };

    explicit Language(QObject* parent = nullptr);
    ~Language() override;

    void choose(Choice choice);
    Choice choice() const { return m_choice; }

private:
    Choice m_choice = Choice::System;
    QTranslator m_ours;
    QTranslator m_qt; ///< Qt's own dialogs
};

} // namespace ringmaster::app
