#pragma once

#include <QSet>
#include <QWidget>

#include <vector>

class QStackedLayout;
class QTabBar;

namespace ringmaster::app {

class Card;
class PanelButton;

/// One panel of a page.
struct GridPanel
{
    QString key{}; ///< Under which its state is kept between sessions.
    Card* card = nullptr;
};

/// A place on a page of panels: one panel, or several as tabs of which one is in front. Puts the
/// tabs and the buttons into the heads of its panels.
class PanelPlace : public QWidget
{
    Q_OBJECT

public:
    explicit PanelPlace(const std::vector<GridPanel>& panels, QWidget* parent = nullptr);

    void setShown(const QString& panel, bool isShown);
    void setFolded(bool isFolded);
    void setMaximised(bool isMaximised);
    /// Of its tabs.
    void bringForward(const QString& panel);

    const std::vector<GridPanel>& panels() const { return m_panels; }
    bool has(const QString& panel) const;
    /// Not hidden by the user; what isn't available counts as shown.
    bool isShown(const QString& panel) const { return !m_hidden.contains(panel); }
    bool isFolded() const { return m_isFolded; }
    /// There is something that may be seen, were it not folded.
    bool hasAny() const;
    const GridPanel& current() const;

Q_SIGNALS:
    /// What is shown of it, or where, is something else.
    void changed();
    void foldRequested();
    void maximiseRequested();

private:
    /// What each panel has in its head.
    struct Head
    {
        QTabBar* tabs = nullptr;
        PanelButton* fold = nullptr;
        PanelButton* maximise = nullptr;
    };

    Head makeHead(const GridPanel& panel);
    void updateTabs();
    void setTexts();
    void choose(const QTabBar* tabs, int index);
    bool isTab(const GridPanel& panel) const;

    std::vector<GridPanel> m_panels;
    std::vector<Head> m_heads;
    QSet<QString> m_hidden;
    bool m_isFolded = false;
    bool m_isMaximised = false;
    QStackedLayout* m_stack;
};

} // namespace ringmaster::app
