#include "app/widget/PanelPlace.h"

#include "app/widget/Card.h"
#include "app/widget/PanelButton.h"
#include "app/widget/Translated.h"

#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTabBar>

#include <algorithm>

namespace ringmaster::app {

namespace {

QStringList keysOf(const QTabBar& tabs)
{
    QStringList keys;
    for (int tab = 0; tab < tabs.count(); ++tab)
        keys << tabs.tabData(tab).toString();
    return keys;
}

} // namespace

PanelPlace::PanelPlace(const std::vector<GridPanel>& panels, QWidget* parent)
    : QWidget(parent), m_panels(panels), m_stack(new QStackedLayout(this))
{
    for (const GridPanel& panel : m_panels) {
        m_stack->addWidget(panel.card);
        m_heads.push_back(makeHead(panel));
        connect(panel.card, &Card::titleChanged, this, &PanelPlace::setTexts);
        connect(panel.card, &Card::availabilityChanged, this, &PanelPlace::updateTabs);
        connect(panel.card, &Card::heightChanged, this, &PanelPlace::changed);
        connect(panel.card, &Card::headDoubleClicked, this, &PanelPlace::maximiseRequested);
    }
    updateTabs();
    translated(this, [this] { setTexts(); });
}

PanelPlace::Head PanelPlace::makeHead(const GridPanel& panel)
{
    Head head;
    if (m_panels.size() > 1) {
        head.tabs = new QTabBar(panel.card);
        head.tabs->setDrawBase(false);
        head.tabs->setExpanding(false);
        // Beside a long subtitle they would be cut off, with arrows.
        head.tabs->setUsesScrollButtons(false);
        panel.card->putFirstInHeader(head.tabs);
        connect(head.tabs, &QTabBar::currentChanged, this,
                [this, tabs = head.tabs](int index) { choose(tabs, index); });
    }
    head.fold = new PanelButton(PanelButton::Shape::Fold, panel.card);
    head.maximise = new PanelButton(PanelButton::Shape::Maximise, panel.card);
    panel.card->addHeaderWidget(head.fold);
    panel.card->addHeaderWidget(head.maximise);
    connect(head.fold, &QToolButton::clicked, this, &PanelPlace::foldRequested);
    connect(head.maximise, &QToolButton::clicked, this, &PanelPlace::maximiseRequested);
    return head;
}

bool PanelPlace::isTab(const GridPanel& panel) const
{
    return panel.card->isAvailable() && isShown(panel.key);
}

bool PanelPlace::hasAny() const
{
    return std::ranges::any_of(m_panels, [this](const GridPanel& panel) { return isTab(panel); });
}

bool PanelPlace::has(const QString& panel) const
{
    return std::ranges::find(m_panels, panel, &GridPanel::key) != m_panels.end();
}

const GridPanel& PanelPlace::current() const
{
    return m_panels[static_cast<size_t>(m_stack->currentIndex())];
}

void PanelPlace::setShown(const QString& panel, bool isShown)
{
    if (isShown)
        m_hidden.remove(panel);
    else
        m_hidden.insert(panel);
    updateTabs();
}

void PanelPlace::setFolded(bool isFolded)
{
    if (std::exchange(m_isFolded, isFolded) != isFolded)
        Q_EMIT changed();
}

void PanelPlace::setMaximised(bool isMaximised)
{
    m_isMaximised = isMaximised;
    for (const Head& head : m_heads) {
        head.fold->setVisible(!isMaximised);
        head.maximise->setShape(isMaximised ? PanelButton::Shape::Restore
                                            : PanelButton::Shape::Maximise);
    }
    setTexts();
}

void PanelPlace::bringForward(const QString& panel)
{
    const auto wanted = std::ranges::find(m_panels, panel, &GridPanel::key);
    if (wanted == m_panels.end())
        return;
    m_stack->setCurrentWidget(wanted->card);
    updateTabs();
}

/// The tabs of a panel stand for that panel, so they go back to it; the other panel has its own.
void PanelPlace::choose(const QTabBar* tabs, int index)
{
    const bool hadFocus = tabs->hasFocus();
    bringForward(tabs->tabData(index).toString());
    const Head& head = m_heads[static_cast<size_t>(m_stack->currentIndex())];
    if (hadFocus)
        head.tabs->setFocus();
}

void PanelPlace::updateTabs()
{
    std::vector<const GridPanel*> shown;
    QStringList keys;
    for (const GridPanel& panel : m_panels) {
        if (!isTab(panel))
            continue;
        shown.push_back(&panel);
        keys << panel.key;
    }
    if (!shown.empty() && !isTab(current()))
        m_stack->setCurrentWidget(shown.front()->card);
    for (size_t i = 0; i < m_heads.size(); ++i) {
        QTabBar* tabs = m_heads[i].tabs;
        if (tabs == nullptr)
            continue;
        const QSignalBlocker blocker(tabs);
        if (keysOf(*tabs) != keys) {
            while (tabs->count() > 0)
                tabs->removeTab(0);
            for (const GridPanel* panel : shown)
                tabs->setTabData(tabs->addTab(panel->card->title()), panel->key);
        }
        tabs->setCurrentIndex(static_cast<int>(keys.indexOf(m_panels[i].key)));
        tabs->setVisible(shown.size() > 1);
        m_panels[i].card->setTitleShown(shown.size() <= 1);
    }
    Q_EMIT changed();
}

void PanelPlace::setTexts()
{
    for (size_t i = 0; i < m_heads.size(); ++i) {
        const QString title = m_panels[i].card->title();
        const Head& head = m_heads[i];
        head.fold->setToolTip(tr("Fold to a button below"));
        head.fold->setAccessibleName(tr("Fold %1").arg(title));
        head.maximise->setToolTip(m_isMaximised ? tr("Show all panels again (Esc)")
                                                : tr("Only this panel (F11)"));
        head.maximise->setAccessibleName(m_isMaximised ? tr("Show all panels again")
                                                       : tr("Maximise %1").arg(title));
        if (head.tabs == nullptr)
            continue;
        head.tabs->setAccessibleName(tr("Panels in this place"));
        for (int tab = 0; tab < head.tabs->count(); ++tab) {
            const auto panel =
                std::ranges::find(m_panels, head.tabs->tabData(tab).toString(), &GridPanel::key);
            if (panel != m_panels.end())
                head.tabs->setTabText(tab, panel->card->title());
        }
    }
}

} // namespace ringmaster::app
