#include "engine/control/LessonTexts.h"

#include "engine/diagnose/Codes.h"
#include "engine/text/RankList.h"

namespace ringmaster {

namespace {

using lesson::Text;

/// What a lesson of one kind of verdict says.
struct Words
{
    Text title{};
    Text question{};
    Text mistake{};
};

const Words Hang{{"A hang in {name}", "{name} のハング"},
                 {"Which ranks keep the others waiting?",
                  "ほかのランクを待たせているのは、どのランクでしょうか。"},
                 {"A rank that waits in an operation isn't the one to look at. Look for the one "
                  "that isn't there.",
                  "操作の中で待っているランクを調べても、原因は見つかりません。そこに来ていないラン"
                  "クを探しましょう。"}};

const Words Circle{{"A deadlock in {name}", "{name} のデッドロック"},
                   {"Which ranks wait for each other in a circle?",
                    "輪になって待ち合っているのは、どのランクでしょうか。"},
                   {"Each of these ranks looks right by itself: only together do they stand still.",
                    "どのランクも、単独で見れば正しく見えます。組み合わさって初めて止まります。"}};

const Words Mismatch{
    {"A mismatch in {name}", "{name} の呼び出しの不一致"},
    {"Which ranks call something that doesn't fit?",
     "かみ合わない呼び出しをしているのは、どのランクでしょうか。"},
    {"The rank that reports an error isn't always the one that is wrong. Compare what each rank "
     "calls.",
     "エラーを報告したランクが間違っているとは限りません。各ランクの呼び出しを比べましょう。"}};

const Words Straggler{
    {"A straggler in {name}", "{name} の遅いランク"},
    {"Which rank comes last again and again?", "いつも最後に来るのは、どのランクでしょうか。"},
    {"All ranks are equally slow, since they leave a collective together. The one that holds the "
     "others up is the one that never waits.",
     "集団通信は全員そろって終わるので、どのランクも同じように遅く見えます。足を引っ張っているのは"
     "、待つことのないランクです。"}};

const Words& wordsOf(const Verdict& verdict)
{
    if (verdict.kind == Verdict::Kind::Straggler)
        return Straggler;
    if (verdict.kind == Verdict::Kind::Mismatch)
        return Mismatch;
    return verdict.statement.code == code::HangCycle ? Circle : Hang;
}

Text filled(const Text& text, const Parameters& parameters)
{
    return {substitute(text.english, parameters), substitute(text.japanese, parameters)};
}

void add(Text& text, const Text& more)
{
    text.english += more.english;
    text.japanese += more.japanese;
}

} // namespace

void addTexts(lesson::Pack& pack, const std::string& name, const lesson::RecordedJob& job)
{
    const Words& words = wordsOf(job.verdict);
    const Parameters parameters{{"name", name},
                                {"run", job.run},
                                {"count", std::to_string(job.worldSize)},
                                {"shown", rankList(job.ranks)},
                                {"backend", job.backend}};
    pack.title = filled(words.title, parameters);
    pack.mistake = words.mistake;
    pack.text = filled({"This is a real job, `{name}` (run {run}), on {count} ranks, as it was "
                        "recorded. Nothing runs here.\n\nYou see when each rank called an "
                        "operation, and when that was over. What it did in between, and what its "
                        "tensors held, wasn't recorded.\n",
                        "実際に動いたジョブ `{name}` (実行 {run}、{count} ランク) "
                        "の記録です。ここでは何も実行されません。\n\n"
                        "各ランクがいつ操作を呼び出し、いつ終わったかが見えます。その間に何をしたか"
                        "、テンソルの値が何だったかは記録されていません。\n"},
                       parameters);
    if (static_cast<size_t>(job.worldSize) > job.ranks.size())
        add(pack.text,
            filled({"\nRanks {shown} are shown, and groups as if they had no others.\n",
                    "\n表示するのはランク {shown} だけで、グループもその中だけで示します。\n"},
                   parameters));
    if (job.code.empty())
        add(pack.text, {"\nThe lines of its program aren't in this lesson.\n",
                        "\nプログラムの行は、このレッスンには含まれていません。\n"});
    pack.questions = {{.kind = lesson::Question::Kind::Guilty, .text = words.question}};
}

} // namespace ringmaster
