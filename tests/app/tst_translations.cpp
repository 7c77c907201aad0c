#include "app/bridge/Messages.h"
#include "app/main/Language.h"
#include "engine/base/Codes.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

class tst_translations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCodeHasAJapaneseSentenceWithTheSamePlaces()
    {
        Language language;
        language.choose(Language::Choice::Japanese);
        QStringList wrong;
        for (const Code code : allCodes()) {
            const QString english = QString::fromUtf8(
                englishTemplate(code).data(), static_cast<qsizetype>(englishTemplate(code).size()));
            const QString japanese = sentenceOf(code);
            const QString name = QString::fromStdString(std::string(codeName(code)));
            if (english == japanese)
                wrong << name + QStringLiteral(": not translated");
            else if (placesOf(english) != placesOf(japanese))
                wrong << name + QStringLiteral(": other places: ") + japanese;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void rendersACodeInBothLanguages()
    {
        Language language;
        const Message message{code::FileNotFound, {{"path", "a.py"}}, {}};
        language.choose(Language::Choice::English);
        QCOMPARE(text(message), QStringLiteral("a.py does not exist."));
        language.choose(Language::Choice::Japanese);
        QVERIFY(text(message).contains(QStringLiteral("a.py")));
        QVERIFY(text(message) != QStringLiteral("a.py does not exist."));
    }

    void nothingIsUnfinished_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("en") << QStringLiteral("ringmaster_en.ts");
        QTest::newRow("ja") << QStringLiteral("ringmaster_ja.ts");
    }

    void nothingIsUnfinished()
    {
        QFETCH(QString, file);
        QFile source(QStringLiteral(RINGMASTER_SOURCE_DIR "/translations/") + file);
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(source.readAll());
        // English texts are their own translation, but for plurals.
        const QRegularExpression unfinished(
            file.contains(QStringLiteral("_en"))
                ? QStringLiteral("numerus=\"yes\">(?:(?!</message>).)*type=\"unfinished\"")
                : QStringLiteral("<source>([^<]*)</source>(?:(?!</message>).)*type=\"unfinished\""),
            QRegularExpression::DotMatchesEverythingOption);
        QStringList missing;
        auto matches = unfinished.globalMatch(text);
        while (matches.hasNext())
            missing << matches.next().captured(1);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
    }

private:
    static QSet<QString> placesOf(const QString& sentence)
    {
        static const QRegularExpression place(QStringLiteral("\\{([A-Za-z]+)(\\|[^}]*)?\\}"));
        QSet<QString> places;
        auto matches = place.globalMatch(sentence);
        while (matches.hasNext())
            places.insert(matches.next().captured(1));
        return places;
    }
};

QTEST_GUILESS_MAIN(tst_translations)
#include "tst_translations.moc"
