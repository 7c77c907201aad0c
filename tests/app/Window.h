#pragma once

#include "app/main/MainWindow.h"
#include "tests/app/Scenario.h"

#include <QTemporaryDir>

namespace ringmaster::app {

/// The dashboard over a FakeCluster, with settings of its own.
class Window
{
public:
    explicit Window(const std::vector<PageDescription>& pages = {});

    FakeCluster cluster;
    Scenario scenario{cluster};
    EngineBridge bridge{cluster};
    Theme theme;
    Language language;
    MainWindow window;

    /// The first widget of this type with this accessible name.
    template <class T>
    T* find(const QString& accessibleName) const
    {
        for (T* widget : window.findChildren<T*>()) {
            if (widget->accessibleName() == accessibleName)
                return widget;
        }
        return nullptr;
    }
};

/// Settings in a folder that goes with the test; call it before anything reads them.
void useTemporarySettings();

} // namespace ringmaster::app
