#pragma once

#include "app/widget/Page.h"

#include <QStackedWidget>

#include <vector>

namespace ringmaster::app {

class EngineBridge;
class Session;

/// The pages of the window, one shown. Each is made when it is first asked for: most of them aren't
/// looked at in a session, and a hidden page takes as long to lay out, style and translate as a
/// shown one. A page's id is its place in the order of the side bar.
class PageStack : public QStackedWidget
{
    Q_OBJECT

public:
    PageStack(EngineBridge& bridge, Session& session, QWidget* parent);

    /// `page`: where it is made already.
    int add(const PageDescription& description, Page* page = nullptr);
    /// Made now if it wasn't.
    Page* page(int id);
    int idOf(const Page* page) const;
    int idOf(const QString& key) const; ///< Negative: there is none.
    QString key(const Page* page) const { return descriptionOf(page).key; }
    QString title(const Page* page) const { return descriptionOf(page).title(); }
    const std::vector<PageDescription>& descriptions() const { return m_descriptions; }
    QList<Page*> made() const;
    Page* current() const { return qobject_cast<Page*>(currentWidget()); }

    void showPage(Page* page);
    /// Those that are made later take theirs then.
    void restoreStates();
    void saveStates();

Q_SIGNALS:
    void pageMade(ringmaster::app::Page* page);

private:
    const PageDescription& descriptionOf(const Page* page) const;

    EngineBridge& m_bridge;
    Session& m_session;
    std::vector<PageDescription> m_descriptions;
    std::vector<Page*> m_pages; ///< By id; null: not made yet.
    bool m_isRestored = false;
};

} // namespace ringmaster::app
