#include "app/main/MainWindow.h"
#include "app/main/Pages.h"
#include "engine/base/Error.h"
#include "engine/control/LocalCluster.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

struct Arguments
{
    QString example{};
    QStringList files{};
};

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
    parser.addOption(example);
    parser.addPositionalArgument(QStringLiteral("files"),
                                 QStringLiteral("Jobs (.ringjob) and runs (.ringrun) to open."),
                                 QStringLiteral("[files…]"));
    parser.process(application);
    return {parser.value(example), parser.positionalArguments()};
}

void openArguments(MainWindow& window, const Arguments& arguments)
{
    for (const QString& file : arguments.files)
        window.openFile(file);
    if (!arguments.example.isEmpty())
        window.openExample(arguments.example);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication::setOrganizationName(QStringLiteral("ringmaster"));
    QApplication::setApplicationName(QStringLiteral("dashboard"));
    QApplication::setApplicationVersion(QStringLiteral(RINGMASTER_VERSION));
    QApplication::setApplicationDisplayName(QStringLiteral("Ringmaster"));
    QApplication::setDesktopFileName(QStringLiteral("org.ringmaster.Ringmaster"));
    QApplication application(argc, argv);
    QApplication::setWindowIcon(QIcon::fromTheme(QApplication::desktopFileName()));
    const Arguments arguments = readArguments(application);

    const Session session;
    Theme theme;
    theme.setMode(session.theme());
    Language language;
    language.choose(session.language());

    LocalCluster cluster;
    EngineBridge bridge(cluster);
    MainWindow window(bridge, theme, language, pages());
    window.restoreSession();
    window.show();
    openArguments(window, arguments);
    return QApplication::exec();
}
