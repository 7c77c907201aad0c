#include "tests/app/JobTest.h"

#include "app/widget/Card.h"

#include <QtTest>

namespace ringmaster::app {

void JobTest::init()
{
    useTemporarySettings();
    m_dashboard = std::make_unique<Window>();
    m_dashboard->language.choose(Language::Choice::English);
    m_dashboard->window.show();
}

QTableView* JobTest::table(const char* name)
{
    return m_dashboard->find<QTableView>(QString::fromLatin1(name));
}

QModelIndex JobTest::tableIndex(int row, int column)
{
    return table("Operations")->model()->index(row, column);
}

QAbstractButton* JobTest::button(const char* card, const char* text)
{
    for (Card* candidate : page().findChildren<Card*>()) {
        if (candidate->accessibleName() != QLatin1String(card))
            continue;
        for (QAbstractButton* button : candidate->findChildren<QAbstractButton*>()) {
            if (button->text() == QLatin1String(text))
                return button;
        }
    }
    return nullptr;
}

void JobTest::press(const char* card, const char* text)
{
    QTest::mouseClick(button(card, text), Qt::LeftButton);
}

void JobTest::open(const std::string& run)
{
    m_dashboard->cluster.settle();
    QTRY_VERIFY(m_dashboard->bridge.find(run) != nullptr);
    m_dashboard->window.showRun(QString::fromStdString(run));
    const std::uint64_t last = m_dashboard->cluster.sequenceOf(run);
    QTRY_COMPARE(page().run().snapshot().lastSequence, last);
}

void JobTest::openWithCollectives()
{
    const std::string run = m_dashboard->scenario.restartedAndRunning();
    m_dashboard->scenario.collectives(run);
    open(run);
}

} // namespace ringmaster::app
