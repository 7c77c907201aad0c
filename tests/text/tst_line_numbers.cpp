#include "engine/base/Codes.h"
#include "engine/text/BarNumbers.h"
#include "engine/text/Codes.h"
#include "engine/text/LineNumbers.h"

#include <QtTest>

using namespace ringmaster;

namespace {

/// "loss 0.31, step 120/1000": what was found, in a form to compare.
QString textOf(const std::vector<NamedNumber>& numbers)
{
    QStringList texts;
    for (const NamedNumber& number : numbers) {
        QString text =
            QString::fromStdString(number.name) + ' ' + QString::number(number.value, 'g', 12);
        if (number.total)
            text += '/' + QString::number(*number.total, 'g', 12);
        texts += text;
    }
    return texts.join(", ");
}

} // namespace

class tst_line_numbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsNumbersByTheirNames_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* line, const char* found) {
            QTest::newRow(line) << QByteArray(line) << QString(found);
        };
        row("loss 0.31", "loss 0.31");
        row("loss: 0.31", "loss 0.31");
        row("loss=0.31", "loss 0.31");
        row("Loss = 3.1e-1.", "loss 0.31");
        row("step 120 loss 0.31", "step 120, loss 0.31");
        row("step 120/1000  loss 0.31", "step 120/1000, loss 0.31");
        row("step: 120 / 1000, lr: 5e-05", "step 120/1000, lr 5e-05");
        row("Epoch 3/10", "epoch 3/10");
        row("epoch 3 of 10: train_loss=0.31 val_loss=0.42",
            "epoch 3/10, train_loss 0.31, val_loss 0.42");
        row("Epoch [3/10], Step [120/1000], Loss: 0.31", "epoch 3/10, step 120/1000, loss 0.31");
        row("iteration 7 | ppl 12.3 | gnorm 1.5 | lr 1e-4",
            "iteration 7, ppl 12.3, gnorm 1.5, lr 0.0001");
        row("grad_norm: 1.25 perplexity: 20.1 tokens/s: 12345",
            "grad_norm 1.25, perplexity 20.1, tokens/s 12345");
        row("learning rate: 0.001, grad norm 2", "learning_rate 0.001, grad_norm 2");
        row("val/acc@1=76.1% top5 93.2%", "val/acc@1 76.1, top5 93.2");
        row("2026-11-24 13:20:01,123 INFO train: step 5 loss 2.5", "step 5, loss 2.5");
        row("[rank0]: iter 10: loss 3.2345, time 123.45ms, mfu 12.34%",
            "iter 10, loss 3.2345, mfu 12.34");
        row("Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.302",
            "epoch 1, sample 640/60000, loss 2.302");
        row("Epoch: [0][  10/391]\tTime  0.3 ( 0.5)\tLoss 6.9e+00 (7.0e+00)\tAcc@1   0.50 (  0.10)",
            "epoch 0, step 10/391, loss 6.9, acc@1 0.5");
        row("Epoch: [2]  [ 10/391]  eta: 0:10:00  lr: 0.1  img/s: 12.5  loss: 6.9 (7.0)",
            "epoch 2, step 10/391, lr 0.1, img/s 12.5, loss 6.9");
        row("Test set: Average loss: 0.0436, Accuracy: 9850/10000 (98%)",
            "average_loss 0.0436, accuracy 0.985");
        row("train loss 0.5, Validation Loss 0.6", "train_loss 0.5, validation_loss 0.6");
        row("loss tensor(0.3100, device='cuda:0', grad_fn=<NllLossBackward0>)", "loss 0.31");
        row("step 1,200/10,000 loss -1.5", "step 1200/10000, loss -1.5");
        row("reward: +2.5", "reward 2.5");
    }

    void findsNumbersByTheirNames()
    {
        QFETCH(QByteArray, line);
        QTEST(textOf(LineNumbers().read(line.toStdString())), "found");
    }

    void readsObjectsOfJsonAndPython_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* line, const char* found) {
            QTest::newRow(line) << QByteArray(line) << QString(found);
        };
        row("{\"step\": 3, \"loss\": 0.31, \"my_metric\": 7, \"timestamp\": 1700000000.5, \"ok\": "
            "true}",
            "step 3, loss 0.31, my_metric 7");
        row("INFO {\"train\": {\"loss\": 0.31}, \"step\":3}", "loss 0.31, step 3");
        row("{'loss': 0.31, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.1}",
            "loss 0.31, grad_norm 1.2, learning_rate 5e-05, epoch 0.1");
        row("{'loss': '0.31', 'learning_rate': '5e-05', 'epoch': '0.1'}",
            "loss 0.31, learning_rate 5e-05, epoch 0.1");
        row("step 4 {'eval_loss': 0.5}", "eval_loss 0.5, step 4");
        row("{\"level\": \"info\", \"msg\": \"listening\", \"port\": 8080, \"n\": 3}", "");
        row("{\"msg\": \"\\\"loss\\\": 3\", \"port\": 1}", "");
        row("{\"loss\": [1, 2, 3], \"lr\": null, \"step\": 1}", "step 1");
        row("{\"loss\": NaN, \"lr\": Infinity}", "");
        row("{\"loss\": 0.3", "loss 0.3");
        row("{\"loss\": \"0.3", "");
    }

    void readsObjectsOfJsonAndPython()
    {
        QFETCH(QByteArray, line);
        QTEST(textOf(LineNumbers().read(line.toStdString())), "found");
    }

    void readsProgressBars_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* line, const char* found) {
            QTest::newRow(line) << QByteArray(line) << QString(found);
        };
        row(" 42%|████▏     | 420/1000 [00:12<00:17, 33.60it/s, loss=0.31]",
            "step 420/1000, it/s 33.6, loss 0.31");
        row("Epoch 3/10:  42%|####2     | 420/1000 [00:12<00:17,  1.25s/it, loss=0.31, acc=0.9]",
            "step 420/1000, epoch 3/10, it/s 0.8, loss 0.31, acc 0.9");
        row("Epoch 0:  42%|████▏     | 420/1000 [00:12<00:17, 33.60it/s, v_num=0, "
            "train_loss=0.310]",
            "step 420/1000, epoch 0, it/s 33.6, train_loss 0.31");
        row("loss 0.31:   0%|          | 0/10 [00:00<?, ?it/s]", "step 0/10, loss 0.31");
        row("Downloading shards: 100%|██████████| 2/2 [00:01<00:00,  1.9it/s]",
            "downloading shards 2/2, it/s 1.9");
        row("420it [00:12, 33.60it/s, loss=0.31]", "step 420, it/s 33.6, loss 0.31");
        row("Epoch 3/9 ━━━━━━━━━━━━━━ 42/100 0:00:12 • 0:00:17 33.60it/s v_num: 0.000 train_loss: "
            "0.310",
            "step 42/100, epoch 3/9, train_loss 0.31");
        row("469/469 [==============================] - 2s 4ms/step - loss: 0.2500 - accuracy: "
            "0.9200",
            "step 469/469, loss 0.25, accuracy 0.92");
        row("42/469 ━━━━━━━━━━━━━━━━━━━━ 2s 4ms/step - accuracy: 0.9200 - loss: 0.2500",
            "step 42/469, accuracy 0.92, loss 0.25");
        row("model.bin:  40%|████      | 120M/300M [00:01<00:02, 100MB/s]", "");
    }

    void readsProgressBars()
    {
        QFETCH(QByteArray, line);
        QTEST(textOf(LineNumbers().read(line.toStdString())), "found");
    }

    void findsNoneInOtherLines_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line : {"",
                                 "Traceback (most recent call last):",
                                 "  File \"step.py\", line 31, in step",
                                 "2026-11-24 13:20:01,123 starting",
                                 "listening on 127.0.0.1:29500",
                                 "step 12:30:01",
                                 "torch.Size([3, 4])",
                                 "loss.shape (3, 4)",
                                 "loss 0x7f3a12",
                                 "lr 1.2.3",
                                 "step 1.2 of the guide",
                                 "epochs 10 batch_size=32 max_steps=1000 warmup_steps: 10",
                                 "--lr 0.001 --lr=0.001 --epoch=3",
                                 "https://example.org/?step=3&lr=1",
                                 "checkpoints/step_120/loss=1.ckpt.tmp",
                                 "epoch=3-step=120.ckpt",
                                 "loss nan",
                                 "loss inf",
                                 "loss: 1e999",
                                 "loss [1, 2, 3]",
                                 "steps 10-20",
                                 "step_size=30 num_epochs=3",
                                 "epoch: 1700000000.12",
                                 "loss = loss_fn(output)",
                                 "the loss of 3 GPUs",
                                 "glossary 5",
                                 "slur=3",
                                 "accuracy: 12/10",
                                 "loss 3/4x",
                                 "step ",
                                 "step=",
                                 "step:",
                                 "loss=,",
                                 "100% of it",
                                 "| 3/4 [",
                                 "%|",
                                 "it [",
                                 "{\"",
                                 "{'a",
                                 "--- loss 0.3.1 ---"})
            QTest::newRow(line) << QByteArray(line);
    }

    void findsNoneInOtherLines()
    {
        QFETCH(QByteArray, line);
        QCOMPARE(textOf(LineNumbers().read(line.toStdString())), QString());
    }

    void aRuleOfTheUserComesFirst()
    {
        const auto rules =
            NumberRules::parse({{"GB of cache", "cache holds (\\S+) GB"},
                                {"loss", "smoothed=(\\S+)"},
                                {"shard", "shard (\\d+) \\((?P<total>\\d+) in all"}});
        QVERIFY(rules);
        const LineNumbers numbers(*rules);
        QCOMPARE(textOf(numbers.read("loss=9 smoothed=0.5, cache holds 12.5 GB")),
                 QString("GB of cache 12.5, loss 0.5"));
        QCOMPARE(textOf(numbers.read("shard 3 (8 in all)")), QString("shard 3/8"));
        QCOMPARE(textOf(numbers.read("cache holds many GB")), QString());
    }

    void saysWhatIsWrongWithARule()
    {
        const auto codeOf = [](const std::string& name, const std::string& pattern) {
            const auto checked = NumberRules::check(name, pattern);
            return checked ? code::None : checked.error().code;
        };
        QVERIFY(codeOf("loss", "x=(.*)") == code::None);
        QVERIFY(codeOf("loss", "x=(") == code::NumberRuleInvalid);
        QVERIFY(codeOf("loss", "x=.*") == code::NumberRuleWithoutGroup);
        QVERIFY(codeOf("loss", "x=(?P<total>.*)") == code::NumberRuleWithoutGroup);
        QVERIFY(codeOf("", "x=(.*)") == code::NumberNameInvalid);
        QVERIFY(codeOf("a\nb", "x=(.*)") == code::NumberNameInvalid);
        std::map<std::string, std::string> many;
        for (size_t i = 0; i <= NumberRules::Most; ++i)
            many["n" + std::to_string(i)] = "(.)";
        QVERIFY(NumberRules::parse(many).error().code == code::NumberRulesTooMany);
    }

    void whatIsFoundIsBounded()
    {
        std::string line;
        for (int i = 0; i < 1000; ++i)
            line += "loss_" + std::to_string(i) + "=1 ";
        QCOMPARE(LineNumbers().read(line).size(), NumberList::Most);
        QCOMPARE(LineNumbers().read("loss_" + std::string(100, 'x') + "=1").size(), size_t{0});
        QCOMPARE(LineNumbers().read(std::string(LineNumbers::LongestLine, ' ') + "loss 1").size(),
                 size_t{0});
    }

    void knowsABarThatIsWhole()
    {
        QVERIFY(isWholeBar(" 42%|#### | 420/1000 [00:12<00:17, 33.60it/s]"));
        QVERIFY(!isWholeBar(" 42%|#### | 420/1000 [00:12<00:17, 33.6"));
        QVERIFY(!isWholeBar("loss [3]"));
    }
};

QTEST_GUILESS_MAIN(tst_line_numbers)
#include "tst_line_numbers.moc"
