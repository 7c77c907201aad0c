#include "tests/app/LearnTest.h"

#include <QtTest>

namespace ringmaster::app {

void LearnTest::initTestCase()
{
    useTemporarySettings();
    qputenv("XDG_STATE_HOME", QFile::encodeName(m_folder.filePath(QStringLiteral("state"))));
}

void LearnTest::init()
{
    m_learn = std::make_unique<LearnWindow>();
    QVERIFY(m_learn->open());
    m_page = &m_learn->page();
    m_dashboard = &m_learn->dashboard();
}

void LearnTest::save(const QString& name)
{
    if (const QString folder = qEnvironmentVariable("RINGMASTER_SCREENSHOTS"); !folder.isEmpty())
        m_dashboard->window.grab().save(folder + u'/' + name + QStringLiteral(".png"));
}

} // namespace ringmaster::app
