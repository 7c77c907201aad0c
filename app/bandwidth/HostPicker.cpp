#include "app/bandwidth/HostPicker.h"

#include "app/widget/Card.h"
#include "app/widget/FieldText.h"
#include "app/widget/Translated.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

#include <algorithm>
#include <set>

namespace ringmaster::app {

namespace {

/// What is checked leaves it open; Escape and a click beside it close it.
class StayingMenu : public QMenu
{
public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        QAction* action = actionAt(event->pos());
        if (action == nullptr || !action->isCheckable())
            return QMenu::mouseReleaseEvent(event);
        action->trigger();
    }

    void keyPressEvent(QKeyEvent* event) override
    {
        const bool isChoice = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return ||
                              event->key() == Qt::Key_Enter;
        if (!isChoice || activeAction() == nullptr || !activeAction()->isCheckable())
            return QMenu::keyPressEvent(event);
        activeAction()->trigger();
    }
};

} // namespace

HostPicker::HostPicker(QWidget* parent) : QToolButton(parent), m_menu(new StayingMenu(this))
{
    setLook(this, "button");
    setPopupMode(QToolButton::InstantPopup);
    setMenu(m_menu);
    translated(this, [this] { fillMenu(); });
}

void HostPicker::setHosts(const std::vector<Host>& hosts)
{
    const std::vector<std::string> before = m_chosen;
    m_hosts = hosts;
    std::erase_if(m_chosen, [&](const std::string& name) {
        return std::ranges::find(m_hosts, name, &Host::name) == m_hosts.end();
    });
    fillMenu();
    if (m_chosen != before)
        Q_EMIT chosenChanged();
}

void HostPicker::choose(const std::vector<std::string>& hosts)
{
    if (hosts == m_chosen)
        return;
    m_chosen = hosts;
    refresh();
    Q_EMIT chosenChanged();
}

void HostPicker::toggle(const std::string& host)
{
    std::vector<std::string> chosen;
    for (const Host& each : m_hosts) {
        const bool isChosen = std::ranges::count(m_chosen, each.name) > 0;
        if (isChosen != (each.name == host))
            chosen.push_back(each.name);
    }
    choose(chosen);
}

std::vector<std::string> HostPicker::membersOf(const std::string& group) const
{
    std::vector<std::string> members;
    for (const Host& host : m_hosts)
        if (std::ranges::count(host.groups, group) > 0)
            members.push_back(host.name);
    return members;
}

void HostPicker::addChoice(const QString& text, const std::function<bool()>& isChosen,
                           const std::function<void()>& choose)
{
    QAction* action = m_menu->addAction(text);
    action->setCheckable(true);
    m_choices.emplace_back(action, isChosen);
    connect(action, &QAction::triggered, this, [this, choose] {
        choose();
        refresh();
    });
}

void HostPicker::fillMenu()
{
    m_menu->clear();
    m_choices.clear();
    addChoice(
        tr("this machine"), [this] { return m_chosen.empty(); }, [this] { choose({}); });
    m_menu->addSeparator();
    std::set<std::string> groups;
    for (const Host& host : m_hosts) {
        groups.insert(host.groups.begin(), host.groups.end());
        addChoice(
            QString::fromStdString(host.name),
            [this, name = host.name] { return std::ranges::count(m_chosen, name) > 0; },
            [this, name = host.name] { toggle(name); });
    }
    if (!groups.empty())
        m_menu->addSeparator();
    for (const std::string& group : groups)
        addChoice(
            tr("all of %1").arg(QString::fromStdString(group)),
            [this, group] { return m_chosen == membersOf(group); },
            [this, group] { choose(membersOf(group)); });
    if (m_hosts.empty())
        m_menu->addAction(tr("Other machines are added on the Hosts page"))->setEnabled(false);
    refresh();
}

void HostPicker::refresh()
{
    for (const auto& [action, isChosen] : m_choices)
        action->setChecked(isChosen());
    const QString where = m_chosen.empty()      ? tr("this machine")
                          : m_chosen.size() < 3 ? listText(m_chosen)
                                                : tr("%n hosts", "between which is measured",
                                                     static_cast<int>(m_chosen.size()));
    setText(where + QStringLiteral(" ▾"));
    setToolTip(m_chosen.empty() ? tr("Where the workers run: here, or on hosts over ssh")
                                : listText(m_chosen));
}

} // namespace ringmaster::app
