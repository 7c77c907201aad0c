#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/hosts/HostListModel.h"
#include "app/widget/Page.h"

#include <QTimer>

#include <map>

class QLabel;
class QPushButton;
class QScrollArea;
class QSplitter;

namespace ringmaster::app {

class Banner;
class EmptyState;
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

    QString title() const override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    /// The jobs of a host can be shown here; lives as long as the page.
    void setMachines(MachineBridge& machines);
    const HostListModel& hosts() const { return m_hosts; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

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
    void put(const Host& host);
    void watchSelected(bool isWatched);
    void checkSelected();
    void checkAll();
    void check(const std::vector<std::string>& names);
    void lookAgain();
    void runPreflight();
    void complain(const Error& error);
    /// Those that are chosen; none: all.
    std::vector<std::string> chosen() const;
    void update();
    void arrange();
    void share(int hosts, int preflight);
    void showMoved();
    void setTexts();

    EngineBridge& m_bridge;
    MachineBridge* m_machines = nullptr;
    HostListModel m_hosts;
    QTimer m_tick; ///< While the page is shown.
    bool m_isChecking = false;
    QLabel* m_title;
    QPushButton* m_import;
    QPushButton* m_add;
    QPushButton* m_checkAll;
    Banner* m_banner;
    QScrollArea* m_scroll = nullptr;               ///< Around the cards.
    QSplitter* m_cards;                            ///< One below the other, or beside each other.
    std::map<Qt::Orientation, QList<int>> m_moved; ///< Sizes that somebody has given them.
    HostsCard* m_card;
    PreflightPanel* m_preflight;
    EmptyState* m_empty;
    QPushButton* m_emptyImport;
    QPushButton* m_emptyAdd;
};

} // namespace ringmaster::app
