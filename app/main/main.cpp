#include "app/bridge/MachineBridge.h"
#include "app/jobs/JobsPage.h"
#include "app/main/MainWindow.h"
#include "app/main/MessageBoxes.h"
#include "app/main/Pages.h"
#include "app/main/ScreenFit.h"
#include "app/main/SingleInstance.h"
#include "app/main/WatchedMachines.h"
#include "engine/base/DescriptorLimit.h"
#include "engine/base/Paths.h"
#include "engine/base/Thread.h"
#include "engine/base/Version.h"
#include "engine/control/LocalCluster.h"
#include "engine/control/WatchingCluster.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QIcon>
#include <QScreen>
#include <QUrl>

#include <iostream>
#include <optional>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

struct Arguments
{
    OpenRequest request{};
    bool wantsNewWindow = false;
};

/// What keeps it from starting, for whoever reads standard error: it speaks English.
int complain(const Error& error)
{
    std::cerr << "ringmaster-gui: " << describe(error) << '\n';
    return 2;
}

/// The command line speaks English.
Arguments readArguments(const QApplication& application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Dashboard for distributed PyTorch jobs on this machine."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption example(QStringLiteral("example"),
                                     QStringLiteral("Open the example NAME in the editor."),
                                     QStringLiteral("NAME"));
    const QCommandLineOption newWindow(
        QStringLiteral("new-window"),
        QStringLiteral("Open a window of its own, although there is one on this display."));
    parser.addOption(example);
    parser.addOption(newWindow);
    parser.addPositionalArgument(QStringLiteral("files"),
                                 QStringLiteral("Jobs (.ringjob) and runs (.ringrun) to open."),
                                 QStringLiteral("[files…]"));
    parser.process(application);
    Arguments arguments{
        .request = {.example = parser.value(example),
                    .activationToken = qEnvironmentVariable("XDG_ACTIVATION_TOKEN")},
        .wantsNewWindow = parser.isSet(newWindow)};
    for (const QString& file : parser.positionalArguments()) {
        const QUrl url = QUrl::fromUserInput(file, QDir::currentPath(), QUrl::AssumeLocalFile);
        arguments.request.files.append(url.isLocalFile() ? url.toLocalFile() : file);
    }
    return arguments;
}

/// One window a display: its name is in the variable of the window system that is used.
QString display()
{
    const QString platform = QGuiApplication::platformName();
    const char* variable = platform == QLatin1String("wayland") ? "WAYLAND_DISPLAY" : "DISPLAY";
    return platform + u' ' + qEnvironmentVariable(variable);
}

/// The archive and the dashboard's wheel bring fonts: a bare machine has none, and no letter would
/// be readable.
void useFontsThatCameAlong()
{
    const auto file = executableFolder().parent_path() / "share/ringmaster/fonts/fonts.conf";
    std::error_code error;
    if (!qEnvironmentVariableIsSet("FONTCONFIG_FILE") && std::filesystem::exists(file, error))
        qputenv("FONTCONFIG_FILE", QByteArray::fromStdString(file.string()));
}

} // namespace

int main(int argc, char** argv)
{
    raiseDescriptorLimit(); // each run that is shown takes some
    const auto tried = guardThreads([]() -> Result<void> {
        tryThreadOrThrow();
        return {};
    });
    if (!tried)
        return complain(tried.error());
    QApplication::setOrganizationName(QStringLiteral("ringmaster"));
    QApplication::setApplicationName(QStringLiteral("dashboard"));
    QApplication::setApplicationVersion(QStringLiteral(RINGMASTER_VERSION));
    QApplication::setApplicationDisplayName(QStringLiteral("Ringmaster"));
    QApplication::setDesktopFileName(QStringLiteral("org.ringmaster.Ringmaster"));
    useFontsThatCameAlong();
    QApplication application(argc, argv);
    QApplication::setWindowIcon(QIcon::fromTheme(QApplication::desktopFileName()));
    const Arguments arguments = readArguments(application);

    SingleInstance handover(arguments.wantsNewWindow ? QString()
                                                     : SingleInstance::socketFor(display()));
    if (handover.begin(arguments.request) == SingleInstance::Role::Second)
        return 0;

    const Session session;
    Language language;
    language.choose(session.language());

    std::optional<LocalCluster> local;
    std::optional<WatchingCluster> cluster;
    const auto begun = guardThreads([&]() -> Result<void> {
        local.emplace();
        cluster.emplace(*local);
        return {};
    });
    if (!begun) {
        const int exitCode = complain(begun.error());
        showStartFailure(begun.error());
        return exitCode;
    }
    Theme theme;
    theme.setMode(session.theme());
    EngineBridge bridge(*cluster);
    MachineBridge machines(*cluster);
    MainWindow window(bridge, theme, language, pages());
    window.jobsPage().watchMachine(thisMachine());
    showMachines(window, machines);
    window.restoreSession();
    // What a window has beyond its screen, nobody can reach.
    window.resize(window.size().boundedTo(window.screen()->availableSize()));
    new ScreenFit(window);
    window.offerTour();
    window.show();
    window.open(arguments.request);
    QObject::connect(&handover, &SingleInstance::received, &window,
                     [&window](const OpenRequest& request) {
                         window.comeToFront(request.activationToken);
                         window.open(request);
                     });
    return QApplication::exec();
}
