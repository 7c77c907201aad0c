#pragma once

#include "app/main/Language.h"
#include "app/widget/Theme.h"

#include <QSettings>
#include <QVariantMap>

namespace ringmaster::app {

/// What is remembered from one session to the next.
class Session
{
public:
    QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);
    QString page() const;
    void setPage(const QString& page);
    QVariantMap pageState(const QString& page) const;
    void setPageState(const QString& page, const QVariantMap& state);
    Theme::Mode theme() const;
    void setTheme(Theme::Mode mode);
    Language::Choice language() const;
    void setLanguage(Language::Choice choice);

    /// The tour of the first start has been seen, or skipped.
    bool isTourOver() const;
    void setTourOver();

    enum class OnClose { Ask, KeepRunning };
    OnClose onClose() const;
    void setOnClose(OnClose choice);

private:
    QSettings m_settings;
};

} // namespace ringmaster::app
