#include "app/widget/TerminalColors.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

class tst_terminal_colors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyColourIsReadableInBothThemes()
    {
        for (const Tokens* tokens : {&lightTokens(), &darkTokens()}) {
            for (int text = 0; text < 256; ++text) {
                const TextStyle plain{.foreground = palette(text)};
                const TextStyle faint{.foreground = palette(text), .isFaint = true};
                for (const TextStyle& style : {plain, faint}) {
                    const TerminalLook look = terminalLook(style, tokens->text, *tokens);
                    QVERIFY(!look.ground.isValid());
                    QVERIFY2(contrast(look.text, tokens->card) >= 4.5,
                             qPrintable(QString::number(text)));
                }
                for (int ground = 0; ground < 256; ground += 5) {
                    const TerminalLook look =
                        terminalLook({.foreground = palette(text), .background = palette(ground)},
                                     tokens->text, *tokens);
                    QVERIFY2(contrast(look.text, look.ground) >= 4.5,
                             qPrintable(QStringLiteral("%1 on %2").arg(text).arg(ground)));
                }
            }
        }
    }

    void coloursKeepTheirHue()
    {
        const TerminalLook red = terminalLook({.foreground = palette(1)}, Qt::black, darkTokens());
        QVERIFY(red.text.red() > red.text.green() && red.text.red() > red.text.blue());
        const TerminalLook direct = terminalLook(
            {.foreground = {TextColor::Kind::Direct, 0, 0, 200}}, Qt::black, lightTokens());
        QCOMPARE(direct.text, QColor(0, 0, 200));
        const TerminalLook cube =
            terminalLook({.background = palette(21)}, Qt::white, darkTokens());
        QCOMPARE(cube.ground, QColor(0, 0, 255));
        const TerminalLook gray =
            terminalLook({.background = palette(255)}, Qt::white, darkTokens());
        QCOMPARE(gray.ground, QColor(238, 238, 238));
    }

    void inverseChangesTextAndGround()
    {
        const Tokens& tokens = lightTokens();
        const TerminalLook look = terminalLook({.isInverse = true}, tokens.text, tokens);
        QCOMPARE(look.ground, tokens.text);
        QCOMPARE(look.text, tokens.card);
    }

    void whatHasNoColourIsThePlainOne()
    {
        const Tokens& tokens = darkTokens();
        const TerminalLook look = terminalLook({.isBold = true}, tokens.failed.text, tokens);
        QCOMPARE(look.text, tokens.failed.text);
        QVERIFY(!look.ground.isValid());
    }

private:
    static TextColor palette(int index)
    {
        return {TextColor::Kind::Palette, static_cast<std::uint8_t>(index), 0, 0};
    }
};

QTEST_GUILESS_MAIN(tst_terminal_colors)
#include "tst_terminal_colors.moc"
