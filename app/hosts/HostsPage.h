#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/hosts/HostListModel.h"
#include "app/widget/Page.h"

#include <QTimer>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace ringmaster::app {

class Banner;
class EmptyState;
class HostCards;
class HostDetails;
class HostsCard;
class MachineBridge;
class PreflightPanel;

/// The hosts that jobs can run on: who they are, what they have, and whether they can run a job
/// together. Asks a host only when it is told to, and then again while the page is looked at.
class HostsPage : public Page
{
    Q_OBJECT

public:
    static PageDescription description();
    explicit HostsPage(EngineBridge& bridge, QWidget* parent = nullptr);
    ~HostsPage() override;

    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    /// The jobs of a host can be shown here; lives as long as the page.
    void setMachines(MachineBridge& machines);
    HostListModel& hosts() { return m_hosts; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void buildHead();
    void connectAll();
    void reload();
    void listed(const Result<std::vector<Host>>& hosts);
    void importHosts();
    void addHost();
    void editHost();
    void openDialog(const Host& host);
    void removeHosts();
    void tellRemoved();
    void putAll(const std::vector<Host>& hosts);
    void watchSelected(bool isWatched);
    void checkSelected();
    void checkAll();
    void check(const std::vector<std::string>& names);
    void lookAgain();
    void runPreflight();
    void complain(const Error& error);
    void forgetRefusal();
    void updateBanner();
    /// Those that are chosen; none: all.
    std::vector<std::string> chosen() const;
    void update();
    void setTexts();

    EngineBridge& m_bridge;
    MachineBridge* m_machines = nullptr;
    HostListModel m_hosts;
    QTimer m_tick; ///< While the page is shown.
    bool m_isChecking = false;
    bool m_isListed = false; ///< Before the list is there, nobody knows whether it is empty.
    std::optional<Error> m_unreadable; ///< Why there is no list.
    std::optional<Error> m_refusal;    ///< Of what was asked for last.
    std::vector<Host> m_removed;       ///< Of those that were to be removed last.
    size_t m_removing = 0;             ///< How many of them aren't answered yet.
    QLabel* m_title;
    QPushButton* m_import;
    QPushButton* m_add;
    QPushButton* m_checkAll;
    Banner* m_banner;
    HostsCard* m_card;
    PreflightPanel* m_preflight;
    HostDetails* m_details;
    HostCards* m_cards; ///< All of them.
    EmptyState* m_empty;
    QPushButton* m_emptyImport;
    QPushButton* m_emptyAdd;
};

} // namespace ringmaster::app
