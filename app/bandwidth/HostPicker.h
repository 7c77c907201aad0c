#pragma once

#include "engine/hosts/Host.h"

#include <QToolButton>

#include <functional>

class QMenu;

namespace ringmaster::app {

/// Where something is measured: on this machine or between hosts of the book, in the order of the
/// book. Its menu stays open while several are chosen.
class HostPicker : public QToolButton
{
    Q_OBJECT

public:
    explicit HostPicker(QWidget* parent = nullptr);

    /// Who isn't in the book any more is no longer chosen, either.
    void setHosts(const std::vector<Host>& hosts);

    /// Names; empty: this machine.
    const std::vector<std::string>& chosen() const { return m_chosen; }
    void choose(const std::vector<std::string>& hosts);

Q_SIGNALS:
    void chosenChanged();

private:
    void fillMenu();
    void addChoice(const QString& text, const std::function<bool()>& isChosen,
                   const std::function<void()>& choose);
    void toggle(const std::string& host);
    std::vector<std::string> membersOf(const std::string& group) const;
    /// The marks of the menu, which may be open, and the button's text.
    void refresh();

    std::vector<Host> m_hosts;
    std::vector<std::string> m_chosen;
    QMenu* m_menu;
    std::vector<std::pair<QAction*, std::function<bool()>>> m_choices;
};

} // namespace ringmaster::app
