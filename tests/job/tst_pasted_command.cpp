#include "engine/job/Codes.h"
#include "engine/job/PastedCommand.h"
#include "engine/text/ShellWords.h"

#include <QtTest>

using namespace ringmaster;

namespace {

using Words = std::vector<std::string>;

PastedCommand paste(const std::string& text, const EnvironmentMap& environment = {})
{
    auto pasted = parsePastedCommand(text, environment);
    if (!pasted)
        qWarning("%s", describe(pasted.error().messages.front()).c_str());
    return pasted.value_or(PastedCommand{});
}

Words notesOf(const PastedCommand& pasted)
{
    Words notes;
    for (const Message& note : pasted.notes)
        notes.push_back(note.parameters.at("text"));
    return notes;
}

} // namespace

class tst_pasted_command : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsVariablesContinuationsAndQuotes()
    {
        const PastedCommand pasted = paste("OMP_NUM_THREADS=2 torchrun --nproc-per-node 2 \\\n"
                                           "  train.py \"a b\" 'c $X' d\\ e \"q\\\"\"\n");
        const Role& role = pasted.line.spec.roles.front();
        QCOMPARE(role.workers.number, 2);
        QCOMPARE(role.program, std::string("train.py"));
        const Words expected{"a b", "c $X", "d e", "q\""};
        QCOMPARE(role.arguments, expected);
        QCOMPARE(role.environment.at("OMP_NUM_THREADS"), std::string("2"));
        QVERIFY(pasted.notes.empty());
    }

    void knowsEveryWayToNameTheLauncher_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("interpreter");
        QTest::addColumn<QString>("note");
        const auto row = [](const char* text, const char* interpreter, const char* note) {
            QTest::newRow(text) << text << interpreter << note;
        };
        row("torchrun t.py", "", "");
        row("$ torchrun t.py", "", "");
        row("/opt/v/bin/torchrun t.py", "/opt/v/bin/python", "");
        row("python -m torch.distributed.run t.py", "", "");
        row("python3.11 -u -m torch.distributed.run t.py", "", "");
        row("/usr/bin/python3 -mtorch.distributed.run t.py", "/usr/bin/python3", "");
        row("python -m torch.distributed.launch --use_env t.py", "", "");
        row("ringmaster run t.py", "", "");
        row("PYTHON_EXEC=/p torchrun t.py", "/p", "");
        row("nohup torchrun t.py &", "", "nohup");
        row("srun --nodes=2 torchrun t.py", "", "srun --nodes=2");
        row("uv run torchrun t.py", "", "uv run");
        row("time torchrun t.py # a comment", "", "time");
        row("torchrun t.py > log.txt 2>&1", "", "> log.txt");
        row("torchrun t.py | tee log.txt", "", "| tee log.txt");
        row("source venv/bin/activate && torchrun t.py", "", "source venv/bin/activate");
        row("torchrun t.py \\\r\n\r\n", "", "");
        row("torchrun \\  \n t.py", "", "");
    }

    void knowsEveryWayToNameTheLauncher()
    {
        QFETCH(QString, text);
        QFETCH(QString, interpreter);
        QFETCH(QString, note);
        const PastedCommand pasted = paste(text.toStdString());
        const Role& role = pasted.line.spec.roles.front();
        QCOMPARE(role.program, std::string("t.py"));
        QVERIFY(role.arguments.empty());
        QCOMPARE(QString::fromStdString(role.interpreter), interpreter);
        QCOMPARE(pasted.notes.empty(), note.isEmpty());
        if (!note.isEmpty())
            QCOMPARE(QString::fromStdString(notesOf(pasted).front()), note);
    }

    void theOldLauncherGivesItsRankAsAnArgument()
    {
        const auto old =
            paste("python -m torch.distributed.launch --nproc_per_node 2 t.py --use_env");
        const Words expected{"--local-rank=${local_rank}", "--use_env"};
        QCOMPARE(old.line.spec.roles.front().arguments, expected);
    }

    void followsAScript()
    {
        const PastedCommand pasted =
            paste("#!/bin/bash\n#SBATCH --nodes=2\n"
                  "export NCCL_DEBUG=INFO PET_NNODES=2\nGPUS=4; ARGS='--lr 1'\n"
                  "cd /data/run\ncd sub\n"
                  "CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=$GPUS "
                  "${SCRIPT:-train.py} $ARGS \"$ARGS\" --out=$OUT/x\n");
        const Role& role = pasted.line.spec.roles.front();
        QCOMPARE(role.workers.number, 4);
        QCOMPARE(pasted.line.spec.nodes.max, 2);
        QCOMPARE(role.program, std::string("train.py"));
        const Words expected{"--lr", "1", "--lr 1", "--out=$OUT/x"};
        QCOMPARE(role.arguments, expected);
        QCOMPARE(role.workingFolder, std::string("/data/run/sub"));
        const std::vector<int> devices{0, 1};
        QCOMPARE(role.devices, devices);
        const EnvironmentMap environment{{"NCCL_DEBUG", "INFO"}};
        QCOMPARE(role.environment, environment);
        QCOMPARE(notesOf(pasted), Words{"OUT"});
        QVERIFY(pasted.notes.front().code == code::PastedVariableUnknown);
    }

    void usesTheVariablesOfTheCaller()
    {
        const auto pasted =
            paste("torchrun t.py $A \"$B\"", {{"A", "1 2"}, {"B", "3 4"}, {"PET_ROLE", "r"}});
        const Words expected{"1", "2", "3 4"};
        QCOMPARE(pasted.line.spec.roles.front().arguments, expected);
        QCOMPARE(pasted.line.spec.roles.front().name, std::string("r"));
        QVERIFY(pasted.line.spec.roles.front().environment.empty());
    }

    void leavesTorchrunsOwnTemplateAlone()
    {
        const auto pasted =
            paste("torchrun t.py '${local_rank}' $local_rank", {{"local_rank", "9"}});
        const Words expected{"${local_rank}", "$local_rank"};
        QCOMPARE(pasted.line.spec.roles.front().arguments, expected);
        QVERIFY(pasted.notes.empty());
    }

    void takesTheFirstOfSeveralCommands()
    {
        const auto pasted = paste("torchrun a.py\ntorchrun b.py\n");
        QCOMPARE(pasted.line.spec.roles.front().program, std::string("a.py"));
        QCOMPARE(notesOf(pasted), Words{"torchrun b.py"});
    }

    void refusesWhatIsNoCommand()
    {
        const auto refusal = [](const std::string& text) {
            const auto pasted = parsePastedCommand(text, {});
            return pasted ? std::string("accepted") : describe(pasted.error().messages.front());
        };
        const std::string none =
            "There is no torchrun in this text; paste the command that begins with "
            "torchrun or python -m torch.distributed.run.";
        QCOMPARE(refusal(""), none);
        QCOMPARE(refusal("python train.py"), none);
        QCOMPARE(refusal("python -m torch.utils.collect_env"), none);
        QCOMPARE(refusal("torchrun 'x\ny"), std::string("The quote ' in line 1 isn't closed."));
        QCOMPARE(refusal("a\nb \"x"), std::string("The quote \" in line 2 isn't closed."));
        QVERIFY(refusal("torchrun --foo t.py").starts_with("unrecognized arguments: --foo"));
    }

    void quotesWhatAShellWouldChange()
    {
        QCOMPARE(shellQuoted("a-b_c/d.e:f=g,h@i%j+k"), std::string("a-b_c/d.e:f=g,h@i%j+k"));
        QCOMPARE(shellQuoted(""), std::string("''"));
        QCOMPARE(shellQuoted("it's"), std::string("'it'\\''s'"));
        QCOMPARE(shellQuoted("$HOME"), std::string("'$HOME'"));
        QCOMPARE(shellQuoted("~"), std::string("'~'"));
    }
};

QTEST_GUILESS_MAIN(tst_pasted_command)
#include "tst_pasted_command.moc"
