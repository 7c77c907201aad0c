#include "app/main/PageStack.h"

#include "app/main/Session.h"

#include <algorithm>

namespace ringmaster::app {

PageStack::PageStack(EngineBridge& bridge, Session& session, QWidget* parent)
    : QStackedWidget(parent), m_bridge(bridge), m_session(session)
{
}

int PageStack::add(const PageDescription& description, Page* page)
{
    m_descriptions.push_back(description);
    m_pages.push_back(page);
    if (page != nullptr) {
        page->setObjectName(description.key);
        addWidget(page);
    }
    return static_cast<int>(m_pages.size()) - 1;
}

Page* PageStack::page(int id)
{
    Page*& page = m_pages.at(static_cast<size_t>(id));
    if (page == nullptr) {
        const PageDescription& description = m_descriptions[static_cast<size_t>(id)];
        page = description.make(m_bridge, this);
        page->setObjectName(description.key);
        page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
        addWidget(page);
        if (m_isRestored)
            page->restoreState(m_session.pageState(description.key));
        Q_EMIT pageMade(page);
    }
    return page;
}

int PageStack::idOf(const Page* page) const
{
    return static_cast<int>(std::ranges::find(m_pages, page) - m_pages.begin());
}

const PageDescription& PageStack::descriptionOf(const Page* page) const
{
    return m_descriptions[static_cast<size_t>(idOf(page))];
}

int PageStack::idOf(const QString& key) const
{
    const auto found = std::ranges::find(m_descriptions, key, &PageDescription::key);
    return found == m_descriptions.end() ? -1 : static_cast<int>(found - m_descriptions.begin());
}

QList<Page*> PageStack::made() const
{
    QList<Page*> made;
    std::ranges::copy_if(m_pages, std::back_inserter(made),
                         [](const Page* page) { return page != nullptr; });
    return made;
}

void PageStack::showPage(Page* page)
{
    const bool isOther = currentWidget() != page;
    QWidget* wanted = page->focusWidget();
    // The window is as small as the page that is shown can be, whatever the others need.
    for (Page* each : made()) {
        const auto policy = each == page ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        each->setSizePolicy(policy, policy);
    }
    setCurrentWidget(page);
    // Else the first button would have the focus, and look chosen.
    if (isOther)
        (wanted != nullptr ? wanted : page)->setFocus();
}

void PageStack::restoreStates()
{
    m_isRestored = true;
    for (Page* page : made())
        page->restoreState(m_session.pageState(key(page)));
}

void PageStack::saveStates()
{
    for (const Page* page : made())
        m_session.setPageState(key(page), page->saveState());
}

} // namespace ringmaster::app
