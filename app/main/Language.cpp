#include "app/main/Language.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLibraryInfo>
#include <QLocale>

namespace ringmaster::app {

namespace {

QLocale localeOf(Language::Choice choice)
{
    switch (choice) {
    case Language::Choice::System: return QLocale::system();
    case Language::Choice::English: return QLocale(QLocale::English);
    case Language::Choice::Japanese: return QLocale(QLocale::Japanese);
    }
    return QLocale::system();
}

/// Layouts take up new sizes one level a turn of the event loop: whoever looks meanwhile would see
/// texts that are cut.
void settleTexts()
{
    constexpr int DeepestNesting = 24;
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LanguageChange);
    for (int level = 0; level < DeepestNesting; ++level)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

} // namespace

Language::Language(QObject* parent) : QObject(parent)
{
    choose(Choice::System);
}

Language::~Language()
{
    QCoreApplication::removeTranslator(&m_qt);
    QCoreApplication::removeTranslator(&m_ours);
}

void Language::choose(Choice choice)
{
    m_choice = choice;
    const QLocale locale = localeOf(choice);
    QLocale::setDefault(locale);
    QCoreApplication::removeTranslator(&m_qt);
    QCoreApplication::removeTranslator(&m_ours);
    if (m_qt.load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                  QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
    // English is a translation too: it has the plurals.
    const QString name = locale.language() == QLocale::Japanese
                             ? QStringLiteral(":/i18n/ringmaster_ja.qm")
                             : QStringLiteral(":/i18n/ringmaster_en.qm");
    if (m_ours.load(name))
        QCoreApplication::installTranslator(&m_ours);
    settleTexts();
}

} // namespace ringmaster::app
