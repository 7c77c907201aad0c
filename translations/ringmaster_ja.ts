<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja_JP">
<context>
    <name>CeilingWords</name>
    <message>
        <source>%1 calibrated with %2</source>
        <translation>%1 の上限（%2 で測定）</translation>
    </message>
    <message>
        <source>%1 calibrated between %2 and %3 with %4</source>
        <translation>%1 の上限（%2 と %3 の間、%4 で測定）</translation>
    </message>
</context>
<context>
    <name>CloseQuestion</name>
    <message>
        <source>Close the window?</source>
        <translation>ウィンドウを閉じますか？</translation>
    </message>
    <message numerus="yes">
        <source>%n jobs keep running.</source>
        <translation>
            <numerusform>%n 件のジョブは実行を続けます。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They don&apos;t need this window; open Ringmaster again to see them.</source>
        <translation>
            <numerusform>ジョブにこのウィンドウは必要ありません。もう一度 Ringmaster を開けば表示されます。</numerusform>
        </translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>実行を続ける</translation>
    </message>
    <message>
        <source>Stop jobs</source>
        <translation>ジョブを停止</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Don&apos;t ask again</source>
        <translation>次回から確認しない</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>Duration</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>Steps a second</source>
        <translation>ステップ毎秒</translation>
    </message>
    <message>
        <source>Launch to first collective</source>
        <translation>起動から最初の集団通信まで</translation>
    </message>
    <message>
        <source>Time in collectives</source>
        <translation>集団通信の時間</translation>
    </message>
    <message>
        <source>busbw of %1 from %2</source>
        <comment>operation, message size</comment>
        <translation>%1 の busbw（%2 以上）</translation>
    </message>
    <message>
        <source>Last %1</source>
        <comment>a printed number</comment>
        <translation>最後の %1</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>再起動</translation>
    </message>
</context>
<context>
    <name>ConfirmDelete</name>
    <message numerus="yes">
        <source>Events, logs and figures go with them: %1.</source>
        <translation>
            <numerusform>イベント、ログ、数値も一緒に削除されます：%1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are pinned.</source>
        <translation>
            <numerusform>うち %n 件は固定されています。</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete runs?</source>
        <translation>実行を削除しますか？</translation>
    </message>
    <message>
        <source>Delete %1?</source>
        <translation>%1 を削除しますか？</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n runs?</source>
        <translation>
            <numerusform>%n 件の実行を削除しますか？</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>残す</translation>
    </message>
</context>
<context>
    <name>ConfirmStop</name>
    <message>
        <source>Stop the job?</source>
        <translation>ジョブの停止</translation>
    </message>
    <message>
        <source>Stop %1?</source>
        <translation>%1 を停止しますか?</translation>
    </message>
    <message numerus="yes">
        <source>%n workers end after %1. What they did since their last checkpoint is lost; this can&apos;t be undone.</source>
        <translation>
            <numerusform>%n 個のワーカーが実行開始から %1 で終了します。最後のチェックポイント以降の作業は失われ、元に戻せません。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>実行を続ける</translation>
    </message>
    <message>
        <source>Don&apos;t ask again</source>
        <translation>次回から確認しない</translation>
    </message>
    <message>
        <source>They get SIGTERM and have %1 to save and end; then they are killed. A second stop kills them at once.</source>
        <translation>ワーカーには SIGTERM が送られ、%1 以内に保存して終了できます。それを過ぎると強制終了されます。もう一度停止すると、すぐに強制終了します。</translation>
    </message>
</context>
<context>
    <name>DeviceRows</name>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message numerus="yes">
        <source>%n processors</source>
        <translation>
            <numerusform>プロセッサ %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>ネットワーク</translation>
    </message>
    <message>
        <source>Loopback</source>
        <translation>ループバック</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>使用率</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>in %1, out %2</source>
        <translation>受信 %1、送信 %2</translation>
    </message>
</context>
<context>
    <name>EventText</name>
    <message>
        <source>Run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>%1 started by agent %2 in %3</source>
        <translation>%1 をエージェント %2 が %3 で開始</translation>
    </message>
    <message>
        <source>Round %1: %2</source>
        <translation>ラウンド %1: %2</translation>
    </message>
    <message>
        <source>Round %1 completed: node %2 of %3, master %4:%5</source>
        <translation>ラウンド %1 が成立: ノード %2/%3、マスター %4:%5</translation>
    </message>
    <message>
        <source>Rendezvous</source>
        <translation>ランデブー</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>試行</translation>
    </message>
    <message>
        <source>Attempt %1 started: %2</source>
        <translation>試行 %1 を開始: %2</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>ワーカー</translation>
    </message>
    <message>
        <source>%1 (pid %2)</source>
        <translation>%1 (pid %2)</translation>
    </message>
    <message>
        <source>Exit</source>
        <translation>終了</translation>
    </message>
    <message numerus="yes">
        <source>Restarting the worker group; %n restarts left</source>
        <translation>
            <numerusform>ワーカーグループを再起動します。残り %n 回</numerusform>
        </translation>
    </message>
    <message>
        <source>Restarting the worker group; not charged to the budget</source>
        <translation>ワーカーグループを再起動します (再起動回数には数えません)</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>First cause: %1</source>
        <translation>最初の原因: %1</translation>
    </message>
    <message>
        <source>Not sure which rank failed first: %1</source>
        <translation>最初に失敗したランクは特定できません: %1</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>診断</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>サンプル</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待機</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>スイープ</translation>
    </message>
    <message numerus="yes">
        <source>%n rows to measure</source>
        <translation>
            <numerusform>%n 行を計測します</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wrong values</source>
        <translation>
            <numerusform>誤った値が %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>レッスン</translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n ranks</source>
        <translation>
            <numerusform>%1（%n ランク）</numerusform>
        </translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>%1 行目</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>時計</translation>
    </message>
    <message>
        <source>Agent %1: %2 ms ahead, within %3 ms</source>
        <translation>エージェント %1: %2 ms 進み（誤差 %3 ms 以内）</translation>
    </message>
    <message>
        <source>All workers of the host are done</source>
        <translation>ホストの全ワーカーが完了しました</translation>
    </message>
    <message numerus="yes">
        <source>Ready with %n workers at %1</source>
        <translation>
            <numerusform>%1 で %n 個のワーカーの準備ができました</numerusform>
        </translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>根拠</translation>
    </message>
    <message numerus="yes">
        <source>Stacks of ranks %1 were taken</source>
        <translation>
            <numerusform>ランク %1 のスタックを取得しました</numerusform>
        </translation>
    </message>
    <message>
        <source>imports torch</source>
        <translation>torch をインポート中</translation>
    </message>
    <message>
        <source>has imported torch</source>
        <translation>torch のインポート完了</translation>
    </message>
</context>
<context>
    <name>Examples</name>
    <message>
        <source>There is no example named %1.</source>
        <translation>%1 という例はありません。</translation>
    </message>
</context>
<context>
    <name>FaultText</name>
    <message>
        <source>Rank %1 was killed.</source>
        <translation>ランク %1 を強制終了しました。</translation>
    </message>
    <message>
        <source>Rank %1 was paused.</source>
        <translation>ランク %1 を一時停止しました。</translation>
    </message>
    <message>
        <source>Rank %1 goes on.</source>
        <translation>ランク %1 を再開しました。</translation>
    </message>
    <message>
        <source>A call of rank %1 was delayed.</source>
        <translation>ランク %1 の呼び出しを遅らせました。</translation>
    </message>
    <message>
        <source>Rank %1 gave a wrong shape.</source>
        <translation>ランク %1 が誤った形状を渡しました。</translation>
    </message>
    <message>
        <source>Rank %1 gave a wrong type.</source>
        <translation>ランク %1 が誤ったデータ型を渡しました。</translation>
    </message>
    <message>
        <source>A bit of the tensor of rank %1 was flipped.</source>
        <translation>ランク %1 のテンソルの 1 ビットを反転しました。</translation>
    </message>
    <message>
        <source>A bit of chunk %1 was flipped on its way from rank %2 to rank %3.</source>
        <translation>チャンク %1 の 1 ビットを、ランク %2 からランク %3 へ届く途中で反転しました。</translation>
    </message>
    <message>
        <source>Noticed after %1 by rank %2: %3</source>
        <translation>%1後にランク %2 が検知：%3</translation>
    </message>
    <message>
        <source>Noticed after %1 by the agent: rank %2, %3</source>
        <translation>%1後にエージェントが検知：ランク %2、%3</translation>
    </message>
    <message>
        <source>Noticed after %1 by the diagnosis: %2</source>
        <translation>%1後に診断が検知：%2</translation>
    </message>
    <message>
        <source>Noticed after %1 by comparing the calls: %2 differs</source>
        <translation>%1後に呼び出しの比較で検知：%2が一致しません</translation>
    </message>
    <message>
        <source>Not over yet.</source>
        <translation>まだ終わっていません。</translation>
    </message>
    <message>
        <source>Recovered: the program went on to its end.</source>
        <translation>回復：プログラムは最後まで実行されました。</translation>
    </message>
    <message>
        <source>Recovered: the worker group was restarted after %1.</source>
        <translation>回復：%1後にワーカーグループが再起動されました。</translation>
    </message>
    <message>
        <source>Not recovered: the run failed after %1.</source>
        <translation>回復せず：%1後に実行は失敗しました。</translation>
    </message>
    <message>
        <source>Not recovered: the run was stopped.</source>
        <translation>回復せず：実行は停止されました。</translation>
    </message>
    <message>
        <source>Nobody noticed.</source>
        <translation>誰も気付きませんでした。</translation>
    </message>
    <message>
        <source>Nobody has noticed.</source>
        <translation>まだ誰も気付いていません。</translation>
    </message>
    <message>
        <source>Recovered: the others waited until it went on, and the program came to its end after %1.</source>
        <translation>回復：ほかのランクは再開を待ち、プログラムは %1 後に最後まで進みました。</translation>
    </message>
    <message>
        <source>The program runs to its end, and nobody is held up.</source>
        <translation>プログラムは最後まで進み、誰も待たされない。</translation>
    </message>
    <message>
        <source>The others wait for rank %1 until it is let go on.</source>
        <translation>ほかのランクは、ランク %1 が再開されるまで待つ。</translation>
    </message>
    <message>
        <source>The others wait for rank %1; then all go on, late.</source>
        <translation>ほかのランクはランク %1 を待ち、その後、全員が遅れて先へ進む。</translation>
    </message>
    <message>
        <source>The others wait for rank %1 without end.</source>
        <translation>ほかのランクは、ランク %1 をいつまでも待つ。</translation>
    </message>
    <message>
        <source>The whole worker group is started again.</source>
        <translation>ワーカーグループ全体が起動し直される。</translation>
    </message>
    <message>
        <source>The run fails.</source>
        <translation>実行は失敗する。</translation>
    </message>
    <message>
        <source>Nobody: nothing is noticed.</source>
        <translation>誰も示さない。何も気付かれない。</translation>
    </message>
    <message>
        <source>Nobody: ranks fail with exceptions that don&apos;t say whose fault it is.</source>
        <translation>誰も示さない。ランクは例外で失敗するが、どのランクのせいかは分からない。</translation>
    </message>
    <message>
        <source>The agent: it sees a process end.</source>
        <translation>エージェント。プロセスの終了に気付く。</translation>
    </message>
    <message>
        <source>The diagnosis: it names the rank that others wait for.</source>
        <translation>診断。ほかのランクが待っている相手を示す。</translation>
    </message>
    <message>
        <source>The comparison of the calls: this rank&apos;s doesn&apos;t fit.</source>
        <translation>呼び出しの突き合わせ。このランクの呼び出しだけが合わない。</translation>
    </message>
</context>
<context>
    <name>FigureAge</name>
    <message>
        <source>measured %1 ago</source>
        <translation>%1前に測定</translation>
    </message>
</context>
<context>
    <name>GroupLegend</name>
    <message>
        <source>◆ %1: ranks %2, line %3</source>
        <translation>◆ %1：ランク %2、%3 行目</translation>
    </message>
</context>
<context>
    <name>HostTexts</name>
    <message>
        <source>not checked yet</source>
        <translation>未確認</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>確認中…</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>使用可能</translation>
    </message>
    <message>
        <source>needs a look</source>
        <translation>要確認</translation>
    </message>
    <message>
        <source>unusable</source>
        <translation>使用不可</translation>
    </message>
    <message>
        <source>any</source>
        <translation>指定なし</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>空き %1 / %2</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>GPU なし</translation>
    </message>
    <message>
        <source>%1 × %2, %3 of %4 in use</source>
        <translation>%1 × %2、使用中 %3 / %4</translation>
    </message>
    <message>
        <source>no Python</source>
        <translation>Python なし</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>There is no Python; install it, or name the interpreter.</source>
        <translation>Python がありません。インストールするか、インタープリターを指定してください。</translation>
    </message>
    <message>
        <source>%1 has no torch; install it, or name another interpreter.</source>
        <translation>%1 には torch がありません。インストールするか、別のインタープリターを指定してください。</translation>
    </message>
    <message>
        <source>Its clock is wrong; let NTP set it.</source>
        <translation>時計がずれています。NTP で合わせてください。</translation>
    </message>
    <message>
        <source>%1 × %2, %3 in use</source>
        <translation>%1 × %2、使用中 %3</translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation>接続しています…</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>表示中</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>接続できません</translation>
    </message>
</context>
<context>
    <name>HostWords</name>
    <message>
        <source>Its clock is ahead of this machine&apos;s by %1.</source>
        <translation>このマシンの時計より %1 進んでいます。</translation>
    </message>
    <message>
        <source>The group runs without it; it takes part from the next start on, where there is room.</source>
        <translation>グループはこのホストなしで実行中です。空きがあれば、次の開始から参加します。</translation>
    </message>
    <message>
        <source>Its workers go on; nobody restarts while it is away for less than the job&apos;s node_timeout.</source>
        <translation>このホストのワーカーは動き続けています。切断がジョブの node_timeout より短ければ、再起動は起こりません。</translation>
    </message>
</context>
<context>
    <name>LabelLayout</name>
    <message>
        <source>gets %1</source>
        <translation>受け取る %1</translation>
    </message>
    <message>
        <source>gives %1</source>
        <translation>渡す %1</translation>
    </message>
    <message numerus="yes">
        <source>%n more in the table</source>
        <translation>
            <numerusform>ほか %n 件は表にあります</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 バイト</translation>
    </message>
    <message>
        <source>%1 · %2 bytes</source>
        <translation>%1・%2 バイト</translation>
    </message>
    <message>
        <source>%1 · line %2</source>
        <translation>%1・%2 行目</translation>
    </message>
</context>
<context>
    <name>LearnText</name>
    <message>
        <source>any rank</source>
        <translation>任意のランク</translation>
    </message>
    <message>
        <source>runs to its end</source>
        <translation>最後まで実行されました</translation>
    </message>
    <message>
        <source>deadlocks</source>
        <translation>デッドロックします</translation>
    </message>
    <message>
        <source>touches a buffer too early</source>
        <translation>バッファに早く触れすぎています</translation>
    </message>
    <message>
        <source>calls collectives that don&apos;t agree</source>
        <translation>集団通信の呼び出しが食い違っています</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>失敗します</translation>
    </message>
    <message>
        <source>nobody receives yet</source>
        <translation>受信側がまだいません</translation>
    </message>
    <message>
        <source>nobody sends yet</source>
        <translation>送信側がまだいません</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>転送中</translation>
    </message>
    <message>
        <source>delivered</source>
        <translation>配達済み</translation>
    </message>
    <message>
        <source>Kill the worker (SIGKILL)</source>
        <translation>ワーカーを強制終了（SIGKILL）</translation>
    </message>
    <message>
        <source>Pause the worker (SIGSTOP)</source>
        <translation>ワーカーを一時停止（SIGSTOP）</translation>
    </message>
    <message>
        <source>Let it go on (SIGCONT)</source>
        <translation>再開させる（SIGCONT）</translation>
    </message>
    <message>
        <source>Delay its next call by 3 s</source>
        <translation>次の呼び出しを 3 秒遅らせる</translation>
    </message>
    <message>
        <source>Wrong shape in its next call</source>
        <translation>次の呼び出しで形を間違える</translation>
    </message>
    <message>
        <source>Wrong type in its next call</source>
        <translation>次の呼び出しで型を間違える</translation>
    </message>
    <message>
        <source>Corrupt data in its next call</source>
        <translation>次の呼び出しのデータを壊す</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>No</source>
        <translation>いいえ</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>ランク %1</translation>
    </message>
    <message>
        <source>reaches line %1</source>
        <translation>%1 行目に到達</translation>
    </message>
    <message>
        <source>enters %1</source>
        <translation>%1 に入る</translation>
    </message>
    <message>
        <source>is back from %1</source>
        <translation>%1 から戻る</translation>
    </message>
    <message>
        <source>writes a buffer before its wait()</source>
        <translation>wait() の前にバッファへ書き込む</translation>
    </message>
    <message>
        <source>reads a buffer before its wait()</source>
        <translation>wait() の前にバッファを読む</translation>
    </message>
    <message>
        <source>fails: %1</source>
        <translation>失敗：%1</translation>
    </message>
    <message>
        <source>chunk %1 arrived from rank %2, %3</source>
        <translation>チャンク %1 がランク %2 から到着、%3</translation>
    </message>
    <message>
        <source>the recording&apos;s limit is reached</source>
        <translation>記録の上限に達しました</translation>
    </message>
    <message>
        <source>did the program&apos;s last line</source>
        <translation>プログラムの最後の行を終えた</translation>
    </message>
    <message>
        <source>waits: the ranks don&apos;t agree</source>
        <translation>待機中：ランクどうしが食い違っています</translation>
    </message>
    <message>
        <source>waits for one of the ranks %1</source>
        <translation>ランク %1 のどれかを待っています</translation>
    </message>
    <message>
        <source>waits for rank %1</source>
        <translation>ランク %1 を待っています</translation>
    </message>
    <message>
        <source>waits for the ranks %1</source>
        <translation>ランク %1 を待っています</translation>
    </message>
    <message>
        <source>Rank %1 writes %2 in line %3, before the wait() for the %4 of line %5.</source>
        <translation>ランク %1 が %3 行目で、%5 行目の %4 の wait() より前に %2 へ書き込んでいます。</translation>
    </message>
    <message>
        <source>Rank %1 reads %2 in line %3, before the wait() for the %4 of line %5.</source>
        <translation>ランク %1 が %3 行目で、%5 行目の %4 の wait() より前に %2 を読んでいます。</translation>
    </message>
    <message>
        <source>the operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>the data type</source>
        <translation>データ型</translation>
    </message>
    <message>
        <source>the size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>the reduction</source>
        <translation>リダクション</translation>
    </message>
    <message>
        <source>the root</source>
        <translation>ルート</translation>
    </message>
    <message>
        <source>rank %1 calls %2 in line %3</source>
        <translation>ランク %1 は %3 行目で %2 を呼ぶ</translation>
    </message>
    <message>
        <source>The ranks don&apos;t agree about %1: %2.</source>
        <translation>%1がランクどうしで食い違っています：%2。</translation>
    </message>
    <message>
        <source>Deadlock: %1.</source>
        <translation>デッドロック：%1。</translation>
    </message>
    <message>
        <source>has a fault that was made on purpose: %1</source>
        <translation>に意図的な障害：%1</translation>
    </message>
    <message>
        <source>rank %1 (line %2, %3)</source>
        <translation>ランク %1（%2 行目、%3）</translation>
    </message>
    <message>
        <source>Deadlock: %1 wait for each other in a circle.</source>
        <translation>デッドロック：%1 が輪になって互いを待っています。</translation>
    </message>
    <message>
        <source>chunk %1, step %2</source>
        <translation>チャンク %1、ステップ %2</translation>
    </message>
    <message>
        <source>chunk %1, reduce-scatter %2 of %3</source>
        <translation>チャンク %1、reduce-scatter %2/%3</translation>
    </message>
    <message>
        <source>chunk %1, all-gather %2 of %3</source>
        <translation>チャンク %1、all-gather %2/%3</translation>
    </message>
    <message>
        <source>the groups</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>Rank %1 calls %2 in line %3 of a group that it isn&apos;t a member of: torch warns and does nothing.</source>
        <translation>ランク %1 が、自分がメンバーでないグループの %2 を %3 行目で呼びました。torch は警告を出すだけで、何もしません。</translation>
    </message>
    <message>
        <source>The new_group that rank %1 called in line %2 was never called by %3: every rank must make every group, in the same order.</source>
        <translation>ランク %1 が %2 行目で呼んだ new_group を、%3 は一度も呼びませんでした。どのグループも、全ランクが同じ順に作らなければなりません。</translation>
    </message>
    <message>
        <source>Rank %1 sends %2 bytes to rank %3 in line %4, which receives %5 bytes in line %6.</source>
        <translation>ランク %1 は %4 行目でランク %3 に %2 バイトを送りますが、ランク %3 が %6 行目で受け取るのは %5 バイトです。</translation>
    </message>
    <message>
        <source>Rank %1 waited in %2, line %3, for %4, which had ended or left its process group without it.</source>
        <translation>ランク %1 は %3 行目の %2 で %4 を待っていましたが、相手はそれを呼ばないまま、終了したか、プロセスグループを離れていました。</translation>
    </message>
    <message>
        <source>rank %1 makes one of %2 in line %3</source>
        <translation>ランク %1 は %3 行目でランク %2 のグループを作る</translation>
    </message>
    <message>
        <source>The ranks don&apos;t make the same groups in the same order: %1.</source>
        <translation>各ランクが同じグループを同じ順序で作っていません：%1。</translation>
    </message>
    <message>
        <source>The ring in line %1: each rank passes on the sum that it has made instead of what it received, so inputs count more than once and the result is wrong.</source>
        <translation>%1 行目のリング：どのランクも、受け取ったものではなく自分が足した和を次へ渡しています。同じ入力が何度も数えられ、結果は誤りです。</translation>
    </message>
    <message>
        <source>The ring in line %1 passes whole tensors round: the sum is right, but each rank sends %2 bytes; in %3 chunks it would send %4.</source>
        <translation>%1 行目のリングはテンソル全体を回しています。和は正しいものの、各ランクが %2 バイトを送ります。%3 個のチャンクに分ければ %4 バイトで済みます。</translation>
    </message>
</context>
<context>
    <name>LessonHtml</name>
    <message>
        <source>▲ What people get wrong</source>
        <translation>▲ よくある間違い</translation>
    </message>
    <message>
        <source>Change the program</source>
        <translation>プログラムを変えてみる</translation>
    </message>
    <message>
        <source>✓ solved:</source>
        <translation>✓ 達成：</translation>
    </message>
    <message>
        <source>which ranks never get past this line: %1</source>
        <translation>次の行から先へ進めないランク: %1</translation>
    </message>
    <message>
        <source>whether the run comes to a deadlock</source>
        <translation>デッドロックになるかどうか</translation>
    </message>
    <message>
        <source>which ranks the verdict names</source>
        <translation>診断が名指しするランク</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>the last rank</source>
        <translation>最後のランク</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>ランク %1</translation>
    </message>
    <message>
        <source>%1 on %2, once this line has run: %3</source>
        <translation>次の行の実行後、%2 の %1 の値: %3</translation>
    </message>
    <message>
        <source>how many bytes %1 sends</source>
        <translation>%1 が送るバイト数</translation>
    </message>
    <message>
        <source>whose message %1 receives in this line: %2</source>
        <translation>次の行で %1 が受け取るメッセージの送り手: %2</translation>
    </message>
</context>
<context>
    <name>LessonLanguage</name>
    <message>
        <source>en</source>
        <extracomment>The language of this translation, as in &quot;en&quot; or &quot;ja&quot;; lessons bring texts in both.</extracomment>
        <translation>ja</translation>
    </message>
</context>
<context>
    <name>LessonRunText</name>
    <message>
        <source>Waiting for the agent to start …</source>
        <translation>エージェントの起動を待っています…</translation>
    </message>
    <message>
        <source>Waiting for the workers: they start Python and import torch …</source>
        <translation>ワーカーを待っています：Python を起動し torch を読み込んでいます…</translation>
    </message>
    <message>
        <source>a run that was started elsewhere: it can be looked at</source>
        <translation>別の場所で開始された実行：閲覧のみできます</translation>
    </message>
    <message>
        <source>%1 of %2 workers have come …</source>
        <translation>%2 ワーカー中 %1 が到着…</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1・%2</translation>
    </message>
    <message numerus="yes">
        <source>%n real processes</source>
        <translation>
            <numerusform>本物のプロセス %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>the program %1</source>
        <translation>プログラムは%1</translation>
    </message>
    <message>
        <source>ended: %1</source>
        <translation>終了：%1</translation>
    </message>
    <message>
        <source>recorded, nothing runs: %1</source>
        <translation>記録（何も実行していません）：%1</translation>
    </message>
    <message numerus="yes">
        <source>recorded, nothing runs: %n ranks</source>
        <translation>
            <numerusform>記録 (何も実行していません): %n ランク</numerusform>
        </translation>
    </message>
    <message>
        <source>not started</source>
        <translation>開始されませんでした</translation>
    </message>
    <message>
        <source>its end isn&apos;t known</source>
        <translation>終わり方は不明</translation>
    </message>
</context>
<context>
    <name>LessonScene</name>
    <message>
        <source>Starting</source>
        <translation>起動中</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>停止中（ゲート）</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>In call</source>
        <translation>呼び出し中</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>ブロック中</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>消滅</translation>
    </message>
    <message>
        <source>waits in a circle</source>
        <translation>循環待ち</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>待機</translation>
    </message>
    <message>
        <source>%1 of %2 entered, %3 back</source>
        <translation>%2 ランク中 %1 が入り、%3 が戻った</translation>
    </message>
    <message>
        <source>Rank %1 failed in line %2: %3</source>
        <translation>ランク %1 が %2 行目で失敗：%3</translation>
    </message>
    <message>
        <source>The worker of rank %1 is gone.</source>
        <translation>ランク %1 のワーカーがいなくなりました。</translation>
    </message>
    <message>
        <source>Rank %1 %2</source>
        <translation>ランク %1：%2</translation>
    </message>
    <message>
        <source>Lines and values: read in each worker. Chunks: as the ring backend told.</source>
        <translation>行と値は各ワーカーから読み取り、チャンクは ring バックエンドの報告のままです。</translation>
    </message>
    <message>
        <source>Lines, calls and values: read in each worker. What %1 does inside of a collective isn&apos;t shown, because it isn&apos;t measured.</source>
        <translation>行・呼び出し・値は各ワーカーから読み取ったものです。集団通信の中で %1 が何をするかは、計測していないため表示しません。</translation>
    </message>
    <message>
        <source>the backend</source>
        <translation>バックエンド</translation>
    </message>
    <message>
        <source>%1 to rank %2</source>
        <translation>%1 → ランク %2</translation>
    </message>
    <message>
        <source>%1 from rank %2</source>
        <translation>%1 ← ランク %2</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>グループ %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 の %1</translation>
    </message>
    <message>
        <source>%1, corrupted</source>
        <translation>%1、破損</translation>
    </message>
    <message>
        <source>corrupted</source>
        <translation>破損</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>▲ touched too early</source>
        <translation>▲ 早すぎるアクセス</translation>
    </message>
    <message>
        <source>written before wait(), line %1</source>
        <translation>wait() の前に書き込み、%1 行目</translation>
    </message>
    <message>
        <source>read before wait(), line %1</source>
        <translation>wait() の前に読み取り、%1 行目</translation>
    </message>
    <message>
        <source>Agent: %1</source>
        <translation>エージェント：%1</translation>
    </message>
    <message>
        <source>Agent: rank %1, %2</source>
        <translation>エージェント：ランク %1、%2</translation>
    </message>
    <message>
        <source>%1: rank %2</source>
        <translation>%1：ランク %2</translation>
    </message>
    <message>
        <source>%1: ranks %2</source>
        <translation>%1：ランク %2</translation>
    </message>
    <message>
        <source>held %1 + arrived %2 = now %3</source>
        <translation>手元の %1 ＋ 届いた %2 ＝ 今 %3</translation>
    </message>
    <message>
        <source>held %1 × arrived %2 = now %3</source>
        <translation>手元の %1 × 届いた %2 ＝ 今 %3</translation>
    </message>
    <message>
        <source>held %1, arrived %2, now %3</source>
        <translation>手元は %1、届いたのは %2、今は %3</translation>
    </message>
    <message>
        <source>held, by chunk</source>
        <translation>手元のチャンク</translation>
    </message>
    <message>
        <source>Operations: as each rank&apos;s recorder told, when they were entered and when they were over. Lines in between and values weren&apos;t recorded, and so aren&apos;t shown.</source>
        <translation>操作: 各ランクの記録にある、呼び出した時刻と終わった時刻。その間の行と値は記録されていないので、表示しません。</translation>
    </message>
</context>
<context>
    <name>LessonTrust</name>
    <message>
        <source>Run a program from outside</source>
        <translation>外部のプログラムの実行</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>実行する</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>The program that you see in the editor didn&apos;t come with Ringmaster. It will run on this machine with your rights. Run it?</source>
        <translation>エディターに表示されているプログラムは Ringmaster に付属のものではありません。あなたの権限でこのマシン上で実行されます。実行しますか。</translation>
    </message>
</context>
<context>
    <name>MessageBoxes</name>
    <message>
        <source>The job did not start</source>
        <translation>ジョブを開始できませんでした</translation>
    </message>
    <message>
        <source>Ringmaster cannot start</source>
        <translation>Ringmaster を起動できません</translation>
    </message>
    <message>
        <source>About Ringmaster</source>
        <translation>Ringmaster について</translation>
    </message>
    <message>
        <source>Ringmaster %1 launches, supervises and explains distributed PyTorch jobs. Free software, GPL-3.0-or-later.</source>
        <translation>Ringmaster %1 は、分散 PyTorch ジョブを起動・監視・説明します。フリーソフトウェア (GPL-3.0-or-later)。</translation>
    </message>
    <message>
        <source>The job was not stopped</source>
        <translation>ジョブを停止できませんでした</translation>
    </message>
    <message>
        <source>%1 was not stopped, so the window stays open.</source>
        <translation>%1 を停止できなかったため、ウィンドウは開いたままです。</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>The rendezvous gave places for {places} roles, but this node brings {roles}.</source>
        <translation>ランデブーの割り当ては {places} ロール分ですが、このノードには {roles} ロールあります。</translation>
    </message>
    <message>
        <source>Rank {rank} failed; the worker group is stopped.</source>
        <translation>ランク {rank} が失敗しました。ワーカーグループを停止します。</translation>
    </message>
    <message>
        <source>The process that keeps the workers was lost; the worker group is stopped.</source>
        <translation>ワーカーを管理するプロセスが失われました。ワーカーグループを停止します。</translation>
    </message>
    <message>
        <source>Restarted by the user; this isn&apos;t charged to the restart budget.</source>
        <translation>ユーザーが再起動しました。再起動回数には数えません。</translation>
    </message>
    <message>
        <source>Stopped by the user.</source>
        <translation>ユーザーが停止しました。</translation>
    </message>
    <message>
        <source>Received signal {signal}; the workers are stopped.</source>
        <translation>シグナル {signal} を受け取りました。ワーカーを停止します。</translation>
    </message>
    <message>
        <source>{signal} was sent to {ranks|rank}; {ranks|it has|they have} {grace} s to end.</source>
        <translation>ランク {ranks} に {signal} を送りました。終了までの猶予は {grace} 秒です。</translation>
    </message>
    <message>
        <source>All {budget} restarts are used.</source>
        <translation>再起動 {budget} 回をすべて使い切りました。</translation>
    </message>
    <message>
        <source>The worker group failed after {seconds} s, sooner than the minimum healthy time; it isn&apos;t tried again.</source>
        <translation>ワーカーグループが {seconds} 秒で失敗しました。最低健全時間より短いため、再試行しません。</translation>
    </message>
    <message>
        <source>The run can&apos;t be {what} now: it is {state}.</source>
        <translation>今は実行を {what} にできません: 状態は {state} です。</translation>
    </message>
    <message>
        <source>Rank {rank} isn&apos;t running on this node.</source>
        <translation>ランク {rank} はこのノードで実行されていません。</translation>
    </message>
    <message>
        <source>{signal} isn&apos;t a signal.</source>
        <translation>{signal} はシグナルではありません。</translation>
    </message>
    <message>
        <source>{signal} was sent to rank {rank}.</source>
        <translation>{signal} をランク {rank} に送りました。</translation>
    </message>
    <message>
        <source>Rank {rank} still runs {seconds} s after {signal}; it is killed.</source>
        <translation>ランク {rank} は {signal} から {seconds} 秒たっても実行中です。強制終了します。</translation>
    </message>
    <message>
        <source>{ranks|Rank} still {ranks|runs|run} {seconds} s after {signal}. Stop again (Ctrl+C) to kill {ranks|it|them} now; else Ringmaster does so {grace} s after {signal}.</source>
        <translation>ランク {ranks} は {signal} から {seconds} 秒たってもまだ動いています。今すぐ強制終了するには、もう一度停止してください (Ctrl+C)。しなければ {signal} から {grace} 秒後に Ringmaster が強制終了します。</translation>
    </message>
    <message>
        <source>A second signal: the workers that are left are killed at once.</source>
        <translation>2 回目のシグナルです。残りのワーカーをすぐに強制終了します。</translation>
    </message>
    <message>
        <source>The workers were killed and still aren&apos;t gone; they are ended as soon as that is possible.</source>
        <translation>ワーカーを強制終了しましたが、まだ残っています。可能になりしだい終了させます。</translation>
    </message>
    <message>
        <source>All workers have ended; their last output is still being written, since the disk of the logs is slow. Stop again (Ctrl+C) to end without it.</source>
        <translation>ワーカーはすべて終了しましたが、ログのディスクが遅いため、最後の出力をまだ書き込んでいます。待たずに終了するには、もう一度停止してください (Ctrl+C)。</translation>
    </message>
    <message>
        <source>All workers have ended, but for {seconds} s the file system of {path} hasn&apos;t taken their last output; look at that disk, or at the server it is mounted from.</source>
        <translation>ワーカーはすべて終了しましたが、{path} のファイルシステムが {seconds} 秒たっても最後の出力を受け付けません。そのディスク、またはマウント元のサーバーを確認してください。</translation>
    </message>
    <message>
        <source>The other nodes did not end in time; this one has succeeded and leaves.</source>
        <translation>他のノードが時間内に終わりませんでした。このノードは成功したので抜けます。</translation>
    </message>
    <message>
        <source>The watchdog&apos;s file {path} can&apos;t be made; workers run without it.</source>
        <translation>ウォッチドッグのファイル {path} を作れません。ワーカーはそれなしで実行します。</translation>
    </message>
    <message>
        <source>Rank {rank} let the timer {scope} expire; it was sent signal {signal}.</source>
        <translation>ランク {rank} のタイマー {scope} が時間切れになりました。シグナル {signal} を送りました。</translation>
    </message>
    <message>
        <source>A message in the watchdog&apos;s file was refused: {what}.</source>
        <translation>ウォッチドッグのファイルの内容を拒みました: {what}。</translation>
    </message>
    <message>
        <source>{ranks|Rank} failed in the same way: {error}</source>
        <translation>ランク {ranks} が同じように失敗しました: {error}</translation>
    </message>
    <message>
        <source>{ranks|Rank} failed independently within {milliseconds} ms of each other; which was first can&apos;t be told.</source>
        <translation>ランク {ranks} が {milliseconds} ミリ秒以内に別々に失敗しました。どれが最初かは分かりません。</translation>
    </message>
    <message>
        <source>{ranks|Rank} lost a peer; {left|rank} had ended before {ranks|it|them}, without an error.</source>
        <translation>ランク {ranks} が相手を失いました。ランク {left} がその前にエラーなしで終了していました。</translation>
    </message>
    <message>
        <source>{ranks|Rank} lost the connection to a peer, but no worker of this node failed by itself: {error}</source>
        <translation>ランク {ranks} が相手との接続を失いましたが、このノードで自ら失敗したワーカーはありません: {error}</translation>
    </message>
    <message>
        <source>{absent|Rank} did not come to monitored_barrier, where rank {rank} waited for {absent|it|them}: {error}</source>
        <translation>ランク {absent} は monitored_barrier に来ませんでした。ランク {rank} がそこで待っていました: {error}</translation>
    </message>
    <message>
        <source>{ranks|Rank} waited for the others in vain: {error}</source>
        <translation>ランク {ranks} は他のランクを待ちましたが、来ませんでした: {error}</translation>
    </message>
    <message>
        <source>{ranks|Rank} waited in vain while {busy|rank} {busy|was|were} still running: {error}</source>
        <translation>ランク {busy} が実行中の間、ランク {ranks} は待ち続けて時間切れになりました: {error}</translation>
    </message>
    <message>
        <source>The last line of rank {rank}&apos;s traceback that is in your own code is where to look.</source>
        <translation>ランク {rank} のトレースバックのうち、自分のコードの最後の行を確認してください。</translation>
    </message>
    <message>
        <source>To see where rank {rank} failed, decorate its main function with torch.distributed.elastic.multiprocessing.errors.record.</source>
        <translation>ランク {rank} の失敗した場所を知るには、main 関数に torch.distributed.elastic.multiprocessing.errors.record を付けてください。</translation>
    </message>
    <message>
        <source>Set PYTHONFAULTHANDLER=1 to see where rank {rank} was when it died.</source>
        <translation>PYTHONFAULTHANDLER=1 を設定すると、ランク {rank} が落ちた場所が分かります。</translation>
    </message>
    <message>
        <source>The program refused its arguments; its usage is at the end of its log.</source>
        <translation>プログラムが引数を受け付けませんでした。使い方がログの末尾にあります。</translation>
    </message>
    <message>
        <source>Install {module} for the job&apos;s interpreter, or choose the interpreter that has it.</source>
        <translation>ジョブのインタープリターに {module} をインストールするか、それがあるインタープリターを選んでください。</translation>
    </message>
    <message>
        <source>Check the path {path}; it is relative to the working folder unless it starts with /.</source>
        <translation>パス {path} を確認してください。/ で始まらないパスは作業フォルダーからの相対です。</translation>
    </message>
    <message>
        <source>The machine or its memory limit is too small: use fewer data-loader workers, smaller batches, or raise the limit.</source>
        <translation>マシンかメモリの上限が小さすぎます。データローダーのワーカーやバッチを減らすか、上限を上げてください。</translation>
    </message>
    <message>
        <source>It was killed from outside: look for a scheduler&apos;s limit, another user, or the kernel&apos;s log.</source>
        <translation>外部から強制終了されました。スケジューラーの制限、他のユーザー、カーネルのログを確認してください。</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory is full: use a smaller batch, and check that nothing else runs on that GPU.</source>
        <translation>GPU のメモリがいっぱいです。バッチを小さくし、その GPU で他に何も動いていないことを確認してください。</translation>
    </message>
    <message>
        <source>Shared memory or a disk is full: enlarge /dev/shm, use fewer data-loader workers, or free some space.</source>
        <translation>共有メモリかディスクがいっぱいです。/dev/shm を広げるか、データローダーのワーカーを減らすか、空きを作ってください。</translation>
    </message>
    <message>
        <source>A port is in use: stop what holds it, or let the rendezvous choose a free one (--standalone).</source>
        <translation>ポートが使用中です。使っているものを止めるか、空きポートをランデブーに選ばせてください (--standalone)。</translation>
    </message>
    <message>
        <source>Run with CUDA_LAUNCH_BLOCKING=1 to see the operation that failed; often it is an index out of range.</source>
        <translation>CUDA_LAUNCH_BLOCKING=1 を付けて実行すると、失敗した演算が分かります。多くは範囲外の添字です。</translation>
    </message>
    <message>
        <source>Run with NCCL_DEBUG=INFO; NCCL&apos;s own lines in the log name the network interface or GPU.</source>
        <translation>NCCL_DEBUG=INFO を付けて実行してください。ログの NCCL の行に、ネットワークインターフェースか GPU の名前が出ます。</translation>
    </message>
    <message>
        <source>Compare the ends of the logs of {ranks|rank}.</source>
        <translation>ランク {ranks} のログの末尾を見比べてください。</translation>
    </message>
    <message>
        <source>Every rank must take part in the same operations: check for uneven data or an early return.</source>
        <translation>全ランクが同じ演算に参加しなければなりません。データの偏りや早い return がないか確認してください。</translation>
    </message>
    <message>
        <source>Look at the workers of the other nodes, and at the network between them.</source>
        <translation>他のノードのワーカーと、ノード間のネットワークを確認してください。</translation>
    </message>
    <message>
        <source>A rank did not enter the operation that the others waited in: look at what it did last.</source>
        <translation>他のランクが待っていた演算に入らなかったランクがあります。最後に何をしていたか確認してください。</translation>
    </message>
    <message>
        <source>Cold start: the job is plain, so nothing is prepared for its workers.</source>
        <translation>コールドスタート：ジョブがプレーンなので、ワーカーのための準備は何もしません。</translation>
    </message>
    <message>
        <source>Cold start: {program} isn&apos;t a Python script or module, so there is nothing to import ahead.</source>
        <translation>コールドスタート：{program} は Python のスクリプトやモジュールではないため、前もってインポートするものがありません。</translation>
    </message>
    <message>
        <source>Cold start: {variable} isn&apos;t the same for all ranks, and it is read when libraries are loaded.</source>
        <translation>コールドスタート：{variable} がすべてのランクで同じではありません。この変数はライブラリの読み込み時に読まれます。</translation>
    </message>
    <message>
        <source>Cold start: the roles have different interpreters.</source>
        <translation>コールドスタート：ロールごとにインタープリターが異なります。</translation>
    </message>
    <message>
        <source>Cold start: the workers are started through {program}.</source>
        <translation>コールドスタート：ワーカーは {program} を介して起動されます。</translation>
    </message>
    <message>
        <source>Cold start: {program} doesn&apos;t mention torch, so importing it ahead would only cost time; --warm on does it all the same.</source>
        <translation>コールドスタート：{program} に torch が出てこないため、前もってインポートしても時間がかかるだけです。それでも行うには --warm on を指定します。</translation>
    </message>
    <message>
        <source>Nothing to report.</source>
        <translation>報告することはありません。</translation>
    </message>
    <message>
        <source>Internal error: {what}. Please report it with the log.</source>
        <translation>内部エラー: {what}。ログを添えて報告してください。</translation>
    </message>
    <message>
        <source>{call} failed.</source>
        <translation>{call} が失敗しました。</translation>
    </message>
    <message>
        <source>{path} does not exist.</source>
        <translation>{path} がありません。</translation>
    </message>
    <message>
        <source>{path} can&apos;t be read.</source>
        <translation>{path} を読み取れません。</translation>
    </message>
    <message>
        <source>{path} can&apos;t be written.</source>
        <translation>{path} に書き込めません。</translation>
    </message>
    <message>
        <source>{path} is larger than {limit} bytes.</source>
        <translation>{path} は {limit} バイトを超えています。</translation>
    </message>
    <message>
        <source>A thread can&apos;t be started: the limit of processes is reached; allow more with `ulimit -u`, or raise pids.max of the container or cgroup.</source>
        <translation>スレッドを開始できません。プロセス数の上限に達しています。`ulimit -u` で上限を上げるか、コンテナーまたは cgroup の pids.max を上げてください。</translation>
    </message>
    <message>
        <source>{path} isn&apos;t a regular file; it is not read.</source>
        <translation>{path} は通常のファイルではないため、読み込みません。</translation>
    </message>
    <message>
        <source>The folder {path} can&apos;t be written; choose another or change its permissions.</source>
        <translation>フォルダー {path} に書き込めません。別のフォルダーを選ぶか、権限を変更してください。</translation>
    </message>
    <message>
        <source>The folder {path} belongs to somebody else or isn&apos;t private (it must be yours, mode 0700); remove it or set XDG_RUNTIME_DIR.</source>
        <translation>フォルダー {path} は他のユーザーのものか、非公開ではありません (自分の所有で、モード 0700 である必要があります)。削除するか、XDG_RUNTIME_DIR を設定してください。</translation>
    </message>
    <message>
        <source>The disk with {path} is full; free some space.</source>
        <translation>{path} のあるディスクがいっぱいです。空きを作ってください。</translation>
    </message>
    <message>
        <source>{what} did not happen within {seconds} s.</source>
        <translation>{what} は {seconds} 秒以内に起こりませんでした。</translation>
    </message>
    <message>
        <source>{what} was cancelled.</source>
        <translation>{what} は取り消されました。</translation>
    </message>
    <message>
        <source>{what} isn&apos;t supported here.</source>
        <translation>{what} はここでは使えません。</translation>
    </message>
    <message>
        <source>A {what} can&apos;t be understood: it is damaged or isn&apos;t one.</source>
        <translation>{what} を理解できません。壊れているか、別のものです。</translation>
    </message>
    <message>
        <source>The run {run} has ended.</source>
        <translation>実行 {run} は終了しています。</translation>
    </message>
    <message>
        <source>{options} can&apos;t be combined with the job file {path}; write what you want into the file.</source>
        <translation>{options} はジョブファイル {path} と一緒に使えません。ファイルの中に書いてください。</translation>
    </message>
    <message>
        <source>There is no command “{command}”; `ringmaster --help` lists them.</source>
        <translation>コマンド「{command}」はありません。`ringmaster --help` で一覧を表示します。</translation>
    </message>
    <message>
        <source>There is no command “{command}”; did you mean “{nearest}”?</source>
        <translation>コマンド「{command}」はありません。「{nearest}」ではありませんか?</translation>
    </message>
    <message>
        <source>“{text}” could be any of {runs}; write more of it.</source>
        <translation>「{text}」は {runs} のどれにも当てはまります。もう少し長く書いてください。</translation>
    </message>
    <message>
        <source>There is no run {text}; did you mean {nearest}?</source>
        <translation>実行 {text} はありません。{nearest} ではありませんか?</translation>
    </message>
    <message>
        <source>There are no runs yet; start one with `ringmaster run`.</source>
        <translation>実行はまだありません。`ringmaster run` で開始してください。</translation>
    </message>
    <message>
        <source>No run is running; say which one you mean.</source>
        <translation>実行中のものはありません。どの実行かを指定してください。</translation>
    </message>
    <message>
        <source>Several runs are running ({runs}); say which one you mean.</source>
        <translation>複数の実行があります ({runs})。どれかを指定してください。</translation>
    </message>
    <message>
        <source>“{name}” isn&apos;t a signal; write for example SIGUSR1, TERM or 15.</source>
        <translation>「{name}」はシグナルではありません。SIGUSR1、TERM、15 のように書いてください。</translation>
    </message>
    <message>
        <source>“{value}” isn&apos;t a rank or a list of ranks; write for example 0 or 0,2-3.</source>
        <translation>「{value}」はランクやその一覧ではありません。0 や 0,2-3 のように書いてください。</translation>
    </message>
    <message>
        <source>Rank {rank} isn&apos;t one of this job&apos;s: it has {count} on this node.</source>
        <translation>ランク {rank} はこのジョブにありません。このノードのランクは {count} 個です。</translation>
    </message>
    <message>
        <source>Cold start: nobody is at a terminal who could start the next run soon; --warm on keeps a starter all the same.</source>
        <translation>コールドスタート：端末に人がおらず、すぐに次の実行が始まる見込みがありません。それでもスターターを残すには --warm on を指定します。</translation>
    </message>
    <message>
        <source>Cold start: the process that the starter would end with is gone.</source>
        <translation>コールドスタート：スターターの所有者となるはずのプロセスがすでにありません。</translation>
    </message>
    <message>
        <source>There is no warm starter; `ringmaster run --warm on` starts one.</source>
        <translation>ウォームスターターはありません。`ringmaster run --warm on` で起動します。</translation>
    </message>
    <message>
        <source>Rank {rank} has ended without leaving its group; {operation} can&apos;t complete.</source>
        <translation>ランク {rank} がグループを離れずに終了したため、{operation} を完了できません。</translation>
    </message>
    <message>
        <source>Rank {rank} has left the group; {operation} can&apos;t complete.</source>
        <translation>ランク {rank} がグループを離れたため、{operation} を完了できません。</translation>
    </message>
    <message>
        <source>{operation} did not complete within {seconds} s; it waited for rank {rank}.</source>
        <translation>{operation} は {seconds} 秒以内に完了しませんでした。ランク {rank} を待っていました。</translation>
    </message>
    <message>
        <source>Rank {rank} called {call}, but rank {other} called {otherCall}; all ranks must make the same calls in the same order.</source>
        <translation>ランク {rank} は {call} を、ランク {other} は {otherCall} を呼び出しました。すべてのランクが同じ呼び出しを同じ順序で行う必要があります。</translation>
    </message>
    <message>
        <source>Rank {rank} gave up the group: {reason}</source>
        <translation>ランク {rank} がグループを中止しました: {reason}</translation>
    </message>
    <message>
        <source>{backend} can&apos;t do {operation} with {what}; choose another type or backend.</source>
        <translation>{backend} では {what} の {operation} ができません。別の型かバックエンドを選んでください。</translation>
    </message>
    <message>
        <source>{operation}: a buffer has {given} bytes where {needed} are needed.</source>
        <translation>{operation}: {needed} バイト必要なバッファーが {given} バイトしかないか、超えています。</translation>
    </message>
    <message>
        <source>{operation}: {rank} isn&apos;t a rank of this group of {size}.</source>
        <translation>{operation}: {rank} は、大きさ {size} のこのグループのランクではありません。</translation>
    </message>
    <message>
        <source>Rank {rank} sent {sent} bytes, but {expected} are received; both sides must agree.</source>
        <translation>ランク {rank} は {sent} バイトを送信しましたが、受信側は {expected} バイトです。両側を一致させてください。</translation>
    </message>
    <message>
        <source>Rank {rank} did not join its group within {seconds} s.</source>
        <translation>ランク {rank} は {seconds} 秒以内にグループに参加しませんでした。</translation>
    </message>
    <message>
        <source>A connection was refused: it doesn&apos;t know the run&apos;s secret.</source>
        <translation>接続を拒否しました。この実行の秘密を知らない相手です。</translation>
    </message>
    <message>
        <source>Rank {rank} can&apos;t be reached at {address}; choose the network interface that leads there.</source>
        <translation>{address} のランク {rank} に到達できません。そこに通じるネットワークインターフェースを選んでください。</translation>
    </message>
    <message>
        <source>There is no network interface {interface}; `ip link` lists them.</source>
        <translation>ネットワークインターフェース {interface} はありません。`ip link` で一覧を確認できます。</translation>
    </message>
    <message>
        <source>{bytes} bytes of shared memory can&apos;t be had; the memory limit may be too small.</source>
        <translation>{bytes} バイトの共有メモリーを確保できません。メモリーの上限が小さすぎる可能性があります。</translation>
    </message>
    <message>
        <source>The backend {backend} isn&apos;t available here: {reason}</source>
        <translation>バックエンド {backend} はここでは使えません: {reason}</translation>
    </message>
    <message>
        <source>A sweep&apos;s worker can&apos;t use {name} &apos;{value}&apos;; start it with `ringmaster sweep`.</source>
        <translation>スイープのワーカーは {name} &apos;{value}&apos; を使えません。`ringmaster sweep` で開始してください。</translation>
    </message>
    <message>
        <source>The sweep can&apos;t go on: {reason}</source>
        <translation>スイープを続けられません: {reason}</translation>
    </message>
    <message>
        <source>None of the sweep&apos;s backends is available here; see above, or choose gloo.</source>
        <translation>スイープのバックエンドはどれもここでは使えません。上の理由を確認するか、gloo を選んでください。</translation>
    </message>
    <message>
        <source>Rank {rank} failed at {what}, and not all did, so the sweep ends: {reason}</source>
        <translation>ランク {rank} が {what} で失敗しました。全ランクの失敗ではないため、スイープを終了します: {reason}</translation>
    </message>
    <message>
        <source>A connection of user {user} (process {pid}) was refused: only you may talk to your runs.</source>
        <translation>ユーザー {user} (プロセス {pid}) の接続を拒みました。自分の実行と通信できるのは自分だけです。</translation>
    </message>
    <message>
        <source>The socket&apos;s name {path} is longer than {limit} bytes; set XDG_RUNTIME_DIR to a shorter folder.</source>
        <translation>ソケットの名前 {path} が {limit} バイトを超えています。XDG_RUNTIME_DIR を短いフォルダーにしてください。</translation>
    </message>
    <message>
        <source>{path} is there already; another agent uses it.</source>
        <translation>{path} はすでにあり、別のエージェントが使っています。</translation>
    </message>
    <message>
        <source>Nobody answers on {path}; the agent has just ended, or doesn&apos;t run.</source>
        <translation>{path} は応答しません。エージェントは終了した直後か、動いていません。</translation>
    </message>
    <message>
        <source>The agent of {run} doesn&apos;t answer; it may be overloaded or stopped.</source>
        <translation>{run} のエージェントが応答しません。過負荷か、止められているのかもしれません。</translation>
    </message>
    <message>
        <source>The connection to the agent of {run} was lost.</source>
        <translation>{run} のエージェントとの接続が切れました。</translation>
    </message>
    <message>
        <source>The agent is ending; its run file has the rest.</source>
        <translation>エージェントは終了処理中です。残りは実行ファイルにあります。</translation>
    </message>
    <message>
        <source>Events came faster than they were read; subscribe again from {sequence}.</source>
        <translation>イベントが読み取りより速く届きました。{sequence} から購読し直してください。</translation>
    </message>
    <message>
        <source>No Ringmaster agent answered at the other end of the channel.</source>
        <translation>通信路の先で Ringmaster のエージェントが応答しませんでした。</translation>
    </message>
    <message>
        <source>The job did not start: its agent ended with {status}.</source>
        <translation>ジョブを開始できませんでした: エージェントが {status} で終了しました。</translation>
    </message>
    <message>
        <source>The job did not start within {seconds} s; its agent was ended.</source>
        <translation>ジョブが {seconds} 秒以内に開始しなかったため、エージェントを終了させました。</translation>
    </message>
    <message>
        <source>The metrics of this run are at http://127.0.0.1:{port}/metrics.</source>
        <translation>この実行のメトリクスは http://127.0.0.1:{port}/metrics にあります。</translation>
    </message>
    <message>
        <source>Port {port} is taken by another program or run, so the metrics of this run aren&apos;t served; choose another one, or 0 for a free one, or use `ringmaster metrics`.</source>
        <translation>ポート {port} は別のプログラムか実行が使っているため、この実行のメトリクスは公開されません。別のポートか、空きポートを選ぶ 0 を指定するか、`ringmaster metrics` を使ってください。</translation>
    </message>
    <message>
        <source>The metrics of this run can&apos;t be served at port {port}; choose one above 1023, or 0 for a free one.</source>
        <translation>この実行のメトリクスはポート {port} では公開できません。1024 以上のポートか、空きポートを選ぶ 0 を指定してください。</translation>
    </message>
    <message>
        <source>{path} is missing; Ringmaster isn&apos;t completely installed.</source>
        <translation>{path} がありません。Ringmaster が完全にはインストールされていません。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|has|have} waited {seconds} s in {operation} #{number} ({what}, group {group}) for {absent|rank}.</source>
        <translation>ランク {ranks} が {operation} #{number} ({what}、グループ {group}) で {seconds} 秒間ランク {absent} を待っています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} waited {seconds} s in {operation} #{number} ({what}, group {group}) for {absent|rank}, and it ended with an error.</source>
        <translation>ランク {ranks} は {operation} #{number} ({what}、グループ {group}) で {seconds} 秒間ランク {absent} を待ちましたが、エラーで終わりました。</translation>
    </message>
    <message>
        <source>{operation} #{number} of group {group} went on after {seconds} s.</source>
        <translation>グループ {group} の {operation} #{number} が {seconds} 秒後に進みました。</translation>
    </message>
    <message>
        <source>Rank {rank} is in no operation; its last was {operation} #{number} of group {group}, which ended {seconds} s ago.</source>
        <translation>ランク {rank} はどの演算にも入っていません。最後はグループ {group} の {operation} #{number} で、{seconds} 秒前に終わりました。</translation>
    </message>
    <message>
        <source>Rank {rank} has not entered any operation yet.</source>
        <translation>ランク {rank} はまだどの演算にも入っていません。</translation>
    </message>
    <message>
        <source>Rank {rank} is in {operation} #{number} of group {group}.</source>
        <translation>ランク {rank} はグループ {group} の {operation} #{number} に入っています。</translation>
    </message>
    <message>
        <source>What rank {rank} does isn&apos;t recorded here.</source>
        <translation>ランク {rank} が何をしているかは、ここでは記録されていません。</translation>
    </message>
    <message>
        <source>Rank {rank} has ended.</source>
        <translation>ランク {rank} は終了しています。</translation>
    </message>
    <message>
        <source>Rank {rank} is stopped, by a signal or a debugger.</source>
        <translation>ランク {rank} はシグナルかデバッガーで止められています。</translation>
    </message>
    <message>
        <source>Rank {rank} computes: it used {percent} % of a core in the last {seconds} s.</source>
        <translation>ランク {rank} は計算中です: 直近 {seconds} 秒間に 1 コアの {percent} % を使いました。</translation>
    </message>
    <message>
        <source>Rank {rank} has used next to no CPU time for {seconds} s.</source>
        <translation>ランク {rank} は {seconds} 秒間ほとんど CPU 時間を使っていません。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|has|have} waited {seconds} s in {operation} #{number} ({what}, group {group}) for {absent|rank}, which {absent|is|are} quiet, but at work.</source>
        <translation>ランク {ranks} が {operation} #{number} ({what}、グループ {group}) で {seconds} 秒間ランク {absent} を待っています。ランク {absent} は静かですが、作業中です。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|has|have} waited {seconds} s in {operation} (of {members|rank}) for {absent|rank}, which {absent|is|are} quiet, but at work.</source>
        <translation>ランク {ranks} が {operation} (ランク {members}) で {seconds} 秒間ランク {absent} を待っています。ランク {absent} は静かですが、作業中です。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its child `{child}` (pid {pid}).</source>
        <translation>ランク {rank} は子プロセス `{child}` (pid {pid}) を待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its child `{child}` (pid {pid}) in {function}, {file} line {line}.</source>
        <translation>ランク {rank} は {function} ({file} の {line} 行目) で子プロセス `{child}` (pid {pid}) を待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its child `{child}` (pid {pid}), which does nothing either.</source>
        <translation>ランク {rank} は子プロセス `{child}` (pid {pid}) を待っていますが、それも何もしていません。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its child `{child}` (pid {pid}), which is stopped.</source>
        <translation>ランク {rank} は子プロセス `{child}` (pid {pid}) を待っていますが、それは一時停止しています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its child `{child}` (pid {pid}), which has ended with exit code {exit}.</source>
        <translation>ランク {rank} は子プロセス `{child}` (pid {pid}) を待っていますが、それは終了コード {exit} で終わっています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its child `{child}` (pid {pid}), which was killed by {signal}.</source>
        <translation>ランク {rank} は子プロセス `{child}` (pid {pid}) を待っていますが、それは {signal} で強制終了されました。</translation>
    </message>
    <message>
        <source>A child of rank {rank}, `{child}` (pid {pid}), was killed by {signal}.</source>
        <translation>ランク {rank} の子プロセス `{child}` (pid {pid}) が {signal} で強制終了されました。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its DataLoader worker (pid {pid}).</source>
        <translation>ランク {rank} は DataLoader のワーカー (pid {pid}) を待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its DataLoader worker (pid {pid}), which does nothing either.</source>
        <translation>ランク {rank} は DataLoader のワーカー (pid {pid}) を待っていますが、それも何もしていません。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its DataLoader worker (pid {pid}), which is stopped.</source>
        <translation>ランク {rank} は DataLoader のワーカー (pid {pid}) を待っていますが、それは一時停止しています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its DataLoader worker (pid {pid}), which has ended with exit code {exit}.</source>
        <translation>ランク {rank} は DataLoader のワーカー (pid {pid}) を待っていますが、それは終了コード {exit} で終わっています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for its DataLoader worker (pid {pid}), which was killed by {signal}.</source>
        <translation>ランク {rank} は DataLoader のワーカー (pid {pid}) を待っていますが、それは {signal} で強制終了されました。</translation>
    </message>
    <message>
        <source>Rank {rank}&apos;s main thread waits for another of its threads.</source>
        <translation>ランク {rank} のメインスレッドは自身の別のスレッドを待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} writes to disk, {file}: {bytes} in the last {seconds} s.</source>
        <translation>ランク {rank} はディスクに書き込んでいます ({file}): 直近 {seconds} 秒間に {bytes}。</translation>
    </message>
    <message>
        <source>Rank {rank} reads from disk, {file}: {bytes} in the last {seconds} s.</source>
        <translation>ランク {rank} はディスクから読み込んでいます ({file}): 直近 {seconds} 秒間に {bytes}。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for the disk of {file}.</source>
        <translation>ランク {rank} は {file} のディスクを待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for a disk.</source>
        <translation>ランク {rank} はディスクを待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for a disk; it has moved no bytes in the last {seconds} s.</source>
        <translation>ランク {rank} はディスクを待っています。直近 {seconds} 秒間、データは動いていません。</translation>
    </message>
    <message>
        <source>Rank {rank} reads from a socket to {peer}; {bytes} came in the last {seconds} s.</source>
        <translation>ランク {rank} は {peer} へのソケットから読み込んでいます。直近 {seconds} 秒間に {bytes} が届きました。</translation>
    </message>
    <message>
        <source>Rank {rank} writes to a socket to {peer}; {bytes} arrived there in the last {seconds} s.</source>
        <translation>ランク {rank} は {peer} へのソケットに書き込んでいます。直近 {seconds} 秒間に {bytes} が相手に届きました。</translation>
    </message>
    <message>
        <source>Rank {rank} reads from a socket to {peer}; nothing came in the last {seconds} s.</source>
        <translation>ランク {rank} は {peer} へのソケットから読み込んでいますが、直近 {seconds} 秒間は何も届いていません。</translation>
    </message>
    <message>
        <source>Rank {rank} writes to a socket to {peer}; nothing arrived there in the last {seconds} s.</source>
        <translation>ランク {rank} は {peer} へのソケットに書き込んでいますが、直近 {seconds} 秒間は何も相手に届いていません。</translation>
    </message>
    <message>
        <source>Rank {rank} waits at a socket to {peer}.</source>
        <translation>ランク {rank} は {peer} へのソケットで待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits at a socket.</source>
        <translation>ランク {rank} はソケットで待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} reads from a pipe, and nothing comes.</source>
        <translation>ランク {rank} はパイプから読み込んでいますが、何も届きません。</translation>
    </message>
    <message>
        <source>Rank {rank} writes to a pipe that nobody reads.</source>
        <translation>ランク {rank} は誰も読まないパイプに書き込んでいます。</translation>
    </message>
    <message>
        <source>Rank {rank} opens a FIFO, and nobody opens its other end.</source>
        <translation>ランク {rank} は FIFO を開こうとしていますが、反対側を開く者がいません。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for a lock or for another of its threads.</source>
        <translation>ランク {rank} はロックか、自身の別のスレッドを待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for the lock of {file}, which another process holds.</source>
        <translation>ランク {rank} は別のプロセスが持つ {file} のロックを待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for the lock of {file}, which process {holder} holds.</source>
        <translation>ランク {rank} は、プロセス {holder} が持っている {file} のロックを待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} sleeps.</source>
        <translation>ランク {rank} はスリープしています。</translation>
    </message>
    <message>
        <source>Rank {rank} sleeps for {seconds} s more.</source>
        <translation>ランク {rank} はあと {seconds} 秒スリープします。</translation>
    </message>
    <message>
        <source>Rank {rank} waits for the driver of {file}.</source>
        <translation>ランク {rank} は {file} のドライバーを待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} saves or loads a checkpoint.</source>
        <translation>ランク {rank} はチェックポイントを保存中か読み込み中です。</translation>
    </message>
    <message>
        <source>A thread of rank {rank}, {name}, has ended with {type}: {text} ({function}, {file} line {line}). Whatever waits for it waits in vain.</source>
        <translation>ランク {rank} のスレッド {name} が {type} で終わりました: {text} ({function}、{file} の {line} 行目)。それを待つものは待ち続けます。</translation>
    </message>
    <message>
        <source>The process that rank {rank} waits for is in {function}, {file} line {line}.</source>
        <translation>ランク {rank} が待つプロセスは {function} ({file} の {line} 行目) にいます。</translation>
    </message>
    <message>
        <source>The process that rank {rank} waits for is in {function}, {file} line {line}: {code}</source>
        <translation>ランク {rank} が待つプロセスは {function} ({file} の {line} 行目) にいます: {code}</translation>
    </message>
    <message>
        <source>C code that rank {rank} has called in that line holds the interpreter&apos;s lock (GIL): none of its Python threads can run.</source>
        <translation>ランク {rank} がその行で呼び出した C コードがインタープリターのロック (GIL) を持っています。このランクの Python スレッドはどれも動けません。</translation>
    </message>
    <message>
        <source>By the system rank {rank} is in state {state}, system call {call}, kernel function {channel}.</source>
        <translation>システムによると、ランク {rank} の状態は {state}、システムコールは {call}、カーネル関数は {channel} です。</translation>
    </message>
    <message>
        <source>By the system rank {rank} is in state {state}; its system call may not be read.</source>
        <translation>システムによると、ランク {rank} の状態は {state} です。システムコールを読む権限がありません。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|waits|wait} in {operation} #{number} of group {group} for {absent|rank}, too, and so for the same.</source>
        <translation>ランク {ranks} もグループ {group} の {operation} #{number} でランク {absent} を待っており、原因は同じです。</translation>
    </message>
    <message>
        <source>NCCL&apos;s RAS says the same: {ranks|rank} {ranks|has|have} launched fewer collectives ({least}) than {others|rank} ({most}).</source>
        <translation>NCCL の RAS も同じ結果です。ランク {ranks} が起動した集団通信は {least} 回で、ランク {others} の {most} 回より少なくなっています。</translation>
    </message>
    <message>
        <source>NCCL&apos;s RAS says something else: {ranks|rank} {ranks|has|have} launched fewer collectives ({least}) than {others|rank} ({most}).</source>
        <translation>NCCL の RAS の結果は異なります。ランク {ranks} が起動した集団通信は {least} 回で、ランク {others} の {most} 回より少なくなっています。</translation>
    </message>
    <message>
        <source>By NCCL&apos;s RAS, {ranks|rank} {ranks|has|have} launched fewer collectives ({least}) than {others|rank} ({most}).</source>
        <translation>NCCL の RAS によると、ランク {ranks} が起動した集団通信は {least} 回で、ランク {others} の {most} 回より少なくなっています。</translation>
    </message>
    <message>
        <source>NCCL&apos;s RAS says something else: {ranks|rank} have launched as many collectives as each other ({most}).</source>
        <translation>NCCL の RAS の結果は異なります。ランク {ranks} が起動した集団通信の回数はすべて同じ ({most} 回) です。</translation>
    </message>
    <message>
        <source>NCCL&apos;s RAS gets no answer of {ranks|rank}.</source>
        <translation>NCCL の RAS は、ランク {ranks} から応答を得られません。</translation>
    </message>
    <message>
        <source>Rank {rank} is in {function}, {file} line {line}.</source>
        <translation>ランク {rank} は {function} ({file} の {line} 行目) にいます。</translation>
    </message>
    <message>
        <source>Rank {rank} is in {function}, {file} line {line}: {code}</source>
        <translation>ランク {rank} は {function} ({file} の {line} 行目) にいます: {code}</translation>
    </message>
    <message>
        <source>Rank {rank} is in no Python function.</source>
        <translation>ランク {rank} は Python の関数の中にいません。</translation>
    </message>
    <message>
        <source>Rank {rank}&apos;s stack can&apos;t be read: torch&apos;s worker server doesn&apos;t answer, and py-spy isn&apos;t installed. Its last known place is its last operation.</source>
        <translation>ランク {rank} のスタックを読めません。torch のワーカーサーバーが応答せず、py-spy もインストールされていません。最後にわかっている位置は最後の演算です。</translation>
    </message>
    <message>
        <source>Rank {rank}&apos;s stack can&apos;t be read: ptrace is refused. Its last known place is its last operation.</source>
        <translation>ランク {rank} のスタックを読めません。ptrace が拒否されました。最後にわかっている位置は最後の演算です。</translation>
    </message>
    <message>
        <source>Rank {rank}&apos;s stack can&apos;t be read: py-spy takes too long. Its last known place is its last operation.</source>
        <translation>ランク {rank} のスタックを読めません。py-spy の応答が遅すぎます。最後にわかっている位置は最後の演算です。</translation>
    </message>
    <message>
        <source>Rank {rank}&apos;s stack can&apos;t be read: {reason} Its last known place is its last operation.</source>
        <translation>ランク {rank} のスタックを読めません: {reason} 最後にわかっている位置は最後の演算です。</translation>
    </message>
    <message>
        <source>Rank {rank} was in {operation} #{number} of group {group} ({what}) when it ended.</source>
        <translation>ランク {rank} は終了したとき、グループ {group} の {operation} #{number} ({what}) の中にいました。</translation>
    </message>
    <message>
        <source>Rank {rank} was in no operation when it ended; its last was {operation} #{number} of group {group}.</source>
        <translation>ランク {rank} は終了したとき、どの演算にも入っていませんでした。最後はグループ {group} の {operation} #{number} でした。</translation>
    </message>
    <message>
        <source>Rank {rank} was last in {operation} #{number} of group {group}, which ended with an error.</source>
        <translation>ランク {rank} が最後に入ったのはグループ {group} の {operation} #{number} で、エラーで終わりました。</translation>
    </message>
    <message>
        <source>Rank {rank} was last in {operation} #{number} of group {group}, called in {function}, {file} line {line}, which ended with an error.</source>
        <translation>ランク {rank} が最後に入ったのはグループ {group} の {operation} #{number} ({file} の {line} 行目、{function} で呼び出し) で、エラーで終わりました。</translation>
    </message>
    <message>
        <source>Rank {rank} had entered no operation when it ended.</source>
        <translation>ランク {rank} は一度も演算に入らずに終了しました。</translation>
    </message>
    <message>
        <source>It holds no longer.</source>
        <translation>解消しました。</translation>
    </message>
    <message>
        <source>{ranks|Rank} can&apos;t go on: {ranks|it waits|they wait} in {operation} #{number} of group {group} for {absent|rank}, which {absent|has|have} ended.</source>
        <translation>ランク {ranks} は先へ進めません。グループ {group} の {operation} #{number} で、終了したランク {absent} を待っています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} can&apos;t go on: {ranks|it waits|they wait} in {operation} #{number} of group {group} for {absent|rank}, which {absent|is|are} stopped.</source>
        <translation>ランク {ranks} は先へ進めません。グループ {group} の {operation} #{number} で、止められているランク {absent} を待っています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} wait for each other in a circle: none of them can go on.</source>
        <translation>ランク {ranks} が循環して互いを待っており、どのランクも先へ進めません。</translation>
    </message>
    <message>
        <source>Rank {rank} waits in {operation} #{number} of group {group} for rank {other}.</source>
        <translation>ランク {rank} はグループ {group} の {operation} #{number} でランク {other} を待っています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} can&apos;t go on: {ranks|it is|they are} in {operation} #{number} of group {group} with {absent|rank}, which {absent|has|have} ended.</source>
        <translation>ランク {ranks} は先へ進めません。グループ {group} の {operation} #{number} に一緒に入っているランク {absent} が終了しています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} can&apos;t go on: {ranks|it is|they are} in {operation} #{number} of group {group} with {absent|rank}, which {absent|is|are} stopped.</source>
        <translation>ランク {ranks} は先へ進めません。グループ {group} の {operation} #{number} に一緒に入っているランク {absent} が止められています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|has|have} waited {seconds} s in {operation} #{number} of group {group} for {absent|rank}, which {absent|does|do} nothing.</source>
        <translation>ランク {ranks} がグループ {group} の {operation} #{number} で {seconds} 秒間、何もしていないランク {absent} を待っています。</translation>
    </message>
    <message>
        <source>All ranks have been in {operation} #{number} of group {group} for {seconds} s, and it doesn&apos;t end.</source>
        <translation>全ランクが {seconds} 秒間グループ {group} の {operation} #{number} に入ったままで、終わりません。</translation>
    </message>
    <message>
        <source>The ranks of group {group} don&apos;t agree about operation #{number}: {ranks|rank} {ranks|calls|call} {one}, {others|rank} {others|calls|call} {other}.</source>
        <translation>グループ {group} の演算 #{number} がランク間で食い違っています。ランク {ranks} は {one}、ランク {others} は {other} を呼んでいます。</translation>
    </message>
    <message>
        <source>Rank {rank} calls {operation} of group {group}, whose only {ranks|member is|members are} {ranks|rank}.</source>
        <translation>ランク {rank} がグループ {group} の {operation} を呼んでいますが、そのメンバーはランク {ranks} だけです。</translation>
    </message>
    <message>
        <source>Rank {rank} comes last to group {group} in {percent} % of its rounds, {milliseconds} ms after the others, who lose {share} % of their time by it.</source>
        <translation>ランク {rank} はグループ {group} の各回の {percent} % で最後に来ており、ほかのランクより {milliseconds} ms 遅れています。ほかのランクはそのために時間の {share} % を失っています。</translation>
    </message>
    <message>
        <source>Rank {rank} was last in {times} of {rounds} rounds, by {most} ms at most; the others came within {spread} ms.</source>
        <translation>ランク {rank} は {rounds} 回のうち {times} 回で最後でした (最大 {most} ms の遅れ)。ほかのランクは {spread} ms の間に揃っています。</translation>
    </message>
    <message>
        <source>{operation} between {ranks|rank} moves {rate} GB/s at best, {percent} % of what the calibration promised ({ceiling} GB/s).</source>
        <translation>ランク {ranks} の間の {operation} は最大でも {rate} GB/s で、キャリブレーションで期待される値（{ceiling} GB/s）の {percent} % です。</translation>
    </message>
    <message>
        <source>See in the log of rank {rank} why it ended, and stop the run.</source>
        <translation>ランク {rank} が終了した理由をログで確認し、実行を停止してください。</translation>
    </message>
    <message>
        <source>Let rank {rank} call operations only of groups that it is a member of.</source>
        <translation>ランク {rank} には、自分がメンバーであるグループの演算だけを呼ばせてください。</translation>
    </message>
    <message>
        <source>Let it go on with `ringmaster signal {rank} SIGCONT`, or stop the run.</source>
        <translation>`ringmaster signal {rank} SIGCONT` で再開させるか、実行を停止してください。</translation>
    </message>
    <message>
        <source>Let every rank call the operations of its groups in the same order.</source>
        <translation>どのランクも、各グループの演算を同じ順序で呼ぶようにしてください。</translation>
    </message>
    <message>
        <source>Look at what decides the tensor and the operation in {ranks|rank}: a branch, a shape or a count that differs between the ranks.</source>
        <translation>ランク {ranks} でテンソルと演算を決めているところを見てください。分岐、形、個数がランク間で違っています。</translation>
    </message>
    <message>
        <source>Look at what rank {rank} calls after its last operation; its log may say more.</source>
        <translation>ランク {rank} が最後の演算の後に何を呼び出すかを調べてください。ログにも手がかりがあるかもしれません。</translation>
    </message>
    <message>
        <source>Look at what rank {rank} waits for in {file} line {line}.</source>
        <translation>ランク {rank} が {file} の {line} 行目で何を待っているかを調べてください。</translation>
    </message>
    <message>
        <source>Compare rank {rank} with the others: its data loading, its clock and temperature, other programs on its cores.</source>
        <translation>ランク {rank} を他と比べてください: データの読み込み、クロックと温度、同じコアで動く他のプログラム。</translation>
    </message>
    <message>
        <source>Look at the network between the ranks, and at each rank&apos;s stack.</source>
        <translation>ランク間のネットワークと、各ランクのスタックを見てください。</translation>
    </message>
    <message>
        <source>Look at the link between these ranks, and at what else uses it.</source>
        <translation>これらのランクをつなぐ回線と、それを使う他のものを見てください。</translation>
    </message>
    <message>
        <source>{newerCode}: a statement of a newer Ringmaster; update to read it.</source>
        <translation>{newerCode}: 新しい Ringmaster の記述です。読むには更新してください。</translation>
    </message>
    <message>
        <source>An event that a newer Ringmaster wrote ({what}); update to see it.</source>
        <translation>新しい Ringmaster が書いたイベント ({what}) です。表示するには更新してください。</translation>
    </message>
    <message>
        <source>unrecognized arguments: {arguments} (options stand before the program; --help lists them)</source>
        <translation>認識できない引数: {arguments} (オプションはプログラムより前に書きます。--help で一覧を表示)</translation>
    </message>
    <message>
        <source>unrecognized arguments: {arguments} (did you mean {nearest}?)</source>
        <translation>認識できない引数: {arguments} ({nearest} ではありませんか?)</translation>
    </message>
    <message>
        <source>ambiguous option: {option} could match {candidates} (write it out)</source>
        <translation>あいまいなオプション: {option} は {candidates} のどれにも一致します (省略せずに書いてください)</translation>
    </message>
    <message>
        <source>argument {option}: expected one argument (a value that starts with a dash is written --option=-value)</source>
        <translation>引数 {option}: 値が 1 つ必要です (ハイフンで始まる値は --option=-value と書きます)</translation>
    </message>
    <message>
        <source>argument {option}: ignored explicit argument {value} (write the option alone)</source>
        <translation>引数 {option}: 値 {value} は付けられません (オプションだけを書いてください)</translation>
    </message>
    <message>
        <source>argument {option}: invalid int value: {value} (write a whole number)</source>
        <translation>引数 {option}: {value} は整数ではありません (整数を書いてください)</translation>
    </message>
    <message>
        <source>argument {option}: invalid float value: {value} (write a number)</source>
        <translation>引数 {option}: {value} は数値ではありません (数値を書いてください)</translation>
    </message>
    <message>
        <source>argument {option}: invalid choice: {value} (choose from {choices})</source>
        <translation>引数 {option}: {value} は選べません ({choices} から選んでください)</translation>
    </message>
    <message>
        <source>argument {option}: invalid duration: {value} (write 500ms, 30s, 1m30s, or seconds)</source>
        <translation>引数 {option}: {value} は時間ではありません (500ms、30s、1m30s、または秒数を書いてください)</translation>
    </message>
    <message>
        <source>the following arguments are required: training_script, training_script_args (name the program behind the options)</source>
        <translation>必須の引数がありません: training_script, training_script_args (オプションの後ろにプログラムを書いてください)</translation>
    </message>
    <message>
        <source>invalid literal for int() with base 10: {value} ({variable} switches its option on with 1 and off with 0)</source>
        <translation>整数ではありません: {value} ({variable} は 1 で有効、0 で無効になります)</translation>
    </message>
    <message>
        <source>nnodes={value} is not in &quot;MIN:MAX&quot; format (write 2, or 1:4 for an elastic job)</source>
        <translation>nnodes={value} は「最小:最大」の形式ではありません (2、またはエラスティックなジョブなら 1:4 のように書きます)</translation>
    </message>
    <message>
        <source>invalid literal for int() with base 10: {value} (--nnodes {nodes}: write 2, or 1:4 for an elastic job)</source>
        <translation>整数ではありません: {value} (--nnodes {nodes}: 2、またはエラスティックなジョブなら 1:4 のように書きます)</translation>
    </message>
    <message>
        <source>Unsupported nproc_per_node value: {value} (write a number, auto, gpu, cpu or xpu)</source>
        <translation>nproc_per_node の値 {value} は使えません (数値、auto、gpu、cpu、xpu のどれかを書いてください)</translation>
    </message>
    <message>
        <source>Cuda is not available. (No GPU was found: choose a number of workers, cpu or auto.)</source>
        <translation>CUDA を使えません (GPU が見つかりません。ワーカー数、cpu、auto のどれかを選んでください)。</translation>
    </message>
    <message>
        <source>Xpu is not available. (No such device was found: choose a number of workers, cpu or auto.)</source>
        <translation>XPU を使えません (デバイスが見つかりません。ワーカー数、cpu、auto のどれかを選んでください)。</translation>
    </message>
    <message>
        <source>The rendezvous backend &apos;{backend}&apos; is not registered. Did you forget to call `register`? (Ringmaster has static and c10d.)</source>
        <translation>ランデブー方式「{backend}」は登録されていません (Ringmaster には static と c10d があります)。</translation>
    </message>
    <message>
        <source>The rendezvous backend &apos;{backend}&apos; needs an etcd server, which Ringmaster doesn&apos;t speak to; use c10d, which needs no server.</source>
        <translation>ランデブー方式「{backend}」には etcd サーバーが必要ですが、Ringmaster は対応していません。サーバーの要らない c10d を使ってください。</translation>
    </message>
    <message>
        <source>The rendezvous configuration string must be in format &lt;key1&gt;=&lt;value1&gt;,...,&lt;keyN&gt;=&lt;valueN&gt;.</source>
        <translation>ランデブーの設定は &lt;key1&gt;=&lt;value1&gt;,...,&lt;keyN&gt;=&lt;valueN&gt; の形式で書いてください。</translation>
    </message>
    <message>
        <source>The rendezvous configuration option &apos;{key}&apos; must have a value specified.</source>
        <translation>ランデブーの設定「{key}」に値がありません。</translation>
    </message>
    <message>
        <source>--local_ranks_filter must be a comma-separated list of integers e.g. --local_ranks_filter=0,1,2</source>
        <translation>--local_ranks_filter は整数をコンマで区切って書いてください (例: --local_ranks_filter=0,1,2)</translation>
    </message>
    <message>
        <source>{value} does not match: &lt;^[0123]$&gt; or &lt;^(\d+:[0123],)*(\d+:[0123])$&gt; (1 stdout, 2 stderr, 3 both; or local rank:number, as 0:3,1:1)</source>
        <translation>{value} の形式が違います: &lt;^[0123]$&gt; または &lt;^(\d+:[0123],)*(\d+:[0123])$&gt; (1 は stdout、2 は stderr、3 は両方。または 0:3,1:1 のように「ローカルランク:数値」)</translation>
    </message>
    <message>
        <source>Don&apos;t use both the &apos;--no-python&apos; flag and the &apos;--module&apos; flag at the same time.</source>
        <translation>--no-python と --module は同時に使えません。</translation>
    </message>
    <message>
        <source>Could not find entrypoint under &apos;torchrun.logs_specs[{name}]&apos; key (Ringmaster loads no Python plug-ins; leave --logs-specs out)</source>
        <translation>torchrun.logs_specs[{name}] のエントリーポイントがありません (Ringmaster は Python プラグインを読み込みません。--logs-specs を外してください)</translation>
    </message>
    <message>
        <source>argument --env: {value} isn&apos;t NAME=VALUE</source>
        <translation>引数 --env: {value} は「名前=値」ではありません</translation>
    </message>
    <message>
        <source>argument --devices: {value} isn&apos;t a list of GPU numbers; write for example 0,1</source>
        <translation>引数 --devices: {value} は GPU 番号の一覧ではありません。0,1 のように書いてください</translation>
    </message>
    <message>
        <source>argument {option}: {value} s is longer than 100 years</source>
        <translation>引数 {option}: {value} 秒は 100 年を超えています</translation>
    </message>
    <message>
        <source>A torchrun line can&apos;t say {what} ({value}); a job file can.</source>
        <translation>torchrun のコマンドでは {what} ({value}) を表せません。ジョブファイルなら表せます。</translation>
    </message>
    <message>
        <source>The quote {quote} in line {line} isn&apos;t closed.</source>
        <translation>{line} 行目の引用符 {quote} が閉じていません。</translation>
    </message>
    <message>
        <source>There is no torchrun in this text; paste the command that begins with torchrun or python -m torch.distributed.run.</source>
        <translation>このテキストに torchrun がありません。torchrun または python -m torch.distributed.run で始まるコマンドを貼り付けてください。</translation>
    </message>
    <message>
        <source>Left out: {text}</source>
        <translation>省いたもの: {text}</translation>
    </message>
    <message>
        <source>The variable {text} has no value here; it stands in the job as it was written.</source>
        <translation>変数 {text} の値はここでは分かりません。書かれたままジョブに入ります。</translation>
    </message>
    <message>
        <source>Not a job file: {reason}</source>
        <translation>ジョブファイルではありません: {reason}</translation>
    </message>
    <message>
        <source>Unknown key {key}; known are {known}.</source>
        <translation>未知のキー {key} です。使えるのは {known} です。</translation>
    </message>
    <message>
        <source>Unknown key {key}; did you mean {nearest}?</source>
        <translation>未知のキー {key} です。{nearest} ではありませんか?</translation>
    </message>
    <message>
        <source>{key} must be {expected}, not {found}.</source>
        <translation>{key} は {found} ではなく {expected} でなければなりません。</translation>
    </message>
    <message>
        <source>{key}: {value} is too large a number.</source>
        <translation>{key}: {value} は大きすぎます。</translation>
    </message>
    <message>
        <source>{key} isn&apos;t a time; write 500ms, 30s, 1m30s, or seconds.</source>
        <translation>{key} は時間ではありません。500ms、30s、1m30s、または秒数を書いてください。</translation>
    </message>
    <message>
        <source>{key}: {value} isn&apos;t a number of workers; write a number, &quot;auto&quot;, &quot;gpu&quot;, &quot;cpu&quot; or &quot;xpu&quot;.</source>
        <translation>{key}: {value} はワーカー数ではありません。数値、&quot;auto&quot;、&quot;gpu&quot;、&quot;cpu&quot;、&quot;xpu&quot; のどれかを書いてください。</translation>
    </message>
    <message>
        <source>{key}: {value} isn&apos;t a number of nodes; write 2, or &quot;1:4&quot; for an elastic job.</source>
        <translation>{key}: {value} はノード数ではありません。2、またはエラスティックなジョブなら &quot;1:4&quot; のように書いてください。</translation>
    </message>
    <message>
        <source>{key}: {value} isn&apos;t one of {choices}.</source>
        <translation>{key}: {value} は {choices} のどれでもありません。</translation>
    </message>
    <message>
        <source>{key} isn&apos;t a local rank; write a number from 0, or others.</source>
        <translation>{key} はローカルランクではありません。0 以上の数値か others を書いてください。</translation>
    </message>
    <message>
        <source>{key} and {other} can&apos;t both be given; a role runs one program.</source>
        <translation>{key} と {other} は同時に指定できません。1 つのロールは 1 つのプログラムを実行します。</translation>
    </message>
    <message>
        <source>{key} belongs into a [[role]] table, since the file has some.</source>
        <translation>[[role]] 表があるので、{key} はその中に書いてください。</translation>
    </message>
    <message>
        <source>{text} isn&apos;t UTF-8, which a job file can&apos;t hold; rename the file or pass it another way.</source>
        <translation>{text} は UTF-8 ではないため、ジョブファイルに書けません。ファイル名を変えるか、別の方法で渡してください。</translation>
    </message>
    <message>
        <source>The job has no role; it needs one with a program.</source>
        <translation>ジョブにロールがありません。プログラムを持つロールが必要です。</translation>
    </message>
    <message>
        <source>min_nodes must be &gt; 0 and &lt;= max_nodes, got min_nodes={min}, max_nodes={max} (write the smaller number first)</source>
        <translation>ノード数の最小は 1 以上で最大以下でなければなりません (min_nodes={min}、max_nodes={max}。小さい方を先に書いてください)</translation>
    </message>
    <message>
        <source>max_restarts must be &gt;= 0 (0: never start the workers again)</source>
        <translation>max_restarts は 0 以上でなければなりません (0: ワーカーを再起動しない)</translation>
    </message>
    <message>
        <source>{field} is {value}; the least is {least}.</source>
        <translation>{field} は {value} です。{least} 以上でなければなりません。</translation>
    </message>
    <message>
        <source>{field} is {value}; the most is {most}.</source>
        <translation>{field} は {value} です。{most} 以下でなければなりません。</translation>
    </message>
    <message>
        <source>The monitor interval must be longer than 0; 0.1 s is usual.</source>
        <translation>監視間隔は 0 より長くしてください。普通は 0.1 秒です。</translation>
    </message>
    <message>
        <source>{field} is {value}; a time can&apos;t be negative.</source>
        <translation>{field} が {value} です。時間は負にできません。</translation>
    </message>
    <message>
        <source>The first delay ({first}) is longer than the longest ({longest}), which holds.</source>
        <translation>最初の待ち時間 ({first}) が最長の待ち時間 ({longest}) を超えています。最長の方が使われます。</translation>
    </message>
    <message>
        <source>{count} workers can&apos;t run; a role needs at least 1 on each node.</source>
        <translation>ワーカー {count} 個では実行できません。ロールには各ノードに 1 個以上必要です。</translation>
    </message>
    <message>
        <source>{count} workers on this node ({kind})</source>
        <translation>このノードのワーカー {count} 個 ({kind})</translation>
    </message>
    <message>
        <source>Standalone is for one node, but {nodes} are asked for; leave standalone out and give an endpoint, or ask for one node.</source>
        <translation>standalone は 1 ノード用ですが、{nodes} ノードが指定されています。standalone をやめてエンドポイントを指定するか、1 ノードにしてください。</translation>
    </message>
    <message>
        <source>Standalone chooses its own {what}; {value} isn&apos;t used.</source>
        <translation>standalone では {what} が自動で決まります。{value} は使われません。</translation>
    </message>
    <message>
        <source>The static rendezvous waits for all {max} nodes; choose c10d for a job that may run with fewer.</source>
        <translation>static ランデブーは {max} ノードすべてを待ちます。少ないノードでも実行できるジョブには c10d を選んでください。</translation>
    </message>
    <message>
        <source>Node rank {rank} isn&apos;t one of {nodes} nodes, which are numbered from 0.</source>
        <translation>ノードランク {rank} は {nodes} ノードの中にありません (番号は 0 からです)。</translation>
    </message>
    <message>
        <source>The port number of the rendezvous endpoint &apos;{endpoint}&apos; must be an integer between 0 and 65536.</source>
        <translation>ランデブーのエンドポイント「{endpoint}」のポート番号は 0 から 65536 までの整数でなければなりません。</translation>
    </message>
    <message>
        <source>The hostname of the rendezvous endpoint &apos;{endpoint}&apos; must be a dot-separated list of labels, an IPv4 address, or an IPv6 address.</source>
        <translation>ランデブーのエンドポイント「{endpoint}」のホスト名は、ドット区切りの名前、IPv4 アドレス、IPv6 アドレスのどれかでなければなりません。</translation>
    </message>
    <message>
        <source>port is missing in endpoint: {endpoint}. Try to specify --master-port (or write host:port)</source>
        <translation>エンドポイント {endpoint} にポートがありません。--master-port を指定するか、host:port と書いてください。</translation>
    </message>
    <message>
        <source>Without an endpoint, nodes meet on localhost, which other machines can&apos;t reach; name a host that all can reach.</source>
        <translation>エンドポイントがないとノードは localhost で待ち合わせますが、他のマシンからは届きません。全ノードから届くホストを指定してください。</translation>
    </message>
    <message>
        <source>Port 0 is a free one, which other nodes can&apos;t know; name a port when there are several nodes.</source>
        <translation>ポート 0 は空いているポートを選ぶため、他のノードには分かりません。複数ノードではポートを指定してください。</translation>
    </message>
    <message>
        <source>The master&apos;s address and port are used by the static rendezvous only; c10d has an endpoint.</source>
        <translation>マスターのアドレスとポートは static ランデブーでだけ使われます。c10d ではエンドポイントを使います。</translation>
    </message>
    <message>
        <source>A store of type file needs the path of its file as endpoint.</source>
        <translation>file 型のストアには、エンドポイントとしてファイルのパスが必要です。</translation>
    </message>
    <message>
        <source>The run id must be a non-empty string.</source>
        <translation>実行 ID を空にはできません。</translation>
    </message>
    <message>
        <source>The run id is none, as with everybody who gives none; give one, so that no other job&apos;s nodes join at the same endpoint.</source>
        <translation>実行 ID が既定の none のままです。同じエンドポイントに別のジョブのノードが参加しないよう、ID を指定してください。</translation>
    </message>
    <message>
        <source>The rendezvous option {key} does nothing with {method}; it knows {known}.</source>
        <translation>ランデブーの設定 {key} は {method} では効果がありません。使えるのは {known} です。</translation>
    </message>
    <message>
        <source>The rendezvous configuration option &apos;{key}&apos; does not represent a valid integer value.</source>
        <translation>ランデブーの設定「{key}」が整数ではありません。</translation>
    </message>
    <message>
        <source>The rendezvous configuration option &apos;{key}&apos; is {value}; it must be more than 0 seconds.</source>
        <translation>ランデブーの設定「{key}」が {value} です。0 秒より長くしてください。</translation>
    </message>
    <message>
        <source>The rendezvous configuration option &apos;{key}&apos; does not represent a valid boolean value.</source>
        <translation>ランデブーの設定「{key}」が真偽値ではありません。</translation>
    </message>
    <message>
        <source>Invalid store type given. Currently only supports file and tcp. (store_type is {value})</source>
        <translation>ストアの種類が無効です。使えるのは file と tcp です (store_type が {value})。</translation>
    </message>
    <message>
        <source>Port {port} is free</source>
        <translation>ポート {port} は空いています</translation>
    </message>
    <message>
        <source>Port {port} is in use by another user&apos;s process; choose another port.</source>
        <translation>ポート {port} は他のユーザーのプロセスが使っています。別のポートを選んでください。</translation>
    </message>
    <message>
        <source>Port {port} is in use by {program} (process {pid}); stop it or choose another port.</source>
        <translation>ポート {port} は {program} (プロセス {pid}) が使っています。停止するか、別のポートを選んでください。</translation>
    </message>
    <message>
        <source>Somebody listens on port {port} already; this node will join the job that meets there.</source>
        <translation>ポート {port} はすでに待ち受けられています。このノードはそこで待ち合わせるジョブに参加します。</translation>
    </message>
    <message>
        <source>There is no local rank {rank} among {workers} workers.</source>
        <translation>{workers} 個のワーカーの中にローカルランク {rank} はありません。</translation>
    </message>
    <message>
        <source>Filters see only streams that are tee&apos;d (-t); none is.</source>
        <translation>フィルターは tee された出力 (-t) だけに効きますが、tee がありません。</translation>
    </message>
    <message>
        <source>With /dev/null as log folder no files are written; streams go to the terminal as they are.</source>
        <translation>ログフォルダーが /dev/null だとファイルは書かれません。出力はそのまま端末に出ます。</translation>
    </message>
    <message>
        <source>log_dir: {path} is a file (choose a folder)</source>
        <translation>log_dir: {path} はファイルです (フォルダーを選んでください)</translation>
    </message>
    <message>
        <source>Logs can be written to {path}</source>
        <translation>ログを {path} に書き込めます</translation>
    </message>
    <message>
        <source>{value} isn&apos;t a start method; choose one of {choices}.</source>
        <translation>{value} は起動方法ではありません。{choices} から選んでください。</translation>
    </message>
    <message>
        <source>There is no event log handler {value}; choose null or console.</source>
        <translation>イベントログハンドラー {value} はありません。null か console を選んでください。</translation>
    </message>
    <message>
        <source>{name} isn&apos;t a signal; it is left out.</source>
        <translation>{name} はシグナルではないので省かれます。</translation>
    </message>
    <message>
        <source>{value} isn&apos;t a way to bind; choose one of {choices}.</source>
        <translation>{value} は割り当て方ではありません。{choices} から選んでください。</translation>
    </message>
    <message>
        <source>numactl CLI is required for NUMA binding (install numactl, or leave the binding out)</source>
        <translation>NUMA の割り当てには numactl コマンドが必要です (numactl を入れるか、割り当てをやめてください)</translation>
    </message>
    <message>
        <source>Workers are bound near their GPUs, but no GPU was found; leave the binding out.</source>
        <translation>ワーカーを GPU の近くに割り当てる設定ですが、GPU がありません。割り当てをやめてください。</translation>
    </message>
    <message>
        <source>Local rank {rank} has no GPU to be bound to; there are {count}. Leave the NUMA binding out or ask for fewer workers.</source>
        <translation>ローカルランク {rank} に割り当てる GPU がありません (全部で {count} 個)。NUMA の割り当てをやめるか、ワーカーを減らしてください。</translation>
    </message>
    <message>
        <source>There are only {cores} physical cores on numa_node_index={node}, but there are {gpus} GPUs associated with this NUMA node. (Bind by node or socket.)</source>
        <translation>numa_node_index={node} の物理コアは {cores} 個ですが、この NUMA ノードの GPU は {gpus} 個です (node か socket で割り当ててください)。</translation>
    </message>
    <message>
        <source>Must bind to a non-empty set of CPU indices (local rank {rank} may run on no CPU near its GPU; leave the NUMA binding out)</source>
        <translation>割り当てる CPU がありません (ローカルランク {rank} は GPU の近くの CPU を使えません。NUMA の割り当てをやめてください)</translation>
    </message>
    <message>
        <source>No program is named; choose what the workers run.</source>
        <translation>プログラムが指定されていません。ワーカーが実行するものを選んでください。</translation>
    </message>
    <message>
        <source>{program} is there</source>
        <translation>{program} があります</translation>
    </message>
    <message>
        <source>{program} is not in {folder}; check the name or the working folder.</source>
        <translation>{program} が {folder} にありません。名前か作業フォルダーを確認してください。</translation>
    </message>
    <message>
        <source>{program} is not in {folder}, but {other} has it; make that the working folder.</source>
        <translation>{program} は {folder} にはなく、{other} にあります。そちらを作業フォルダーにしてください。</translation>
    </message>
    <message>
        <source>{program} is a folder without __main__.py; name the program in it.</source>
        <translation>{program} は __main__.py のないフォルダーです。中のプログラムを指定してください。</translation>
    </message>
    <message>
        <source>{program} can&apos;t be read; change its permissions.</source>
        <translation>{program} を読み取れません。権限を変更してください。</translation>
    </message>
    <message>
        <source>{program} isn&apos;t executable; allow it with chmod +x, or run it with python.</source>
        <translation>{program} は実行できません。chmod +x で許可するか、python で実行してください。</translation>
    </message>
    <message>
        <source>{program} is an executable, no Python file; run it as a command (--no-python).</source>
        <translation>{program} は Python ファイルではなく実行ファイルです。コマンドとして実行してください (--no-python)。</translation>
    </message>
    <message>
        <source>{program} is no Python file (its first line is {line}); run it as a command (--no-python).</source>
        <translation>{program} は Python ファイルではありません (1 行目は {line})。コマンドとして実行してください (--no-python)。</translation>
    </message>
    <message>
        <source>There is no command {program} in PATH; write ./{program} for one in the working folder.</source>
        <translation>PATH にコマンド {program} がありません。作業フォルダーにあるものは ./{program} と書いてください。</translation>
    </message>
    <message>
        <source>{program} is a path, no module name; write package.module, or run it as a program.</source>
        <translation>{program} はモジュール名ではなくパスです。package.module と書くか、プログラムとして実行してください。</translation>
    </message>
    <message>
        <source>The working folder {path} does not exist; make it or choose another.</source>
        <translation>作業フォルダー {path} がありません。作成するか、別のものを選んでください。</translation>
    </message>
    <message>
        <source>No Python was found; install one or name an interpreter.</source>
        <translation>Python が見つかりません。インストールするか、インタープリターを指定してください。</translation>
    </message>
    <message>
        <source>The interpreter {path} does not exist or isn&apos;t executable; choose another.</source>
        <translation>インタープリター {path} がないか、実行できません。別のものを選んでください。</translation>
    </message>
    <message>
        <source>{path} doesn&apos;t say which Python it is; it may not be one.</source>
        <translation>{path} が Python のバージョンを答えません。Python ではないかもしれません。</translation>
    </message>
    <message>
        <source>torch {torch} with Python {version} in {path}</source>
        <translation>torch {torch}、Python {version} ({path})</translation>
    </message>
    <message>
        <source>The program imports torch, which {path} (Python {version}) hasn&apos;t; choose an interpreter with torch or install it there.</source>
        <translation>プログラムは torch を使いますが、{path} (Python {version}) にはありません。torch のあるインタープリターを選ぶか、インストールしてください。</translation>
    </message>
    <message>
        <source>Python {version} in {path}, without torch, which the program doesn&apos;t import</source>
        <translation>Python {version} ({path})。torch はありませんが、プログラムも使いません</translation>
    </message>
    <message>
        <source>There are two roles {name}; give each its own name.</source>
        <translation>ロール {name} が 2 つあります。別々の名前にしてください。</translation>
    </message>
    <message>
        <source>{name} is set by the launcher for every worker; the job&apos;s value isn&apos;t seen.</source>
        <translation>{name} はランチャーが各ワーカーに設定します。ジョブの値は使われません。</translation>
    </message>
    <message>
        <source>There is no GPU {device}; this machine has {count}.</source>
        <translation>GPU {device} はありません。このマシンの GPU は {count} 個です。</translation>
    </message>
    <message>
        <source>GPU {device} is named twice.</source>
        <translation>GPU {device} が 2 回指定されています。</translation>
    </message>
    <message>
        <source>{workers} workers with {each} GPUs each need more than the {count} that there are; ask for fewer.</source>
        <translation>ワーカー {workers} 個に GPU を {each} 個ずつ割り当てるには、{count} 個では足りません。減らしてください。</translation>
    </message>
    <message>
        <source>{count} GPUs free</source>
        <translation>空いている GPU {count} 個</translation>
    </message>
    <message>
        <source>GPU {device} ({name}) is in use: {used}, process {pid}</source>
        <translation>GPU {device} ({name}) は使用中: {used}、プロセス {pid}</translation>
    </message>
    <message>
        <source>No GPU is needed or found: the workers compute on the CPU</source>
        <translation>GPU は不要か、ありません: ワーカーは CPU で計算します</translation>
    </message>
    <message>
        <source>There is no backend {backend}; choose gloo, nccl or ring.</source>
        <translation>バックエンド {backend} はありません。gloo、nccl、ring のどれかを選んでください。</translation>
    </message>
    <message>
        <source>The ring has no algorithm {algorithm}; choose auto, ring, tree or direct.</source>
        <translation>ring にアルゴリズム {algorithm} はありません。auto、ring、tree、direct のどれかを選んでください。</translation>
    </message>
    <message>
        <source>Workers of a plain job don&apos;t find Ringmaster&apos;s ring by themselves; put it on PYTHONPATH or leave plain out.</source>
        <translation>plain のジョブのワーカーは Ringmaster の ring を見つけられません。PYTHONPATH に加えるか、plain を外してください。</translation>
    </message>
    <message>
        <source>nccl needs GPUs, and there are none; choose gloo.</source>
        <translation>nccl には GPU が必要ですが、ありません。gloo を選んでください。</translation>
    </message>
    <message>
        <source>nccl needs a GPU for each of the {workers} workers; there are {count}.</source>
        <translation>nccl では {workers} 個のワーカーそれぞれに GPU が必要ですが、{count} 個しかありません。</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed ({library} is missing).</source>
        <translation>NVIDIA ドライバーがありません ({library} が見つかりません)。</translation>
    </message>
    <message>
        <source>The NVIDIA driver doesn&apos;t answer; look at nvidia-smi.</source>
        <translation>NVIDIA ドライバーが応答しません。nvidia-smi を確認してください。</translation>
    </message>
    <message>
        <source>GPU {index} can&apos;t be asked</source>
        <translation>GPU {index} に問い合わせできません</translation>
    </message>
    <message>
        <source>The NVIDIA driver finds no GPU.</source>
        <translation>NVIDIA ドライバーは GPU を見つけられません。</translation>
    </message>
    <message>
        <source>local_rank {rank} exceeds available GPUs in CUDA_VISIBLE_DEVICES={devices} (ask for fewer workers or show more GPUs)</source>
        <translation>local_rank {rank} が CUDA_VISIBLE_DEVICES={devices} の GPU 数を超えています (ワーカーを減らすか、見える GPU を増やしてください)</translation>
    </message>
    <message>
        <source>Local rank {rank} has no {each} GPUs left among {devices}; ask for fewer workers or fewer GPUs a worker.</source>
        <translation>ローカルランク {rank} に割り当てる GPU {each} 個が {devices} に残っていません。ワーカー数か、ワーカーごとの GPU 数を減らしてください。</translation>
    </message>
    <message>
        <source>The sweep&apos;s worker {path} is missing; build Ringmaster where an interpreter has torch (RINGMASTER_PYTHON).</source>
        <translation>スイープのワーカー {path} がありません。torch のあるインタープリター (RINGMASTER_PYTHON) のもとで Ringmaster をビルドしてください。</translation>
    </message>
    <message>
        <source>A sweep needs at least one of its {what}.</source>
        <translation>スイープには {what} が少なくとも 1 つ必要です。</translation>
    </message>
    <message>
        <source>{value} is none of a sweep&apos;s {what}; choose among {choices}.</source>
        <translation>{value} はスイープの {what} にありません。{choices} から選んでください。</translation>
    </message>
    <message>
        <source>{value} is named twice among a sweep&apos;s {what}.</source>
        <translation>スイープの {what} に {value} が 2 回あります。</translation>
    </message>
    <message>
        <source>A sweep&apos;s {what} is {value}, but must be from {least} to {most}.</source>
        <translation>スイープの {what} が {value} ですが、{least} から {most} まででなければなりません。</translation>
    </message>
    <message>
        <source>This Ringmaster is built without nccl; build it where torch has CUDA, or leave nccl out.</source>
        <translation>この Ringmaster は nccl なしでビルドされています。CUDA 対応の torch のもとでビルドするか、nccl を外してください。</translation>
    </message>
    <message>
        <source>nccl needs GPUs, and there are none; leave nccl out.</source>
        <translation>nccl には GPU が必要ですが、ありません。nccl を外してください。</translation>
    </message>
    <message>
        <source>A sweep of {rows} rows is too long; ask for {most} at most: fewer collectives or backends, or a larger factor.</source>
        <translation>{rows} 行のスイープは長すぎます。集団通信かバックエンドを減らすか、倍率を上げて、{most} 行までにしてください。</translation>
    </message>
    <message>
        <source>Tensors of {size} on {ranks} ranks need about {needed} of memory, and {free} are free; sweep to a smaller size or with fewer ranks.</source>
        <translation>{ranks} ランクで {size} のテンソルには約 {needed} のメモリーが必要ですが、空きは {free} です。最大サイズを小さくするか、ランクを減らしてください。</translation>
    </message>
    <message>
        <source>{path} isn&apos;t a ledger of Ringmaster.</source>
        <translation>{path} は Ringmaster の台帳ではありません。</translation>
    </message>
    <message>
        <source>The ledger {path} has version {version}; this Ringmaster knows version {known}.</source>
        <translation>台帳 {path} はバージョン {version} です。この Ringmaster が扱えるのはバージョン {known} です。</translation>
    </message>
    <message>
        <source>The ledger {path} is damaged: {what}.</source>
        <translation>台帳 {path} は壊れています: {what}。</translation>
    </message>
    <message>
        <source>There is no room for the ledger of rank {rank} ({path}); its operations aren&apos;t recorded. Enlarge /dev/shm or free some space.</source>
        <translation>ランク {rank} の台帳 ({path}) を置く場所がないため、演算を記録しません。/dev/shm を広げるか、空きを作ってください。</translation>
    </message>
    <message>
        <source>The ledger {path} is written by process {pid} already; the operations of this process aren&apos;t recorded.</source>
        <translation>台帳 {path} にはプロセス {pid} が書き込んでいます。このプロセスの演算は記録しません。</translation>
    </message>
    <message>
        <source>A lesson&apos;s tracer sent something that is no message.</source>
        <translation>レッスンのトレーサーから、メッセージとして読めないものが届きました。</translation>
    </message>
    <message>
        <source>The lesson was stopped after {steps} steps: its program may loop for ever.</source>
        <translation>{steps} ステップでレッスンを止めました。プログラムが無限ループしているかもしれません。</translation>
    </message>
    <message>
        <source>Nobody looks at the lesson any more: its workers are stopped.</source>
        <translation>レッスンを見ている人がいなくなったので、ワーカーを終了します。</translation>
    </message>
    <message>
        <source>Rank {rank} isn&apos;t at the step gate: its program has ended, or hasn&apos;t begun.</source>
        <translation>ランク {rank} はステップゲートにいません。プログラムが終わったか、まだ始まっていません。</translation>
    </message>
    <message>
        <source>Not a lesson: {reason}</source>
        <translation>レッスンとして読めません：{reason}</translation>
    </message>
    <message>
        <source>A lesson begins with format = {format}.</source>
        <translation>レッスンの先頭には format = {format} と書きます。</translation>
    </message>
    <message>
        <source>{name} is no name for a lesson; write small letters, digits and hyphens.</source>
        <translation>{name} はレッスンの名前に使えません。英小文字、数字、ハイフンで書いてください。</translation>
    </message>
    <message>
        <source>{key} is missing.</source>
        <translation>{key} がありません。</translation>
    </message>
    <message>
        <source>ranks lies between ranks_min and ranks_max, and they between {least} and {most}.</source>
        <translation>ranks は ranks_min 以上 ranks_max 以下、その両端は {least} から {most} の間でなければなりません。</translation>
    </message>
    <message>
        <source>No line of the program has &quot;{text}&quot;.</source>
        <translation>プログラムに「{text}」を含む行がありません。</translation>
    </message>
    <message>
        <source>{path} lies outside the lesson&apos;s folder; a lesson brings its own program.</source>
        <translation>{path} はレッスンのフォルダーの外にあります。プログラムはレッスンに含めてください。</translation>
    </message>
    <message>
        <source>The program isn&apos;t saved as UTF-8 but as UTF-16 or binary; save it as UTF-8.</source>
        <translation>プログラムが UTF-8 ではなく、UTF-16 またはバイナリで保存されています。UTF-8 で保存してください。</translation>
    </message>
    <message>
        <source>The program isn&apos;t UTF-8 text.</source>
        <translation>プログラムが UTF-8 のテキストではありません。</translation>
    </message>
    <message>
        <source>There is no rank {rank} among {ranks}: the question can&apos;t be asked of this run.</source>
        <translation>{ranks} ランクの中にランク {rank} はないため、この実行ではこの問題を出せません。</translation>
    </message>
    <message>
        <source>The program has no line with &quot;{text}&quot; any more: the question can&apos;t be asked of this run.</source>
        <translation>プログラムに「{text}」を含む行がなくなったため、この実行ではこの問題を出せません。</translation>
    </message>
    <message>
        <source>Rank {rank} didn&apos;t come to line {line} as often as the question wants.</source>
        <translation>ランク {rank} は、問題で問う回数だけ {line} 行目に到達しませんでした。</translation>
    </message>
    <message>
        <source>Rank {rank} never got past that line: the question can&apos;t be answered.</source>
        <translation>ランク {rank} がその行から先へ進まなかったため、答えを求められません。</translation>
    </message>
    <message>
        <source>Rank {rank} has no such value of {variable} there.</source>
        <translation>そこでは、ランク {rank} の {variable} にその値がありません。</translation>
    </message>
    <message>
        <source>The run was stopped before the answer could be seen.</source>
        <translation>答えが分かる前に実行が止められました。</translation>
    </message>
    <message>
        <source>What rank {rank} sends inside of a collective can&apos;t be seen with this backend; the ring tells it.</source>
        <translation>集団通信の中でランク {rank} が送る量は、このバックエンドでは見えません。ring なら分かります。</translation>
    </message>
    <message>
        <source>Which message comes first depends on chance here; run it held, step by step.</source>
        <translation>どのメッセージが先に来るかは、ここでは偶然に左右されます。ゲートで止めながら、ステップ実行してください。</translation>
    </message>
    <message>
        <source>There is no lesson &quot;{lesson}&quot;; `ringmaster lesson list` names them, and a path to a .ringlesson works, too.</source>
        <translation>「{lesson}」というレッスンはありません。名前は `ringmaster lesson list` で分かります。.ringlesson ファイルのパスも指定できます。</translation>
    </message>
    <message>
        <source>The start-up hook is missing beside {path}; Ringmaster isn&apos;t completely installed, and the workers run without it.</source>
        <translation>{path} の隣に起動フックがありません。Ringmaster のインストールが不完全で、ワーカーはフックなしで動きます。</translation>
    </message>
    <message>
        <source>The part {part} of the start-up hook did not start in rank {rank}; the program runs without it: {error}</source>
        <translation>ランク {rank} で起動フックの {part} を開始できませんでした。プログラムはそれなしで動きます: {error}</translation>
    </message>
    <message>
        <source>The first collective came {seconds} s after the launch; rank {rank} was last: {stop} s to prepare, {rendezvous} s rendezvous, {start} s until it ran, {import} s importing torch, {init} s init_process_group, {user} s user code.</source>
        <translation>最初の集団通信は起動から {seconds} 秒後でした。最後はランク {rank}：準備 {stop} 秒、ランデブー {rendezvous} 秒、実行開始まで {start} 秒、torch のインポート {import} 秒、init_process_group {init} 秒、ユーザーコード {user} 秒。</translation>
    </message>
    <message>
        <source>The first collective came {seconds} s after the failure; rank {rank} was last: {stop} s until all had ended, {rendezvous} s rendezvous, {start} s until it ran, {import} s importing torch, {init} s init_process_group, {user} s user code.</source>
        <translation>最初の集団通信は失敗から {seconds} 秒後でした。最後はランク {rank}：全員の終了まで {stop} 秒、ランデブー {rendezvous} 秒、実行開始まで {start} 秒、torch のインポート {import} 秒、init_process_group {init} 秒、ユーザーコード {user} 秒。</translation>
    </message>
    <message>
        <source>{count} records of rank {rank}&apos;s operations were overwritten before they were read.</source>
        <translation>ランク {rank} の演算の記録 {count} 件が、読む前に上書きされました。</translation>
    </message>
    <message>
        <source>The operations of rank {rank} aren&apos;t recorded: {reason}</source>
        <translation>ランク {rank} の演算を記録していません: {reason}</translation>
    </message>
    <message>
        <source>Rank {rank} has more groups than its ledger can describe; {count} have no members there.</source>
        <translation>ランク {rank} のグループが台帳に書ける数を超えました。{count} 個はメンバーがわかりません。</translation>
    </message>
    <message>
        <source>The sweep goes on without {backend}: {reason}</source>
        <translation>{backend} を除いてスイープを続けます：{reason}</translation>
    </message>
    <message>
        <source>{backend} didn&apos;t take {collective} of {bytes} bytes of {type}: {reason}</source>
        <translation>{backend} は {type} {bytes} バイトの {collective} を受け付けませんでした：{reason}</translation>
    </message>
    <message>
        <source>The calibration of {backend} could not be kept: {reason}</source>
        <translation>{backend} のキャリブレーション結果を保存できませんでした：{reason}</translation>
    </message>
    <message>
        <source>{path} isn&apos;t a run file of Ringmaster.</source>
        <translation>{path} は Ringmaster の実行ファイルではありません。</translation>
    </message>
    <message>
        <source>The run file {path} is damaged or was cut off; copy it again from where it came from.</source>
        <translation>実行ファイル {path} が壊れているか、途切れています。元の場所からもう一度コピーしてください。</translation>
    </message>
    <message>
        <source>{path} has format {format}, of a newer Ringmaster ({version}); update to open it.</source>
        <translation>{path} は新しい Ringmaster ({version}) の形式 {format} です。開くには更新してください。</translation>
    </message>
    <message>
        <source>The run file {path} is busy; try again.</source>
        <translation>実行ファイル {path} は使用中です。もう一度試してください。</translation>
    </message>
    <message>
        <source>{path} is in use by another Ringmaster (process {pid}); only one may write a run.</source>
        <translation>{path} は別の Ringmaster (プロセス {pid}) が使っています。1 つの実行に書き込めるのは 1 つだけです。</translation>
    </message>
    <message>
        <source>The run file {path} can&apos;t be written: {events} events wait in memory, and samples are thinned. Free some space on its disk.</source>
        <translation>実行ファイル {path} に書き込めません。{events} 件のイベントがメモリで待ち、サンプルは間引かれています。ディスクの空きを作ってください。</translation>
    </message>
    <message>
        <source>The run file {path} is written again, {events} events that had waited included.</source>
        <translation>実行ファイル {path} への書き込みを再開しました (待っていた {events} 件のイベントも含みます)。</translation>
    </message>
    <message>
        <source>{events} events of the run could not be written to {path}.</source>
        <translation>実行のイベント {events} 件を {path} に書き込めませんでした。</translation>
    </message>
    <message>
        <source>The log file {path} is gone; its lines can&apos;t be shown.</source>
        <translation>ログファイル {path} がなくなっています。その行は表示できません。</translation>
    </message>
    <message>
        <source>The log file {path} is shorter than it was; some of its lines can&apos;t be shown.</source>
        <translation>ログファイル {path} が以前より短くなっています。一部の行は表示できません。</translation>
    </message>
    <message>
        <source>The log file {path} lies outside the run file&apos;s folder and isn&apos;t read, since the run file came from elsewhere.</source>
        <translation>ログファイル {path} は実行ファイルのフォルダーの外にあります。よそから来た実行ファイルなので読みません。</translation>
    </message>
    <message>
        <source>The agent (process {pid}) ended without saying how the run ended: it was killed, or the machine went down.</source>
        <translation>エージェント (プロセス {pid}) が結果を残さずに終了しました。強制終了されたか、マシンが落ちました。</translation>
    </message>
    <message>
        <source>“{pattern}” isn&apos;t a filter that can be used.</source>
        <translation>「{pattern}」はフィルターとして使えません。</translation>
    </message>
    <message>
        <source>There is no run {run}; `ringmaster ps --all` lists them.</source>
        <translation>実行 {run} はありません。`ringmaster ps --all` で一覧を表示します。</translation>
    </message>
    <message>
        <source>The run {run} is still running; stop it first.</source>
        <translation>実行 {run} はまだ実行中です。先に停止してください。</translation>
    </message>
    <message>
        <source>The rendezvous state in the store isn&apos;t the plain data that torchrun&apos;s agents keep there; it was refused. Check who else can reach the port, and that all agents run torch 2.11.</source>
        <translation>ストアのランデブー状態が、torchrun のエージェントが置く単純なデータではないため拒みました。他に誰がポートに接続できるか、すべてのエージェントが torch 2.11 かを確認してください。</translation>
    </message>
    <message>
        <source>The rendezvous did not complete within {seconds} s: {present} of at least {needed} nodes are there. Start the others, or lower --nnodes.</source>
        <translation>ランデブーが {seconds} 秒以内に成立しませんでした: 必要な {needed} ノードのうち {present} ノードだけです。残りを起動するか、--nnodes を減らしてください。</translation>
    </message>
    <message>
        <source>The rendezvous {id} is closed: the job has ended. Use a new --rdzv-id to run it again.</source>
        <translation>ランデブー {id} は終了しています (ジョブは終わりました)。もう一度実行するには新しい --rdzv-id を使ってください。</translation>
    </message>
    <message>
        <source>The job has succeeded without this node.</source>
        <translation>ジョブはこのノードなしで成功しました。</translation>
    </message>
    <message>
        <source>&apos;{endpoint}&apos; isn&apos;t a rendezvous endpoint; write host or host:port, for example localhost:29400.</source>
        <translation>「{endpoint}」はランデブーのエンドポイントではありません。localhost:29400 のように host か host:port と書いてください。</translation>
    </message>
    <message>
        <source>The rendezvous setting {key}={value} isn&apos;t valid; {expected}.</source>
        <translation>ランデブーの設定 {key}={value} は無効です。{expected}。</translation>
    </message>
    <message>
        <source>{count} more nodes wait to join; the group restarts with them.</source>
        <translation>さらに {count} ノードが参加を待っています。それらを加えてグループを再起動します。</translation>
    </message>
    <message>
        <source>The node {node} starts its workers anew; the group restarts with it.</source>
        <translation>ノード {node} がワーカーを起動し直しています。グループもこれに合わせて再起動します。</translation>
    </message>
    <message>
        <source>The node {node} has gone; the group restarts without it.</source>
        <translation>ノード {node} がいなくなりました。そのノードなしでグループを再起動します。</translation>
    </message>
    <message>
        <source>The node {node} has gone without having finished; it isn&apos;t waited for.</source>
        <translation>ノード {node} が完了しないままいなくなったため、待つのをやめます。</translation>
    </message>
    <message>
        <source>Other nodes were still running {seconds} s after this one had finished.</source>
        <translation>このノードの終了から {seconds} 秒たっても、他のノードが実行中でした。</translation>
    </message>
    <message>
        <source>The rendezvous store can&apos;t be reached any more.</source>
        <translation>ランデブーのストアに接続できなくなりました。</translation>
    </message>
    <message>
        <source>Port {port} on {address} is already used by {holder}; stop it or choose another port.</source>
        <translation>{address} のポート {port} は {holder} が使っています。停止するか、別のポートを選んでください。</translation>
    </message>
    <message>
        <source>The store can&apos;t listen on {address}, port {port}.</source>
        <translation>ストアが {address} のポート {port} で待ち受けられません。</translation>
    </message>
    <message>
        <source>{address} isn&apos;t an IP address; the store listens on addresses, not on names.</source>
        <translation>{address} は IP アドレスではありません。ストアは名前ではなくアドレスで待ち受けます。</translation>
    </message>
    <message>
        <source>The host {host} has no address; check the name, and that this machine can resolve it.</source>
        <translation>ホスト {host} のアドレスが分かりません。名前と、このマシンで名前解決できることを確認してください。</translation>
    </message>
    <message>
        <source>No store answered at {address} within {seconds} s; check the address, and that the job&apos;s first node has started.</source>
        <translation>{address} のストアが {seconds} 秒以内に応答しません。アドレスと、ジョブの最初のノードが起動していることを確認してください。</translation>
    </message>
    <message>
        <source>The store at {address} closed the connection; its host may have ended.</source>
        <translation>{address} のストアが接続を閉じました。そのホストが終了したのかもしれません。</translation>
    </message>
    <message>
        <source>The store at {address} did not answer within {seconds} s.</source>
        <translation>{address} のストアが {seconds} 秒以内に応答しませんでした。</translation>
    </message>
    <message>
        <source>The other side doesn&apos;t speak the store&apos;s protocol: {what}.</source>
        <translation>相手がストアのプロトコルを話していません: {what}。</translation>
    </message>
    <message>
        <source>The store did not get {keys} within {seconds} s.</source>
        <translation>ストアに {keys} が {seconds} 秒以内に届きませんでした。</translation>
    </message>
    <message>
        <source>The store&apos;s key {key} doesn&apos;t hold a number, so nothing can be added to it.</source>
        <translation>ストアのキー {key} の値が数値ではないため、加算できません。</translation>
    </message>
    <message>
        <source>Adding to the store&apos;s key {key} would leave the range of a 64-bit number.</source>
        <translation>ストアのキー {key} に加算すると 64 ビットの範囲を超えます。</translation>
    </message>
    <message>
        <source>The store is full (limit: {limit}); a program puts too much into it.</source>
        <translation>ストアがいっぱいです (上限: {limit})。プログラムが入れすぎています。</translation>
    </message>
    <message>
        <source>A request to the store is too large: {what} (limit: {limit}).</source>
        <translation>ストアへの要求が大きすぎます: {what} (上限: {limit})。</translation>
    </message>
    <message>
        <source>The store refused a value for {key}: it isn&apos;t the plain data that belongs there.</source>
        <translation>ストアが {key} の値を拒みました。そこに入るべき単純なデータではありません。</translation>
    </message>
    <message>
        <source>The keeper {path} can&apos;t be started; is Ringmaster installed completely?</source>
        <translation>キーパー {path} を起動できません。Ringmaster は完全にインストールされていますか?</translation>
    </message>
    <message>
        <source>The keeper, the process that watches over the workers, was killed; the workers were ended with it.</source>
        <translation>ワーカーを見守るプロセス (キーパー) が強制終了され、ワーカーも終了しました。</translation>
    </message>
    <message>
        <source>Process {pid} ({name}) can&apos;t be killed: it waits in the kernel ({place}) for a disk, a network file system or a device that doesn&apos;t answer. It ends as soon as that does.</source>
        <translation>プロセス {pid}({name})を強制終了できません。応答しないディスク、ネットワークファイルシステム、またはデバイスをカーネル内({place})で待っています。応答がありしだい終了します。</translation>
    </message>
    <message>
        <source>Process {pid} ({name}) can&apos;t be killed: its control group {group} is frozen. It ends as soon as that is thawed.</source>
        <translation>プロセス {pid}({name})を強制終了できません。コントロールグループ {group} が凍結されています。凍結が解除されしだい終了します。</translation>
    </message>
    <message>
        <source>Process {pid} ({name}) can&apos;t be killed: it belongs to the user {user}. Only that user or root can end it.</source>
        <translation>プロセス {pid}({name})を強制終了できません。ユーザー {user} のプロセスです。終了できるのはそのユーザーか root だけです。</translation>
    </message>
    <message>
        <source>Process {pid} ({name}) has been killed and still doesn&apos;t end: state {state}, in {place}.</source>
        <translation>プロセス {pid}({name})を強制終了しましたが、まだ終了しません(状態 {state}、場所 {place})。</translation>
    </message>
    <message>
        <source>The program {path} does not exist.</source>
        <translation>プログラム {path} がありません。</translation>
    </message>
    <message>
        <source>The program {path} isn&apos;t in any folder of PATH; install it, activate its environment or give its path.</source>
        <translation>プログラム {path} は PATH のどのフォルダーにもありません。インストールするか、環境を有効にするか、パスで指定してください。</translation>
    </message>
    <message>
        <source>The program {path} may not be executed; make it executable (chmod +x) or name its interpreter.</source>
        <translation>プログラム {path} を実行する権限がありません。chmod +x で許可するか、インタープリターを指定してください。</translation>
    </message>
    <message>
        <source>The interpreter that the first line of {path} names does not exist.</source>
        <translation>{path} の 1 行目に書かれたインタープリターがありません。</translation>
    </message>
    <message>
        <source>{path} is not a program for this machine: it has no #! line, or is built for another processor.</source>
        <translation>{path} はこのマシンのプログラムではありません (#! 行がないか、別のプロセッサー用です)。</translation>
    </message>
    <message>
        <source>The program {path} can&apos;t be started.</source>
        <translation>プログラム {path} を起動できません。</translation>
    </message>
    <message>
        <source>The arguments and the environment of {path} are longer than the system allows.</source>
        <translation>{path} の引数と環境変数が、システムの上限を超えています。</translation>
    </message>
    <message>
        <source>The working folder {path} can&apos;t be entered; does it exist?</source>
        <translation>作業フォルダー {path} に移動できません。存在しますか?</translation>
    </message>
    <message>
        <source>No further process can be started; raise the limit of processes (ulimit -u) or end some.</source>
        <translation>これ以上プロセスを起動できません。上限 (ulimit -u) を上げるか、いくつか終了させてください。</translation>
    </message>
    <message>
        <source>Rank {rank} ended with exit code 0.</source>
        <translation>ランク {rank} は終了コード 0 で終了しました。</translation>
    </message>
    <message>
        <source>Rank {rank} ended with exit code {code}.</source>
        <translation>ランク {rank} は終了コード {code} で終了しました。</translation>
    </message>
    <message>
        <source>Rank {rank} was ended by {signal}, which Ringmaster did not send.</source>
        <translation>ランク {rank} は、Ringmaster が送っていない {signal} で終了しました。</translation>
    </message>
    <message>
        <source>Rank {rank} was ended by Ringmaster with {signal}.</source>
        <translation>ランク {rank} は Ringmaster が {signal} で終了させました。</translation>
    </message>
    <message>
        <source>Rank {rank} ended by itself with {signal}, after Ringmaster had asked it to end.</source>
        <translation>ランク {rank} は、Ringmaster が終了を求めた後、自ら {signal} で終わりました。</translation>
    </message>
    <message>
        <source>Rank {rank} crashed with {signal}; PYTHONFAULTHANDLER=1 shows where.</source>
        <translation>ランク {rank} は {signal} でクラッシュしました。PYTHONFAULTHANDLER=1 で場所が分かります。</translation>
    </message>
    <message>
        <source>Rank {rank} crashed with {signal} and left a core dump; open it with coredumpctl or a debugger.</source>
        <translation>ランク {rank} は {signal} でクラッシュし、コアダンプを残しました。coredumpctl かデバッガーで開いてください。</translation>
    </message>
    <message>
        <source>Rank {rank} was ended by the kernel because memory ran out; it used {memory}. Use fewer data loader workers or smaller batches, or raise the memory limit.</source>
        <translation>ランク {rank} はメモリ不足のためカーネルに終了させられました (使用量 {memory})。データローダーのワーカーやバッチを減らすか、メモリの上限を上げてください。</translation>
    </message>
    <message>
        <source>Rank {rank} was ended by SIGKILL, which Ringmaster did not send; it used {memory}, and the kernel ended a process at that time because memory ran out: perhaps this one.</source>
        <translation>ランク {rank} は、Ringmaster が送っていない SIGKILL で終了しました (使用量 {memory})。同じころカーネルがメモリ不足でプロセスを終了させており、これだった可能性があります。</translation>
    </message>
    <message>
        <source>Rank {rank} was ended by SIGKILL, which Ringmaster did not send: another user&apos;s command, a service manager or a scheduler did.</source>
        <translation>ランク {rank} は、Ringmaster が送っていない SIGKILL で終了しました。他のユーザーのコマンド、サービスマネージャー、スケジューラーのどれかによるものです。</translation>
    </message>
    <message>
        <source>Rank {rank} ended with exit code {code}: a program that its shell ran was ended by {signal}.</source>
        <translation>ランク {rank} は終了コード {code} で終了しました: シェルが実行したプログラムが {signal} で終了しました。</translation>
    </message>
    <message>
        <source>Rank {rank} ended with exit code {code}: a shell did not find a program that it should run; check the names in the script and PATH.</source>
        <translation>ランク {rank} は終了コード {code} で終了しました: シェルが実行すべきプログラムを見つけられません。スクリプト内の名前と PATH を確認してください。</translation>
    </message>
    <message>
        <source>Rank {rank} ended with exit code {code}: a shell may not execute a program that it should run; make it executable (chmod +x).</source>
        <translation>ランク {rank} は終了コード {code} で終了しました: シェルにプログラムの実行権限がありません。chmod +x で許可してください。</translation>
    </message>
    <message>
        <source>Rank {rank}: the script {path} does not exist; check its name and the working folder.</source>
        <translation>ランク {rank}: スクリプト {path} がありません。名前と作業フォルダーを確認してください。</translation>
    </message>
    <message>
        <source>Rank {rank}: {file} line {line} isn&apos;t valid for this Python: {type}: {text}</source>
        <translation>ランク {rank}: {file} の {line} 行目はこの Python では正しくありません: {type}: {text}</translation>
    </message>
    <message>
        <source>Rank {rank}: {type}: {text}. Is it installed for the interpreter that runs the job?</source>
        <translation>ランク {rank}: {type}: {text}。ジョブを実行するインタープリターにインストールされていますか?</translation>
    </message>
    <message>
        <source>Rank {rank}: the GPU&apos;s memory ran out; use smaller batches, or see what else uses that GPU. {text}</source>
        <translation>ランク {rank}: GPU のメモリが足りません。バッチを小さくするか、その GPU を使う他のものを確認してください。{text}</translation>
    </message>
    <message>
        <source>Rank {rank} lost another rank, which is a consequence and not the cause: {type}: {text}</source>
        <translation>ランク {rank} は別のランクを失いました。これは原因ではなく結果です: {type}: {text}</translation>
    </message>
    <message>
        <source>Rank {rank} was still connecting to another rank, in init_process_group or new_group, when that one was gone. If it had finished its program, let every rank wait for all at the end: dist.barrier() before destroy_process_group(). {type}: {text}</source>
        <translation>ランク {rank} は init_process_group または new_group で別のランクに接続している途中でしたが、そのランクはもういませんでした。相手がプログラムを終えていたのなら、最後に全ランクを待ち合わせてください（destroy_process_group() の前に dist.barrier()）。{type}: {text}</translation>
    </message>
    <message>
        <source>Rank {rank}: {type} in {file} line {line}: {text}</source>
        <translation>ランク {rank}: {file} の {line} 行目で {type}: {text}</translation>
    </message>
    <message>
        <source>Rank {rank}: {type}: {text}</source>
        <translation>ランク {rank} で {type}: {text}</translation>
    </message>
    <message>
        <source>Rank {rank}: {text}</source>
        <translation>ランク {rank} の報告: {text}</translation>
    </message>
    <message>
        <source>Warm start: the workers were forked from a starter (process {pid}) that had imported torch {torch} and {modules} modules in all.</source>
        <translation>ウォームスタート：ワーカーは、torch {torch} とあわせて {modules} 個のモジュールをインポート済みのスターター（プロセス {pid}）からフォークされました。</translation>
    </message>
    <message>
        <source>Warm start: a new starter (process {pid}) imported torch {torch} and {modules} modules in all in {seconds} s, once for all workers, which were forked from it.</source>
        <translation>ウォームスタート：新しいスターター（プロセス {pid}）が torch {torch} とあわせて {modules} 個のモジュールを {seconds} 秒で、すべてのワーカーのために一度だけインポートし、ワーカーはそこからフォークされました。</translation>
    </message>
    <message>
        <source>Left out of the warm start, since a process that has imported them can&apos;t be forked safely: {modules}.</source>
        <translation>ウォームスタートから除かれました。インポートしたプロセスを安全にフォークできないためです：{modules}。</translation>
    </message>
    <message>
        <source>Cold start: {path} isn&apos;t a plain file with a Python program.</source>
        <translation>コールドスタート：{path} は Python プログラムの通常ファイルではありません。</translation>
    </message>
    <message>
        <source>Cold start: the starter can&apos;t import {module}.</source>
        <translation>コールドスタート：スターターが {module} をインポートできません。</translation>
    </message>
    <message>
        <source>Cold start: {what} starts threads when it is imported, and threads don&apos;t survive a fork.</source>
        <translation>コールドスタート：{what} はインポート時にスレッドを開始しますが、スレッドはフォークで失われます。</translation>
    </message>
    <message>
        <source>Cold start: {what} keeps {path} open when it is imported, which isn&apos;t safe to share between workers.</source>
        <translation>コールドスタート：{what} はインポート時に {path} を開いたままにします。ワーカー間で共有するのは安全ではありません。</translation>
    </message>
    <message>
        <source>Cold start: {path} hides the module {module}, which the starter has imported already; rename the file.</source>
        <translation>コールドスタート：{path} は、スターターがすでにインポートしたモジュール {module} を隠します。ファイルの名前を変えてください。</translation>
    </message>
    <message>
        <source>Cold start: the starter needs more than {limit} bytes of memory of its own.</source>
        <translation>コールドスタート：スターター自身のメモリが {limit} バイトを超えます。</translation>
    </message>
    <message>
        <source>Cold start: the starter can&apos;t be started.</source>
        <translation>コールドスタート：スターターを起動できません。</translation>
    </message>
    <message>
        <source>Cold start: the starter ended before it had forked the workers.</source>
        <translation>コールドスタート：スターターは、ワーカーをフォークする前に終了しました。</translation>
    </message>
    <message>
        <source>Cold start: the starter wasn&apos;t ready within {seconds} s.</source>
        <translation>コールドスタート：スターターは {seconds} 秒以内に準備できませんでした。</translation>
    </message>
    <message>
        <source>Cold start: {path} is missing; Ringmaster isn&apos;t completely installed.</source>
        <translation>コールドスタート：{path} がありません。Ringmaster のインストールが不完全です。</translation>
    </message>
    <message>
        <source>Rank {rank} ended by signal {signal}, which the user sent.</source>
        <translation>ランク {rank} は、ユーザーが送ったシグナル {signal} で終了しました。</translation>
    </message>
    <message>
        <source>A TrainJob can&apos;t say {what} ({value}); set it in the training runtime or in the image.</source>
        <translation>TrainJob では {what} ({value}) を表せません。トレーニングランタイムかイメージで設定してください。</translation>
    </message>
    <message>
        <source>A TrainJob runs in a container; name its image (--image, or image in the job file).</source>
        <translation>TrainJob はコンテナーで動きます。イメージを指定してください (--image、またはジョブファイルの image)。</translation>
    </message>
    <message>
        <source>The value of {name} isn&apos;t in the manifest; make the Secret first: kubectl create secret generic {secret} --from-literal={name}=…</source>
        <translation>{name} の値はマニフェストに含めていません。先に Secret を作成してください: kubectl create secret generic {secret} --from-literal={name}=…</translation>
    </message>
    <message>
        <source>{value} isn&apos;t a time for Slurm; write minutes, hours:minutes:seconds or days-hours, as 90, 4:00:00 or 2-12.</source>
        <translation>{value} は Slurm の時間として読めません。分、時:分:秒、日-時のいずれかで指定してください (例: 90、4:00:00、2-12)。</translation>
    </message>
    <message>
        <source>{value} isn&apos;t an option of sbatch; write it as --constraint=a100, one in each.</source>
        <translation>{value} は sbatch のオプションではありません。--constraint=a100 のように 1 つずつ指定してください。</translation>
    </message>
    <message>
        <source>{value} GPUs on each node can&apos;t be asked for; 0 leaves it to Slurm.</source>
        <translation>ノードあたりの GPU を {value} 個にすることはできません。0 にすると Slurm に任せます。</translation>
    </message>
    <message>
        <source>{field}: {value} isn&apos;t a name; sbatch takes letters, digits, dots, dashes, underscores and commas.</source>
        <translation>{field}: {value} は名前として使えません。sbatch で使えるのは英数字、ピリオド、ハイフン、下線、コンマです。</translation>
    </message>
    <message>
        <source>Rank {rank} called {operation} #{number} in {function}, {file} line {line}.</source>
        <translation>ランク {rank} は {file} の {line} 行目 {function} で {operation} #{number} を呼び出しました。</translation>
    </message>
    <message>
        <source>Rank {rank}&apos;s last known place is {function}, {file} line {line}, where it called {operation} #{number}.</source>
        <translation>ランク {rank} の最後に確認できた位置は {file} の {line} 行目 {function} で、そこで {operation} #{number} を呼び出しています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} called {operation} #{number} in {function}, {file} line {line}.</source>
        <translation>ランク {ranks} は {file} の {line} 行目 {function} で {operation} #{number} を呼び出しました。</translation>
    </message>
    <message>
        <source>Rank {rank} was in {operation} #{number} of group {group} ({what}) when it ended, called in {function}, {file} line {line}.</source>
        <translation>ランク {rank} は終了したとき、グループ {group} の {operation} #{number} ({what}) の中にいました。呼び出し元は {file} の {line} 行目 {function} です。</translation>
    </message>
    <message>
        <source>Rank {rank} was in no operation when it ended; its last was {operation} #{number} of group {group}, called in {function}, {file} line {line}.</source>
        <translation>ランク {rank} は終了したとき、どの演算にも入っていませんでした。最後はグループ {group} の {operation} #{number} で、呼び出し元は {file} の {line} 行目 {function} です。</translation>
    </message>
    <message>
        <source>--hosts can&apos;t be combined with a rendezvous of your own (--rdzv-endpoint, --standalone): the hosts meet through this machine. Leave it out.</source>
        <translation>--hosts は独自のランデブー（--rdzv-endpoint、--standalone）と併用できません。ホストはこのマシンを介して集まります。その指定を外してください。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {reason}</source>
        <translation>{path} の {line} 行目: {reason}</translation>
    </message>
    <message>
        <source>“{host}” can&apos;t be the name of a host; use letters, digits, dots, dashes and underscores.</source>
        <translation>「{host}」はホスト名にできません。英数字、ドット、ハイフン、アンダースコアを使ってください。</translation>
    </message>
    <message>
        <source>“{text}” isn&apos;t a host; write NAME, NAME:WORKERS or @GROUP.</source>
        <translation>「{text}」はホストの指定ではありません。名前、名前:ワーカー数、@グループ のいずれかで書いてください。</translation>
    </message>
    <message>
        <source>No host of {path} is in the group {group}; `ringmaster host add NAME --group {group}` puts one there.</source>
        <translation>{path} にはグループ {group} のホストがありません。`ringmaster host add 名前 --group {group}` で追加できます。</translation>
    </message>
    <message>
        <source>The host {host} is named twice; give it the workers of both: {host}:{slots}.</source>
        <translation>ホスト {host} が 2 回指定されています。ワーカー数をまとめて {host}:{slots} と書いてください。</translation>
    </message>
    <message>
        <source>There is no host {host} in {path}; `ringmaster host ls` lists them.</source>
        <translation>{path} にホスト {host} はありません。`ringmaster host ls` で一覧を確認できます。</translation>
    </message>
    <message>
        <source>{host}: the name {destination} is unknown; check its spelling, or give it a HostName in ~/.ssh/config.</source>
        <translation>{host}: 名前 {destination} を解決できません。綴りを確認するか、~/.ssh/config に HostName を書いてください。</translation>
    </message>
    <message>
        <source>{host}: nothing answers at its ssh port; start sshd there, or correct Port in ~/.ssh/config.</source>
        <translation>{host}: ssh のポートで応答がありません。そのホストで sshd を起動するか、~/.ssh/config の Port を直してください。</translation>
    </message>
    <message>
        <source>{host} can&apos;t be reached over the network; check that it is on, the cable, and the route to it.</source>
        <translation>{host} にネットワークで到達できません。電源、ケーブル、経路を確認してください。</translation>
    </message>
    <message>
        <source>{host}: its host key isn&apos;t known yet; run `ssh {destination}` once and compare the fingerprint.</source>
        <translation>{host}: ホスト鍵がまだ登録されていません。一度 `ssh {destination}` を実行し、フィンガープリントを照合してください。</translation>
    </message>
    <message>
        <source>{host}: none of your keys is accepted; `ssh-copy-id {destination}` installs one, `ssh-add` unlocks one that has a pass phrase.</source>
        <translation>{host}: どの鍵も受け付けられませんでした。`ssh-copy-id {destination}` で鍵を登録するか、パスフレーズ付きの鍵は `ssh-add` で読み込んでください。</translation>
    </message>
    <message>
        <source>{host}: it asks for a password, which a job can&apos;t type; install a key with `ssh-copy-id {destination}`.</source>
        <translation>{host}: パスワードを求められましたが、ジョブは入力できません。`ssh-copy-id {destination}` で鍵を登録してください。</translation>
    </message>
    <message>
        <source>{host}: its sshd refuses further connections (MaxSessions, MaxStartups); close some, or raise the limit there.</source>
        <translation>{host}: sshd がこれ以上の接続を拒否しています（MaxSessions、MaxStartups）。接続を減らすか、上限を上げてください。</translation>
    </message>
    <message>
        <source>{host}: its sshd takes the connection and doesn&apos;t greet in time; the machine is overloaded or hangs: look at what it does.</source>
        <translation>{host}: sshd は接続を受け付けますが、時間内に応答しません。マシンが過負荷か、固まっています。何が動いているかを確認してください。</translation>
    </message>
    <message>
        <source>{host}: the connection was lost; it was not answering any more.</source>
        <translation>{host}: 接続が失われました。応答がなくなりました。</translation>
    </message>
    <message>
        <source>{host}: the connection was closed from there.</source>
        <translation>{host}: 相手側から接続が閉じられました。</translation>
    </message>
    <message>
        <source>{host}: it has no {command}; install it there.</source>
        <translation>{host}: {command} がありません。そのホストにインストールしてください。</translation>
    </message>
    <message>
        <source>--hosts can&apos;t be combined with --slurm: Slurm chooses the nodes. Leave one of them out, or name nodes with --slurm-option=--nodelist=NAMES.</source>
        <translation>--hosts は --slurm と一緒に使えません（ノードは Slurm が選びます）。どちらかを外すか、--slurm-option=--nodelist=NAMES でノードを指定してください。</translation>
    </message>
    <message>
        <source>{value} is no container engine that Ringmaster knows; choose podman, docker, apptainer or charliecloud.</source>
        <translation>{value} は Ringmaster の知らないコンテナエンジンです。podman、docker、apptainer、charliecloud から選んでください。</translation>
    </message>
    <message>
        <source>{value} isn&apos;t a mount; write absolute paths as SOURCE, SOURCE:TARGET or SOURCE:TARGET:ro.</source>
        <translation>{value} はマウントの書き方ではありません。絶対パスで SOURCE、SOURCE:TARGET、SOURCE:TARGET:ro のように書いてください。</translation>
    </message>
    <message>
        <source>{value} isn&apos;t a device; write a path as /dev/fuse, or a name as nvidia.com/gpu=all.</source>
        <translation>{value} はデバイスではありません。/dev/fuse のようなパスか、nvidia.com/gpu=all のような名前で書いてください。</translation>
    </message>
    <message>
        <source>{value} isn&apos;t an option of the engine&apos;s run; write it as --shm-size=8g, one in each.</source>
        <translation>{value} はエンジンの run のオプションではありません。--shm-size=8g のように、1 つずつ書いてください。</translation>
    </message>
    <message>
        <source>Slurm&apos;s {command} isn&apos;t on this machine; start the job on a login node of the cluster (Debian: slurm-client).</source>
        <translation>このマシンには Slurm の {command} がありません。クラスタのログインノードでジョブを開始してください（Debian: slurm-client）。</translation>
    </message>
    <message>
        <source>Slurm isn&apos;t set up on this machine: {reason}; start the job on a login node of the cluster, or set SLURM_CONF.</source>
        <translation>このマシンでは Slurm が設定されていません：{reason}。クラスタのログインノードでジョブを開始するか、SLURM_CONF を設定してください。</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller can&apos;t be reached: {reason}; `scontrol ping` says when it is up again.</source>
        <translation>Slurm のコントローラに接続できません：{reason}。復旧したかどうかは `scontrol ping` で分かります。</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller doesn&apos;t answer; the job goes on, and is looked for again.</source>
        <translation>Slurm のコントローラが応答しません。ジョブはそのまま続き、あとでもう一度調べます。</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller answers again.</source>
        <translation>Slurm のコントローラが再び応答しています。</translation>
    </message>
    <message>
        <source>Slurm&apos;s {command} refuses: {reason}</source>
        <translation>Slurm の {command} に拒否されました：{reason}</translation>
    </message>
    <message>
        <source>Slurm has no partition {partition}; `sinfo --summarize` lists those that there are.</source>
        <translation>Slurm にパーティション {partition} はありません。`sinfo --summarize` で一覧を見られます。</translation>
    </message>
    <message>
        <source>Job {job} waits in Slurm&apos;s queue ({reason}).</source>
        <translation>ジョブ {job} は Slurm のキューで待っています（{reason}）。</translation>
    </message>
    <message>
        <source>Job {job} is held in Slurm&apos;s queue ({reason}); `scontrol release {job}` lets it go, or its administrator does.</source>
        <translation>ジョブ {job} は Slurm のキューで保留されています（{reason}）。`scontrol release {job}` か、管理者による解除で動き出します。</translation>
    </message>
    <message>
        <source>Job {job} can&apos;t start as it is ({reason}); ask for less, or for another partition or account, with --slurm-….</source>
        <translation>ジョブ {job} はこのままでは開始できません（{reason}）。--slurm-… で要求を減らすか、別のパーティションやアカウントを指定してください。</translation>
    </message>
    <message>
        <source>Slurm runs job {job} on {nodes}.</source>
        <translation>Slurm はジョブ {job} を {nodes} で実行します。</translation>
    </message>
    <message>
        <source>Slurm has put job {job} back into its queue: it was preempted, or a node failed.</source>
        <translation>Slurm がジョブ {job} をキューに戻しました。プリエンプトされたか、ノードが故障しました。</translation>
    </message>
    <message>
        <source>Job {job} was cancelled in Slurm (scancel), not by this run.</source>
        <translation>ジョブ {job} は Slurm で取り消されました（scancel）。この実行が行ったものではありません。</translation>
    </message>
    <message>
        <source>Job {job} was preempted in Slurm by another one.</source>
        <translation>ジョブ {job} は Slurm で別のジョブにプリエンプトされました。</translation>
    </message>
    <message>
        <source>A node of job {job} failed, and Slurm has ended the job.</source>
        <translation>ジョブ {job} のノードが故障し、Slurm がジョブを終了させました。</translation>
    </message>
    <message>
        <source>Slurm ended job {job}, because it used more memory than it had asked for; ask for more with --slurm-option=--mem=….</source>
        <translation>ジョブ {job} は要求した以上のメモリを使ったため、Slurm に終了させられました。--slurm-option=--mem=… で増やしてください。</translation>
    </message>
    <message>
        <source>Job {job} has ended in Slurm ({state}) before its run.</source>
        <translation>ジョブ {job} は実行が終わる前に Slurm で終了しました（{state}）。</translation>
    </message>
    <message>
        <source>Slurm doesn&apos;t know the run&apos;s job any more: it was removed, or the controller has lost its state.</source>
        <translation>Slurm にこの実行のジョブがもうありません。削除されたか、コントローラが状態を失いました。</translation>
    </message>
    <message>
        <source>{host}: Slurm has taken this node out of the job: it is down.</source>
        <translation>{host}: ダウンしたため、Slurm がこのノードをジョブから外しました。</translation>
    </message>
    <message>
        <source>{host}: Ringmaster isn&apos;t there at the same path as here; install it on the nodes, or in a folder that they share.</source>
        <translation>{host}: ここと同じパスに Ringmaster がありません。各ノードにインストールするか、共有フォルダに置いてください。</translation>
    </message>
    <message>
        <source>{host}: the step that reaches the agent ended with {status}.</source>
        <translation>{host}: エージェントにつなぐステップが {status} で終わりました。</translation>
    </message>
    <message>
        <source>Job {job} couldn&apos;t be cancelled; `scancel --name={name}` does it when Slurm answers again.</source>
        <translation>ジョブ {job} を取り消せませんでした。Slurm が再び応答したら `scancel --name={name}` を実行してください。</translation>
    </message>
    <message>
        <source>No lead has come for the agent within {seconds} s; it ends.</source>
        <translation>{seconds} 秒のあいだエージェントにリードが来なかったため、エージェントは終了します。</translation>
    </message>
    <message>
        <source>No agent waits for its lead on {host}; it has ended, or was never started there.</source>
        <translation>{host} にはリードを待っているエージェントがいません。終了したか、一度も開始されていません。</translation>
    </message>
    <message>
        <source>{host} isn&apos;t the job&apos;s any more.</source>
        <translation>{host} はもうこのジョブのものではありません。</translation>
    </message>
    <message>
        <source>Rank {rank}: its container image isn&apos;t there and can&apos;t be fetched: {reason}. Check the image&apos;s name, or fetch it before (podman pull, docker pull).</source>
        <translation>ランク {rank}：コンテナイメージがなく、取得もできません：{reason}。イメージの名前を確かめるか、先に取得してください（podman pull、docker pull）。</translation>
    </message>
    <message>
        <source>Rank {rank}: the container engine may not be used: {reason}. Ask for the right to use it (docker: the group docker; podman: lines in /etc/subuid), or choose another with --container-engine.</source>
        <translation>ランク {rank}：コンテナエンジンを使う権限がありません：{reason}。使えるようにしてもらうか（docker: グループ docker、podman: /etc/subuid の行）、--container-engine で別のものを選んでください。</translation>
    </message>
    <message>
        <source>Rank {rank}: the container engine could not start its container: {reason}</source>
        <translation>ランク {rank}：コンテナエンジンがコンテナを開始できませんでした：{reason}</translation>
    </message>
    <message>
        <source>Rank {rank}: its program isn&apos;t in the container image: {reason}. Name one that is there, with --python for an interpreter.</source>
        <translation>ランク {rank}：プログラムがコンテナイメージの中にありません：{reason}。中にあるものを指定してください（インタプリタは --python）。</translation>
    </message>
    <message>
        <source>Rank {rank}: its program can&apos;t be executed in the container: {reason}</source>
        <translation>ランク {rank}：プログラムをコンテナの中で実行できません：{reason}</translation>
    </message>
    <message>
        <source>{host}: the disk with {path} is full; free some space there.</source>
        <translation>{host}: {path} のあるディスクがいっぱいです。空きを作ってください。</translation>
    </message>
    <message>
        <source>{host}: its C library is older than the one that this Ringmaster was built with; build Ringmaster on the older system.</source>
        <translation>{host}: C ライブラリが、この Ringmaster のビルドに使ったものより古いです。古い方のシステムでビルドしてください。</translation>
    </message>
    <message>
        <source>{host}: no agent answered within {seconds} s.</source>
        <translation>{host}: {seconds} 秒以内にエージェントの応答がありませんでした。</translation>
    </message>
    <message>
        <source>{host}: its login shell prints too much, or something that isn&apos;t the agent answered; keep ~/.bashrc silent for commands.</source>
        <translation>{host}: ログインシェルの出力が多すぎるか、エージェント以外が応答しました。コマンド実行時は ~/.bashrc が何も出力しないようにしてください。</translation>
    </message>
    <message>
        <source>--on takes the name of one machine, and “{text}” isn&apos;t one; `ringmaster host ls` lists yours, and names that ssh knows do as well.</source>
        <translation>--on には 1 台のマシンの名前を指定します。「{text}」はマシンの名前ではありません。登録済みのマシンは `ringmaster host ls` で確認できます。ssh が知っている名前も使えます。</translation>
    </message>
    <message>
        <source>--on {host} has the job run there by itself, so {option} can&apos;t be added; leave one of them out, or log in on {host} and start the job there.</source>
        <translation>--on {host} ではジョブ全体がそのマシンだけで動くため、{option} は併用できません。どちらかを外すか、{host} にログインしてジョブを開始してください。</translation>
    </message>
    <message>
        <source>{host}: what came from there isn&apos;t an answer of this Ringmaster; `ssh {host} true` has to work and to print nothing.</source>
        <translation>{host}: 受け取った応答はこの Ringmaster のものではありません。`ssh {host} true` が成功し、何も出力しないことを確認してください。</translation>
    </message>
    <message>
        <source>the folder {path} isn&apos;t there; `ringmaster host edit HOST --sync rsync` has it synchronised, and --code says where it is.</source>
        <translation>フォルダー {path} がそのマシンにありません。`ringmaster host edit HOST --sync rsync` で同期するか、--code で場所を指定してください。</translation>
    </message>
    <message>
        <source>It runs on {host} by itself: this terminal only shows it, and Ctrl+C stops it.</source>
        <translation>ジョブは {host} で独立して動いています。この端末は表示だけを行い、Ctrl+C で停止します。</translation>
    </message>
    <message>
        <source>Whether the job was started isn&apos;t known; `ringmaster ps --on {host}` shows it.</source>
        <translation>ジョブが開始されたかどうか分かりません。`ringmaster ps --on {host}` で確認できます。</translation>
    </message>
    <message>
        <source>{reason} The run goes on there; it is shown again as soon as {host} is reached.</source>
        <translation>{reason} 実行は {host} で続いています。接続が回復すると表示を再開します。</translation>
    </message>
    <message>
        <source>{reason} The run has ended; the rest of its output is shown as soon as {host} is reached.</source>
        <translation>{reason} 実行は終了しました。{host} への接続が回復すると残りの出力を表示します。</translation>
    </message>
    <message>
        <source>{host} is reached again.</source>
        <translation>{host} に再び接続しました。</translation>
    </message>
    <message>
        <source>{host} isn&apos;t reached now; run {run} is stopped as soon as it is. Press Ctrl+C again to leave: the run goes on then.</source>
        <translation>{host} に接続できません。接続が回復したら実行 {run} を停止します。もう一度 Ctrl+C を押すと、実行を続けたまま終了します。</translation>
    </message>
    <message>
        <source>Run {run} goes on at {host}: `ringmaster logs --on {host} --follow {run}` shows it, and `ringmaster stop --on {host} {run}` stops it.</source>
        <translation>実行 {run} は {host} で続いています。表示するには `ringmaster logs --on {host} --follow {run}`、停止するには `ringmaster stop --on {host} {run}` を使います。</translation>
    </message>
    <message>
        <source>{host}: the agent that was copied there is damaged; it is copied again at the next start.</source>
        <translation>{host}: コピーしたエージェントが壊れています。次の起動時にコピーし直します。</translation>
    </message>
    <message>
        <source>{host}: the agent ended with {status}.</source>
        <translation>{host}: エージェントが終了しました（{status}）。</translation>
    </message>
    <message>
        <source>{host}: ssh failed; try `ssh {destination} true` by hand.</source>
        <translation>{host}: ssh が失敗しました。`ssh {destination} true` を手で試してください。</translation>
    </message>
    <message>
        <source>ssh isn&apos;t installed on this machine (Debian: openssh-client).</source>
        <translation>このマシンに ssh がありません（Debian: openssh-client）。</translation>
    </message>
    <message>
        <source>ssh doesn&apos;t understand the settings of {host}; `ssh -G {host}` says why.</source>
        <translation>ssh が {host} の設定を解釈できません。`ssh -G {host}` で理由がわかります。</translation>
    </message>
    <message>
        <source>The agent could not be packed for other hosts: {what}.</source>
        <translation>他のホスト用にエージェントをまとめられませんでした: {what}。</translation>
    </message>
    <message>
        <source>{host}: the agent is copied there ({size}).</source>
        <translation>{host}: エージェントをコピーしています（{size}）。</translation>
    </message>
    <message>
        <source>GPU {gpu} reported Xid error {xid}; NVIDIA&apos;s list of Xid errors says what it means, and the kernel&apos;s log has the details.</source>
        <translation>GPU {gpu} が Xid エラー {xid} を報告しました。意味は NVIDIA の Xid エラー一覧に、詳細はカーネルのログにあります。</translation>
    </message>
    <message>
        <source>GPU {gpu} reported a memory error that it couldn&apos;t correct (ECC); `nvidia-smi -q -d ECC` counts them.</source>
        <translation>GPU {gpu} が訂正できないメモリエラー（ECC）を報告しました。回数は `nvidia-smi -q -d ECC` で確認できます。</translation>
    </message>
    <message>
        <source>A worker on {host} failed.</source>
        <translation>{host} のワーカーが失敗しました。</translation>
    </message>
    <message>
        <source>{host} joins; the group restarts with it.</source>
        <translation>{host} が加わります。グループはこれを含めて再起動します。</translation>
    </message>
    <message>
        <source>{host} is back; the group restarts with it.</source>
        <translation>{host} が戻りました。グループはこれを含めて再起動します。</translation>
    </message>
    <message>
        <source>{host} had finished, but the others are too few without it; its workers run again.</source>
        <translation>{host} は終わっていましたが、これがないとほかのホストだけでは足りないため、ワーカーをもう一度実行します。</translation>
    </message>
    <message>
        <source>{host}: its agent ended before the job did.</source>
        <translation>{host}: ジョブより先にエージェントが終了しました。</translation>
    </message>
    <message>
        <source>{host} hasn&apos;t answered for {seconds} s: the network is cut, or it is overloaded.</source>
        <translation>{host} から {seconds} 秒間応答がありません。ネットワークの切断か、過負荷です。</translation>
    </message>
    <message>
        <source>{host} hasn&apos;t come back within {seconds} s; the others go on without it, or wait for it if they are too few.</source>
        <translation>{host} が {seconds} 秒以内に復帰しませんでした。ほかのホストはこのホストなしで続行するか、数が足りなければ復帰を待ちます。</translation>
    </message>
    <message>
        <source>{host}: the connection to its agent has ended.</source>
        <translation>{host}: エージェントとの接続が切れました。</translation>
    </message>
    <message>
        <source>{host}: its agent was ended from outside, and the workers with it.</source>
        <translation>{host}: エージェントが外部から終了させられ、ワーカーも終了しました。</translation>
    </message>
    <message>
        <source>{host}: its agent had waited for its lead in vain, and has ended.</source>
        <translation>{host}: エージェントはリードを待ちましたが戻らなかったため、終了していました。</translation>
    </message>
    <message>
        <source>{host} was started anew; nothing of the run is left there.</source>
        <translation>{host} は再起動されました。この実行のものは残っていません。</translation>
    </message>
    <message>
        <source>{host} isn&apos;t waited for: the run is ending.</source>
        <translation>{host} は待ちません。実行が終了するところです。</translation>
    </message>
    <message>
        <source>The file system of {path} doesn&apos;t answer: Ringmaster ends without it, and what wasn&apos;t written there yet is lost. Look at that disk, or at the server it is mounted from; once it answers, `ringmaster show` has what was kept.</source>
        <translation>{path} のファイルシステムが応答しません。Ringmaster は待たずに終了し、まだ書き込まれていなかった分は失われます。そのディスク、またはマウント元のサーバーを確認してください。応答するようになれば、残された記録を `ringmaster show` で表示できます。</translation>
    </message>
    <message>
        <source>The lead isn&apos;t heard any more; the workers go on for {seconds} s, in case it comes back.</source>
        <translation>リードからの連絡が途絶えました。戻ってくる場合に備え、ワーカーは {seconds} 秒間続けます。</translation>
    </message>
    <message>
        <source>The lead is back.</source>
        <translation>リードが戻りました。</translation>
    </message>
    <message>
        <source>The lead hasn&apos;t come back within {seconds} s; the workers are stopped.</source>
        <translation>リードが {seconds} 秒以内に戻らなかったため、ワーカーを停止します。</translation>
    </message>
    <message>
        <source>Another lead has taken the run over; its agents are asked where they stand.</source>
        <translation>別のリードが実行を引き継ぎました。各エージェントに現在の状態を確認しています。</translation>
    </message>
    <message>
        <source>The run {run} can&apos;t be taken over: that is for a job on several hosts whose lead is gone.</source>
        <translation>実行 {run} は引き継げません。引き継げるのは、複数のホストで動くジョブで、リードがなくなったものだけです。</translation>
    </message>
    <message>
        <source>The lead of {run} is still there, or runs on another machine; `ringmaster stop {run}` ends it.</source>
        <translation>{run} のリードはまだ動いているか、別のマシンで動いています。`ringmaster stop {run}` で終了できます。</translation>
    </message>
    <message>
        <source>{host}: another lead has taken this run over.</source>
        <translation>{host}: 別のリードがこの実行を引き継ぎました。</translation>
    </message>
    <message>
        <source>{host} has no network interface {interface} with an address; `ip addr` lists them there.</source>
        <translation>{host} には、アドレスを持つネットワークインターフェイス {interface} がありません。そのホストで `ip addr` を実行すると一覧が出ます。</translation>
    </message>
    <message>
        <source>{hosts} hosts are named, but the job needs {needed}; name more, or lower --nnodes.</source>
        <translation>指定されたホストは {hosts} 台ですが、ジョブには {needed} 台必要です。ホストを追加するか、--nnodes を減らしてください。</translation>
    </message>
    <message>
        <source>{host}: {path} has no torch; install it there, or name an interpreter that has it.</source>
        <translation>{host}: {path} に torch がありません。インストールするか、torch のあるインタープリターを指定してください。</translation>
    </message>
    <message>
        <source>{host} has {what} {version}, {peer} has {other}; install the same everywhere, or collectives may fail.</source>
        <translation>{host} の {what} は {version}、{peer} は {other} です。同じものに揃えてください。そうしないと集団通信が失敗することがあります。</translation>
    </message>
    <message>
        <source>{host}: {path} is Python {python} with torch {torch}.</source>
        <translation>{host}: {path} は Python {python}、torch {torch} です。</translation>
    </message>
    <message>
        <source>{host}: its clock is {seconds} s from this machine&apos;s; let NTP set it.</source>
        <translation>{host}: 時計がこのマシンと {seconds} 秒ずれています。NTP で合わせてください。</translation>
    </message>
    <message>
        <source>{host}: GPU {gpu} has {used} of {total} MiB in use; end what runs there, or choose another GPU.</source>
        <translation>{host}: GPU {gpu} は {total} MiB のうち {used} MiB が使用中です。動いているものを終了するか、別の GPU を選んでください。</translation>
    </message>
    <message>
        <source>{host}: its load is {load} on {processors} processors; something else runs there.</source>
        <translation>{host}: 負荷は {processors} プロセッサーに対して {load} です。ほかの処理が動いています。</translation>
    </message>
    <message>
        <source>{host} reaches {peer} at {address} in {milliseconds} ms.</source>
        <translation>{host} から {peer}（{address}）へ {milliseconds} ms で到達できます。</translation>
    </message>
    <message>
        <source>Rank {rank} was ready to run and had no processor for {percent} % of the time, the others for {others} %: more runs on its machine than that has processors for.</source>
        <translation>ランク {rank} は時間の {percent} % のあいだ、実行可能なのにプロセッサーが割り当てられませんでした（他のランクは {others} %）。そのマシンではプロセッサー数より多くの処理が動いています。</translation>
    </message>
    <message>
        <source>Free a processor for rank {rank}: fewer threads and data loader workers a rank (OMP_NUM_THREADS, num_workers), other programs elsewhere.</source>
        <translation>ランク {rank} のためにプロセッサーを空けてください: ランクごとのスレッドとデータローダーのワーカーを減らす（OMP_NUM_THREADS、num_workers）か、他のプログラムを別のマシンで動かします。</translation>
    </message>
    <message>
        <source>The ranks are on hosts whose clocks are compared to within {milliseconds} ms: whoever was last by less isn&apos;t counted.</source>
        <translation>ランクが属するホスト間の時計合わせの誤差は最大 {milliseconds} ms です。それ以下の遅れは数えていません。</translation>
    </message>
    <message>
        <source>The hosts could not be asked.</source>
        <translation>ホストに問い合わせできませんでした。</translation>
    </message>
    <message>
        <source>{host}: only {mebibytes} MiB are free on the disk with {path}; free some space there.</source>
        <translation>{host}: {path} のあるディスクの空きは {mebibytes} MiB だけです。空き容量を増やしてください。</translation>
    </message>
    <message>
        <source>{host}: workers of an earlier job still run there ({program}; processes {processes}) though their launcher is gone; end them.</source>
        <translation>{host}: 以前のジョブのワーカーが、起動元が終了したあとも動いています({program}、プロセス {processes})。終了させてください。</translation>
    </message>
    <message>
        <source>{host} takes the name {name} for {address}, but {peer} is at {other}; correct /etc/hosts or the name server there.</source>
        <translation>{host} では名前 {name} が {address} に解決されますが、{peer} のアドレスは {other} です。そのホストの /etc/hosts か名前サーバーを直してください。</translation>
    </message>
    <message>
        <source>Cold start: the workers run in containers of the image {image}.</source>
        <translation>コールドスタート：ワーカーはイメージ {image} のコンテナで動きます。</translation>
    </message>
    <message>
        <source>No container engine for the image {image} is installed ({engines}); install one (Debian: podman), or leave the image out.</source>
        <translation>イメージ {image} を動かすコンテナエンジンがありません（{engines}）。インストールするか（Debian: podman）、イメージの指定を外してください。</translation>
    </message>
    <message>
        <source>--slurm-preview shows what Slurm gets; add --slurm, or run_on = &quot;slurm&quot; in the job file.</source>
        <translation>--slurm-preview は Slurm に投入する内容を表示します。--slurm を付けるか、ジョブファイルに run_on = &quot;slurm&quot; を書いてください。</translation>
    </message>
    <message>
        <source>{operation} between {host} and {other} ({ranks|rank}) moves {rate} GB/s at best, {percent} % of what the calibration of these two promised ({ceiling} GB/s).</source>
        <translation>{host} と {other} の間（ランク {ranks}）の {operation} は最大でも {rate} GB/s で、この 2 台のキャリブレーションで期待される値（{ceiling} GB/s）の {percent} % です。</translation>
    </message>
    <message>
        <source>One of the ways between {hosts} is slow: {operation} of {ranks|rank} moves {rate} GB/s at best, {percent} % of what the slowest pair of them was calibrated to ({ceiling} GB/s).</source>
        <translation>{hosts} の間の経路のいずれかが遅くなっています：ランク {ranks} の {operation} は最大でも {rate} GB/s で、この中で最も遅い組のキャリブレーション値（{ceiling} GB/s）の {percent} % です。</translation>
    </message>
    <message>
        <source>Nine tenths of the last {count} operations were slower than {operation} #{number} ({what}) of group {group}, which took {took} ms; as calibrated in run {run} it takes {promised} ms.</source>
        <translation>直近の {count} 個の操作のうち 9 割は、グループ {group} の {operation} #{number}（{what}）の {took} ms より長くかかりました。実行 {run} のキャリブレーションでは {promised} ms です。</translation>
    </message>
    <message>
        <source>Look at the network between {host} and {other} and at what else uses it; when the job is over, `ringmaster calibrate --hosts {host},{other}` shows what it can do now.</source>
        <translation>{host} と {other} の間のネットワークと、それをほかに何が使っているかを確認してください。ジョブが終わったあとに `ringmaster calibrate --hosts {host},{other}` を実行すると、現在の性能が分かります。</translation>
    </message>
    <message>
        <source>When the job is over, `ringmaster calibrate --hosts {hosts}` measures each pair again: the slow one is it.</source>
        <translation>ジョブが終わったあとに `ringmaster calibrate --hosts {hosts}` を実行すると、組ごとに測定し直せます。遅い組が原因です。</translation>
    </message>
    <message>
        <source>The sweep&apos;s worker doesn&apos;t start there: {path} has no torch; name an interpreter that has it with `ringmaster host add NAME --python PATH`.</source>
        <translation>スイープのワーカーをそのホストで起動できません：{path} に torch がありません。torch のあるインタープリターを `ringmaster host add NAME --python PATH` で指定してください。</translation>
    </message>
    <message>
        <source>What is calibrated is the way between two hosts, but {count} are named.</source>
        <translation>キャリブレーションの対象は 2 つのホストの間の経路ですが、ホストが {count} 個指定されています。</translation>
    </message>
    <message>
        <source>{host}: {folder} is synchronised to {target} with rsync.</source>
        <translation>{host}: {folder} を rsync で {target} に同期しています。</translation>
    </message>
    <message>
        <source>{host}: {folder} is now at {target}; {files} files were copied ({size}).</source>
        <translation>{host}: {folder} を {target} に同期しました。コピーしたファイルは {files} 個 ({size}) です。</translation>
    </message>
    <message>
        <source>{host}: {folder} is now at {target}; {files} files were copied ({size}), and left out was: {excluded}.</source>
        <translation>{host}: {folder} を {target} に同期しました。コピーしたファイルは {files} 個 ({size})、除外したものは {excluded} です。</translation>
    </message>
    <message>
        <source>rsync isn&apos;t installed on this machine (Debian: rsync), and {host} wants {folder} synchronised; install it, or let {host} share the folder.</source>
        <translation>このマシンに rsync がインストールされていないため (Debian: rsync)、{folder} を {host} に同期できません。インストールするか、{host} とフォルダを共有してください。</translation>
    </message>
    <message>
        <source>{host}: rsync isn&apos;t installed there (Debian: rsync), and it wants {folder} synchronised; install it, or let it share the folder.</source>
        <translation>{host}: 相手側に rsync がインストールされていないため (Debian: rsync)、{folder} を同期できません。インストールするか、フォルダを共有してください。</translation>
    </message>
    <message>
        <source>{host}: all of {folder} would be copied there; start the job in the folder of its program, or say what is left out with `ringmaster host edit {host} --exclude PATTERN`.</source>
        <translation>{host}: {folder} の全体がコピーされることになります。プログラムのあるフォルダーでジョブを開始するか、`ringmaster host edit {host} --exclude パターン` で除外するものを指定してください。</translation>
    </message>
    <message>
        <source>{host}: the disk with {target} is full, so {folder} couldn&apos;t be synchronised; free some space there, or leave out more with --exclude.</source>
        <translation>{host}: {target} のあるディスクがいっぱいで、{folder} を同期できませんでした。空き容量を増やすか、--exclude で除外するものを増やしてください。</translation>
    </message>
    <message>
        <source>{host}: {folder} can&apos;t be synchronised to {target}: {reason}. Choose a folder of yours there with --code, or change the owner of this one.</source>
        <translation>{host}: {folder} を {target} に同期できません: {reason}。--code で自分が書き込めるフォルダを指定するか、このフォルダの所有者を変更してください。</translation>
    </message>
    <message>
        <source>{host}: {folder} can&apos;t be synchronised to {target}: nothing came for {seconds} s. Look at the network, and launch again: it goes on where it was.</source>
        <translation>{host}: {folder} を {target} に同期できません: {seconds} 秒間データが届きませんでした。ネットワークを確認して、もう一度起動してください。続きから同期します。</translation>
    </message>
    <message>
        <source>{host}: {folder} can&apos;t be synchronised to {target}: {reason}</source>
        <translation>{host}: {folder} を {target} に同期できません: {reason}</translation>
    </message>
    <message>
        <source>“{value}” is no way to bring the program to a host; write shared or rsync.</source>
        <translation>「{value}」はプログラムをホストに届ける方法ではありません。shared か rsync と書いてください。</translation>
    </message>
    <message>
        <source>{host}: Slurm doesn&apos;t let the agent there be reached at present; it is tried again.</source>
        <translation>{host}: 現在 Slurm の都合でエージェントに接続できません。再試行します。</translation>
    </message>
    <message>
        <source>Slurm has suspended job {job}; its workers stand still until `scontrol resume {job}`, or the job that goes before it is over.</source>
        <translation>ジョブ {job} は Slurm によって一時停止されました。`scontrol resume {job}` を実行するか、優先されたジョブが終わるまで、ワーカーは停止したままです。</translation>
    </message>
    <message>
        <source>Rank {rank} ended with exit code {code}: what its shell or container ran was ended by SIGKILL, and at that time the kernel ended a process because memory ran out. Use smaller batches or fewer data loader workers, or raise the memory limit (of a container: --container-option=--memory=…).</source>
        <translation>ランク {rank} は終了コード {code} で終了しました：シェルまたはコンテナの中のプログラムが SIGKILL で終了し、同じ頃にカーネルがメモリ不足のためプロセスを終了させています。バッチサイズやデータローダーのワーカー数を減らすか、メモリの上限（コンテナでは --container-option=--memory=…）を上げてください。</translation>
    </message>
    <message>
        <source>{host}: its host key has changed since the last time: another machine, newly installed, or an attack. If the change is meant, remove the old key with `{command}`, else ask its administrator.</source>
        <translation>{host}：ホスト鍵が前回から変わっています。別のマシン、再インストール、または攻撃の可能性があります。意図した変更であれば `{command}` で古い鍵を削除し、そうでなければ管理者に確認してください。</translation>
    </message>
    <message>
        <source>{host} is a {theirs} machine and this one is {ours}: the agent that is here can&apos;t run there. Install Ringmaster {version} there.</source>
        <translation>{host} は {theirs} マシンですが、このマシンは {ours} です。こちらのエージェントはそこでは動きません。そのホストに Ringmaster {version} をインストールしてください。</translation>
    </message>
    <message>
        <source>{host} is a {theirs} machine with Ringmaster {other}, and here it is {version}; install the same version there.</source>
        <translation>{host} は {theirs} マシンで Ringmaster は {other}、こちらは {version} です。同じバージョンをそのホストにインストールしてください。</translation>
    </message>
    <message>
        <source>{host}: the account there doesn&apos;t allow commands to be run; ask its administrator for a login shell.</source>
        <translation>{host}：そのアカウントではコマンドを実行できません。ログインシェルを使えるよう管理者に依頼してください。</translation>
    </message>
    <message>
        <source>{host}: its login shell ended with {status} before the agent was started; `ssh {destination} true` has to work, so look at ~/.bashrc and the account&apos;s shell there.</source>
        <translation>{host}：エージェントが起動する前にログインシェルが {status} で終了しました。`ssh {destination} true` が成功する必要があります。そのホストの ~/.bashrc とアカウントのシェルを確認してください。</translation>
    </message>
    <message>
        <source>{host}: nothing came of the login within {seconds} s; `ssh {destination} true` has to work, so look for what waits there: ~/.bashrc, or a file server of the home.</source>
        <translation>{host}：ログイン後 {seconds} 秒待っても何も起こりませんでした。`ssh {destination} true` が成功する必要があります。そのホストで何が待っているか（~/.bashrc やホームのファイルサーバーなど）を確認してください。</translation>
    </message>
    <message>
        <source>{host}: the agent can&apos;t be kept in {path}; make that folder writable there, or give it another one with XDG_CACHE_HOME.</source>
        <translation>{host}：エージェントを {path} に保存できません。そのフォルダーに書き込めるようにするか、XDG_CACHE_HOME で別のフォルダーを指定してください。</translation>
    </message>
    <message>
        <source>{host}: programs in {path} can&apos;t be run (mounted with noexec?); give it another folder with XDG_CACHE_HOME there.</source>
        <translation>{host}：{path} にあるプログラムを実行できません（noexec でマウントされていませんか）。そのホストの XDG_CACHE_HOME で別のフォルダーを指定してください。</translation>
    </message>
    <message>
        <source>{host}: the job can&apos;t run there: {reason}</source>
        <translation>{host}：そこではジョブを実行できません：{reason}</translation>
    </message>
    <message>
        <source>{engine} fetches the image {image}.</source>
        <translation>{engine} がイメージ {image} を取得しています。</translation>
    </message>
    <message>
        <source>{engine} fetches the image {image}, for {seconds} s so far.</source>
        <translation>{engine} がイメージ {image} を取得しています（{seconds} 秒経過）。</translation>
    </message>
    <message>
        <source>{engine} has fetched the image {image} in {seconds} s.</source>
        <translation>{engine} がイメージ {image} を {seconds} 秒で取得しました。</translation>
    </message>
    <message>
        <source>There is no image {image} for {engine}, and it isn&apos;t to be fetched; bring it here, or leave --pull=never out.</source>
        <translation>{engine} にイメージ {image} がなく、取得もしない設定です。イメージをここに用意するか、--pull=never を外してください。</translation>
    </message>
    <message>
        <source>There is no image {image} for {engine}; name a folder or a file that is there.</source>
        <translation>{engine} 用のイメージ {image} がありません。実在するフォルダーまたはファイルを指定してください。</translation>
    </message>
    <message>
        <source>The registry doesn&apos;t know the image {image}: {reason}. Check its name and its tag.</source>
        <translation>レジストリにイメージ {image} がありません：{reason}。名前とタグを確認してください。</translation>
    </message>
    <message>
        <source>The image {image} has no registry in its name, and {engine} is set up to search in none: {reason}. Write it with its registry, as docker.io/…</source>
        <translation>イメージ名 {image} にレジストリがなく、{engine} には検索先のレジストリが設定されていません：{reason}。docker.io/… のようにレジストリを付けて指定してください。</translation>
    </message>
    <message>
        <source>The image {image} doesn&apos;t fit on the disk: {reason}. Free some space, or move the images of {engine} to another disk.</source>
        <translation>イメージ {image} を保存する空き容量がありません：{reason}。空き容量を増やすか、{engine} のイメージを別のディスクに移してください。</translation>
    </message>
    <message>
        <source>The registry of the image {image} wants a login: {reason}. Run `{engine} login` for it, and check the image&apos;s name.</source>
        <translation>イメージ {image} のレジストリはログインを求めています：{reason}。`{engine} login` を実行し、イメージ名も確認してください。</translation>
    </message>
    <message>
        <source>The registry of the image {image} can&apos;t be reached: {reason}. Check the network and its proxy, or bring the image here by `{engine} load`.</source>
        <translation>イメージ {image} のレジストリに接続できません：{reason}。ネットワークとプロキシを確認するか、`{engine} load` でイメージを用意してください。</translation>
    </message>
    <message>
        <source>{engine} doesn&apos;t trust the registry of the image {image}: {reason}. Install its certificate, or name it as an insecure one in the settings of {engine}.</source>
        <translation>{engine} はイメージ {image} のレジストリを信頼していません：{reason}。証明書をインストールするか、{engine} の設定で insecure なレジストリとして登録してください。</translation>
    </message>
    <message>
        <source>{engine} can&apos;t fetch the image {image}: {reason}</source>
        <translation>{engine} はイメージ {image} を取得できません：{reason}</translation>
    </message>
    <message>
        <source>{engine} may not be used here: {reason}. Ask for the right to use it (docker: the group docker; podman: lines in /etc/subuid and /etc/subgid), or choose another with --container-engine.</source>
        <translation>ここでは {engine} を使う権限がありません：{reason}。使用権限を得る（docker：docker グループ、podman：/etc/subuid と /etc/subgid の設定）か、--container-engine で別のエンジンを選んでください。</translation>
    </message>
    <message>
        <source>The daemon of {engine} doesn&apos;t answer: {reason}. Start it (systemctl start {engine}), or choose another engine with --container-engine.</source>
        <translation>{engine} のデーモンが応答しません：{reason}。起動する（systemctl start {engine}）か、--container-engine で別のエンジンを選んでください。</translation>
    </message>
    <message>
        <source>{engine} doesn&apos;t work here: {reason}. `{engine} info` says more; --container-engine chooses another.</source>
        <translation>ここでは {engine} が動作しません：{reason}。詳細は `{engine} info` で確認できます。--container-engine で別のエンジンを選べます。</translation>
    </message>
    <message>
        <source>{engine} fetches the image {image}: {got} of {whole} MiB after {seconds} s.</source>
        <translation>{engine} がイメージ {image} を取得しています：{seconds} 秒で {got} / {whole} MiB。</translation>
    </message>
    <message>
        <source>{host} can&apos;t take part: {reason}</source>
        <translation>{host} は参加できません：{reason}</translation>
    </message>
    <message>
        <source>A restart would go on with the nodes that come next, but all {budget} are used; allow more with --max-restarts.</source>
        <translation>再起動すれば次に割り当てられるノードで続行できますが、{budget} 回すべて使い切っています。--max-restarts で増やしてください。</translation>
    </message>
    <message>
        <source>{host}: ssh, on this machine, was ended with {status}.</source>
        <translation>{host}：このマシンの ssh が {status} で終了しました。</translation>
    </message>
    <message>
        <source>Slurm ended job {job} at its time limit of {limit}; ask for more with --slurm-time (what a partition allows: `sinfo --format=&quot;%P %l&quot;`), and let the program keep checkpoints.</source>
        <translation>ジョブ {job} は時間制限 {limit} に達したため Slurm が終了させました。--slurm-time で制限を延ばしてください（パーティションの上限は `sinfo --format=&quot;%P %l&quot;` で確認できます）。プログラムにはチェックポイントを保存させてください。</translation>
    </message>
    <message>
        <source>Rank {rank}: a folder that is to be mounted isn&apos;t in the image: {reason}. Make an empty one there, or let charliecloud do it with --container-option=--write.</source>
        <translation>ランク {rank}：マウントするフォルダーがイメージにありません：{reason}。イメージに空のフォルダーを作るか、--container-option=--write で charliecloud に作らせてください。</translation>
    </message>
    <message>
        <source>{host}: {percent} % of {folder} is at {target}.</source>
        <translation>{host}：{folder} の {percent} % が {target} に届きました。</translation>
    </message>
    <message>
        <source>{host}: there is no Python at {path}; install it, or name another with `ringmaster host edit {host} --python FILE`.</source>
        <translation>{host}: {path} に Python がありません。インストールするか、`ringmaster host edit {host} --python ファイル` で別のものを指定してください。</translation>
    </message>
    <message>
        <source>{host}: rsync isn&apos;t installed there (Debian: rsync), and its folder is to be synchronised; install it, or let it share the folder with `ringmaster host edit {host} --sync shared`.</source>
        <translation>{host}：そのホストに rsync がインストールされていませんが（Debian では rsync パッケージ）、フォルダーを同期する設定になっています。インストールするか、`ringmaster host edit {host} --sync shared` でフォルダーの共有に切り替えてください。</translation>
    </message>
    <message>
        <source>{host}: rsync isn&apos;t installed on this machine (Debian: rsync), and the folder of {host} is to be synchronised; install it here, or let the host share the folder with `ringmaster host edit {host} --sync shared`.</source>
        <translation>{host}：このマシンに rsync がインストールされていませんが（Debian では rsync パッケージ）、{host} のフォルダーを同期する設定になっています。ここにインストールするか、`ringmaster host edit {host} --sync shared` でフォルダーの共有に切り替えてください。</translation>
    </message>
    <message>
        <source>{host}: {path} isn&apos;t there; share the folder, have it brought there before each launch with `ringmaster host edit {host} --sync rsync`, or say where it is with `ringmaster host edit {host} --code FOLDER`.</source>
        <translation>{host}: {path} がありません。フォルダーを共有するか、`ringmaster host edit {host} --sync rsync` で起動のたびに転送するか、`ringmaster host edit {host} --code フォルダー` で場所を指定してください。</translation>
    </message>
    <message>
        <source>{host}: it can&apos;t open a port for the others: {reason}; name its address or interface with `ringmaster host edit {host}`.</source>
        <translation>{host}: 他のホスト用のポートを開けません（{reason}）。`ringmaster host edit {host}` でアドレスかインターフェイスを指定してください。</translation>
    </message>
    <message>
        <source>{host} can&apos;t reach {peer} at {address} ({reason}); open the firewall between them, or name another address or interface of {peer} with `ringmaster host edit {peer}`.</source>
        <translation>{host} から {peer}（{address}）に到達できません（{reason}）。間のファイアウォールを開けるか、`ringmaster host edit {peer}` で {peer} の別のアドレスかインターフェイスを指定してください。</translation>
    </message>
    <message>
        <source>{host}: its own name {name} means {address}, which no other host reaches; gloo would use that. Pin the interface: `ringmaster host edit {host} --interface {interface}` sets GLOO_SOCKET_IFNAME={interface}.</source>
        <translation>{host}: 自身の名前 {name} が {address} に解決されます。他のホストからは届かないアドレスで、gloo はこれを使います。`ringmaster host edit {host} --interface {interface}` でインターフェイスを固定してください（GLOO_SOCKET_IFNAME={interface} が設定されます）。</translation>
    </message>
    <message>
        <source>{host}: the folder {path} isn&apos;t there; share it between the hosts, say where the code is with `ringmaster host edit {host} --code FOLDER`, or let it be brought there with `ringmaster host edit {host} --sync rsync`.</source>
        <translation>{host}: フォルダー {path} がありません。ホスト間で共有するか、`ringmaster host edit {host} --code フォルダー` でコードの場所を指定するか、`ringmaster host edit {host} --sync rsync` で起動時に転送してください。</translation>
    </message>
    <message>
        <source>The program may import torch, which isn&apos;t seen in {path} (Python {version}); choose an interpreter with torch if it does.</source>
        <translation>プログラムは torch を使う可能性がありますが、{path} (Python {version}) には見当たりません。使う場合は torch のあるインタープリターを選んでください。</translation>
    </message>
    <message>
        <source>Only the job names {path}, so it isn&apos;t run before you agree; whether it has torch shows when the job is run.</source>
        <translation>{path} を指定しているのはジョブだけなので、同意なしには実行しません。torch があるかどうかはジョブの実行時にわかります。</translation>
    </message>
    <message>
        <source>{path} (Python {version}) has no torch of its own; whether it has one with the job&apos;s variables shows when the job is run.</source>
        <translation>{path} (Python {version}) 自体に torch はありません。ジョブの環境変数によって見つかるかどうかは、ジョブの実行時にわかります。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be a variable&apos;s name or value; a name has letters, digits and underscores, and no digit first.</source>
        <translation>{name} は変数の名前または値にできません。名前に使えるのは英数字とアンダースコアで、先頭に数字は使えません。</translation>
    </message>
    <message>
        <source>{name} has a mask instead of its value, which stayed where the job was launched first; enter it again.</source>
        <translation>{name} には値の代わりに伏せ字が入っています。値は最初にジョブを起動した場所にしか残っていません。入力し直してください。</translation>
    </message>
    <message>
        <source>torch may end so when a program leaves its process group behind; call torch.distributed.destroy_process_group() at its end.</source>
        <translation>プログラムがプロセスグループを残したまま終わると、torch がこのように終了することがあります。最後に torch.distributed.destroy_process_group() を呼び出してください。</translation>
    </message>
    <message>
        <source>Somebody sent {signal}, and the program doesn&apos;t handle it: look for who did, or set a handler.</source>
        <translation>外部から {signal} が送られ、プログラムはそれを処理しませんでした。送信元を調べるか、ハンドラーを設定してください。</translation>
    </message>
    <message>
        <source>With hosts, the store&apos;s port is a free one of the first host; the master&apos;s address and port aren&apos;t used.</source>
        <translation>ホストを指定すると、ストアのポートは最初のホストの空きポートになります。マスターのアドレスとポートは使われません。</translation>
    </message>
    <message>
        <source>There is no file {program}; check the path.</source>
        <translation>ファイル {program} がありません。パスを確認してください。</translation>
    </message>
    <message>
        <source>Rank {rank}: the container engine knows no such GPU: {reason}. Describe the GPUs to it: nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml (as root).</source>
        <translation>ランク {rank}: コンテナーエンジンはこの GPU を知りません: {reason}。GPU の定義を作成してください: nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml (root で実行)。</translation>
    </message>
    <message>
        <source>Rank {rank} ended with SIGABRT: a thread, perhaps of torch&apos;s process group, was still running at its end.</source>
        <translation>ランク {rank} は SIGABRT で終了しました。終了時にスレッド (おそらく torch のプロセスグループのもの) がまだ動いていました。</translation>
    </message>
    <message>
        <source>How many hosts {hosts} are isn&apos;t known here; give their number with --nnodes.</source>
        <translation>{hosts} が何台のホストかここではわかりません。--nnodes で台数を指定してください。</translation>
    </message>
    <message>
        <source>{hosts} have different numbers of workers, which can&apos;t be said there; give all hosts the same, or leave --hosts out.</source>
        <translation>{hosts} はワーカー数が異なり、この形式では表せません。すべて同じ数にするか、--hosts を外してください。</translation>
    </message>
    <message>
        <source>{host} needs {milliseconds} ms to {peer} at {address}; each collective between them takes longer than that. Choose hosts nearer to each other, or look at the network between them.</source>
        <translation>{host} から {peer} ({address}) まで {milliseconds} ミリ秒かかります。両者の間の集団通信は毎回それ以上かかります。より近いホストを選ぶか、間のネットワークを調べてください。</translation>
    </message>
    <message>
        <source>{host}: {path} can&apos;t be written ({reason}), and the agent keeps its record there; make it writable for you there, or set XDG_STATE_HOME and XDG_CACHE_HOME in its login shell.</source>
        <translation>{host}: エージェントが記録を置く {path} に書き込めません ({reason})。書き込めるようにするか、ログインシェルで XDG_STATE_HOME と XDG_CACHE_HOME を設定してください。</translation>
    </message>
    <message>
        <source>{host}: the connection ended before all that its workers printed was here.</source>
        <translation>{host}: ワーカーの出力をすべて受け取る前に接続が切れました。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|has|have} waited {seconds} s in {operation} (of {members|rank}) for {absent|rank}.</source>
        <translation>ランク {ranks} が {operation}（ランク {members} のグループ）で {seconds} 秒間ランク {absent} を待っています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} waited {seconds} s in {operation} (of {members|rank}) for {absent|rank}, and it ended with an error.</source>
        <translation>ランク {ranks} は {operation}（ランク {members} のグループ）で {seconds} 秒間ランク {absent} を待ちましたが、エラーで終わりました。</translation>
    </message>
    <message>
        <source>{operation} (of {members|rank}) went on after {seconds} s.</source>
        <translation>{operation}（ランク {members} のグループ）は {seconds} 秒後に先へ進みました。</translation>
    </message>
    <message>
        <source>{ranks|Rank} can&apos;t go on: {ranks|it waits|they wait} in {operation} (of {members|rank}) for {absent|rank}, which {absent|has|have} ended.</source>
        <translation>ランク {ranks} は先へ進めません。{operation}（ランク {members} のグループ）で、終了したランク {absent} を待っています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} can&apos;t go on: {ranks|it waits|they wait} in {operation} (of {members|rank}) for {absent|rank}, which {absent|is|are} stopped.</source>
        <translation>ランク {ranks} は先へ進めません。{operation}（ランク {members} のグループ）で、止められているランク {absent} を待っています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|has|have} waited {seconds} s in {operation} (of {members|rank}) for {absent|rank}, which {absent|does|do} nothing.</source>
        <translation>ランク {ranks} が {operation}（ランク {members} のグループ）で {seconds} 秒間、何もしていないランク {absent} を待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} sends to rank {other} with tag {tag}; rank {other} receives from rank {rank} with tag {wanted}.</source>
        <translation>ランク {rank} はランク {other} にタグ {tag} で送信していますが、ランク {other} はランク {rank} からタグ {wanted} で受信しようとしています。</translation>
    </message>
    <message>
        <source>Rank {rank} sends to rank {other} (tag {tag}); rank {other} receives from rank {wanted}.</source>
        <translation>ランク {rank} はランク {other} に送信していますが（タグ {tag}）、ランク {other} はランク {wanted} から受信しようとしています。</translation>
    </message>
    <message>
        <source>Rank {rank} sends to rank {other} (tag {tag}), which doesn&apos;t receive that; rank {awaiting} receives from rank {rank}, as the other ranks do from theirs.</source>
        <translation>ランク {rank} はランク {other} に送信していますが（タグ {tag}）、ランク {other} はそれを受信しません。ランク {awaiting} は、ほかのランクと同じ向きで、ランク {rank} からの受信を待っています。</translation>
    </message>
    <message>
        <source>Rank {rank} sends {sent} to rank {other}, which receives {received} from it ({operation} #{number}, tag {tag}).</source>
        <translation>ランク {rank} はランク {other} に {sent} を送信しますが、受信側は {received} です（{operation} #{number}、タグ {tag}）。</translation>
    </message>
    <message>
        <source>The ranks don&apos;t make the same groups in the same order: {ranks|rank} {ranks|makes|make} one of {one|rank} where {others|rank} {others|makes|make} one of {other|rank}.</source>
        <translation>各ランクが同じグループを同じ順序で作っていません。ランク {ranks} がランク {one} のグループを作るところで、ランク {others} はランク {other} のグループを作っています。</translation>
    </message>
    <message>
        <source>Let each receive name the rank, the tag and the size of the send that it is for.</source>
        <translation>受信側で、対応する送信と同じ相手のランク、タグ、サイズを指定してください。</translation>
    </message>
    <message>
        <source>Let every rank call new_group for all groups, in the same order, also for those that it isn&apos;t a member of.</source>
        <translation>メンバーでないグループも含めて、全ランクがすべてのグループについて同じ順序で new_group を呼ぶようにしてください。</translation>
    </message>
    <message>
        <source>The program of rank {rank} starts {count} ranks of its own, as torch.multiprocessing.spawn does. Only the job&apos;s ranks are recorded; with --nproc-per-node {count} these would be.</source>
        <translation>ランク {rank} のプログラムは、torch.multiprocessing.spawn などで独自に {count} 個のランクを起動しています。記録されるのはジョブのランクだけです。--nproc-per-node {count} で起動すれば、これらも記録されます。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|keeps|keep} the run from ending: {ranks|it has|they have} done nothing for {seconds} s, and {ended|rank} {ended|has|have} ended.</source>
        <translation>ランク {ranks} のために実行が終わりません。{seconds} 秒間何もしておらず、ランク {ended} はすでに終了しています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|keeps|keep} the run from ending: {ranks|it is|they are} stopped, and {ended|rank} {ended|has|have} ended.</source>
        <translation>ランク {ranks} のために実行が終わりません。止められており、ランク {ended} はすでに終了しています。</translation>
    </message>
    <message>
        <source>The main program of {ranks|rank} has ended, but {ranks|its process goes|their processes go} on for a thread that has done nothing for {seconds} s.</source>
        <translation>ランク {ranks} のメインプログラムは終わりましたが、スレッドが残っているためプロセスが終了しません。そのスレッドは {seconds} 秒間何もしていません。</translation>
    </message>
    <message>
        <source>{ended|Rank} ended without {operation} #{number} of group {group}, which {ranks|rank} called; it failed there, and {ranks|rank} {ranks|has|have} done nothing for {seconds} s.</source>
        <translation>ランク {ended} は、ランク {ranks} が呼び出したグループ {group} の {operation} #{number} を呼ばずに終了しました。この演算は失敗し、ランク {ranks} は {seconds} 秒間何もしていません。</translation>
    </message>
    <message>
        <source>Rank {rank}&apos;s main program has ended; Python waits for its thread {name}, in {function}, {file} line {line}.</source>
        <translation>ランク {rank} のメインプログラムは終わりましたが、Python がスレッド {name} の終了を待っています（{file} の {line} 行目、{function}）。</translation>
    </message>
    <message>
        <source>Rank {rank}&apos;s main program has ended; Python waits for its other threads.</source>
        <translation>ランク {rank} のメインプログラムは終わりましたが、Python がほかのスレッドの終了を待っています。</translation>
    </message>
    <message>
        <source>Let the program end its threads before it returns, or start them as daemons: threading.Thread(target, daemon=True).</source>
        <translation>プログラムが戻る前にスレッドを終わらせるか、デーモンスレッドとして起動してください（threading.Thread(target, daemon=True)）。</translation>
    </message>
    <message>
        <source>Look at what lets {ranks|rank} end before the others: a branch, an exception that is caught, a number of steps that differs.</source>
        <translation>ランク {ranks} がほかのランクより先に終わる原因を調べてください。条件分岐、捕捉された例外、ステップ数の違いなどが考えられます。</translation>
    </message>
    <message>
        <source>{option} is known to torchrun since {version}; an older one refuses the line.</source>
        <translation>{option} を torchrun が知っているのは {version} からです。それより古いものはこの行を受け付けません。</translation>
    </message>
    <message>
        <source>Node rank {rank} isn&apos;t used: only the static rendezvous of several nodes numbers them so.</source>
        <translation>ノードランク {rank} は使われません。この番号を使うのは、複数ノードの静的ランデブーだけです。</translation>
    </message>
    <message>
        <source>{key}({value}) is not a valid float value. (give a number of seconds, 0 or more)</source>
        <translation>{key}({value}) は有効な小数値ではありません。0 以上の秒数を指定してください。</translation>
    </message>
    <message>
        <source>There is no compiled recorder for torch {version}; operations are recorded from Python, which costs more. None is compiled: {reason}</source>
        <translation>torch {version} に合うコンパイル済みレコーダーがないため、演算を Python から記録します。負荷は増えます。コンパイルもできません: {reason}</translation>
    </message>
    <message>
        <source>There is no compiled recorder for torch {version} yet; operations of this run are recorded from Python, which costs more. One is compiled in the background, for later runs.</source>
        <translation>torch {version} に合うコンパイル済みレコーダーがまだないため、この実行の演算は Python から記録します。負荷は増えます。次回以降の実行のために、バックグラウンドでコンパイルしています。</translation>
    </message>
    <message>
        <source>No rank of run {run} is running now.</source>
        <translation>実行 {run} で今動いているランクはありません。</translation>
    </message>
    <message>
        <source>Of run {run} no stacks were kept: no rank had waited, or done nothing, when it was ended, or there was no time to look.</source>
        <translation>実行 {run} のスタックは残されていません。終了させたとき、待っていたランクも何もしていないランクもなかったか、調べる時間がありませんでした。</translation>
    </message>
    <message>
        <source>In {operation} #{number} of group {group} ({what}) for {seconds} s.</source>
        <translation>グループ {group} の {operation} #{number}（{what}）に入って {seconds} 秒です。</translation>
    </message>
    <message>
        <source>In no operation; the last was {operation} #{number} of group {group}, which ended {seconds} s before.</source>
        <translation>操作には入っていません。最後はグループ {group} の {operation} #{number} で、その {seconds} 秒前に終わりました。</translation>
    </message>
    <message>
        <source>It hasn&apos;t entered any operation.</source>
        <translation>まだどの操作にも入っていません。</translation>
    </message>
    <message>
        <source>No Python stack: py-spy isn&apos;t installed, and torch&apos;s worker server doesn&apos;t answer.</source>
        <translation>Python のスタックはありません。py-spy がインストールされておらず、torch のワーカーサーバーも応答しません。</translation>
    </message>
    <message>
        <source>No Python stack: the system refuses py-spy (ptrace), and torch&apos;s worker server doesn&apos;t answer.</source>
        <translation>Python のスタックはありません。システムが py-spy（ptrace）を拒否し、torch のワーカーサーバーも応答しません。</translation>
    </message>
    <message>
        <source>No Python stack: nobody who could read it answered in time.</source>
        <translation>Python のスタックはありません。読み取れるものが時間内に応答しませんでした。</translation>
    </message>
    <message>
        <source>No Python stack: {reason}</source>
        <translation>Python のスタックはありません：{reason}</translation>
    </message>
    <message>
        <source>{ranks|Rank} of {run} also {ranks|holds|hold} memory on GPU {index}, where another rank works: call torch.cuda.set_device(int(os.environ[&quot;LOCAL_RANK&quot;])) before anything else of CUDA.</source>
        <translation>{run} のランク {ranks} は、別のランクが使っている GPU {index} のメモリも占有しています。CUDA を使う前に torch.cuda.set_device(int(os.environ[&quot;LOCAL_RANK&quot;])) を呼び出してください。</translation>
    </message>
    <message>
        <source>The sweep&apos;s worker doesn&apos;t start: {path} has no torch that it is made for; activate an environment that has it.</source>
        <translation>スイープのワーカーを起動できません：{path} に対応する torch がありません。torch のある環境を有効にしてください。</translation>
    </message>
    <message>
        <source>Rank {rank} stays in that line with the interpreter&apos;s lock (GIL): it is C code, or a loop of one line.</source>
        <translation>ランク {rank} はインタープリターのロック (GIL) を持ったままその行にとどまっています。C コードか、1 行のループです。</translation>
    </message>
    <message>
        <source>There is no rank {rank} in a lesson of at most {most} ranks.</source>
        <translation>最大 {most} ランクのレッスンに、ランク {rank} はありません。</translation>
    </message>
    <message>
        <source>Element {element} can&apos;t be asked for: of a tensor the first {most} are recorded, from 0 on.</source>
        <translation>要素 {element} は問えません。テンソルは 0 番から {most} 個までが記録されます。</translation>
    </message>
    <message>
        <source>The program has no variable {variable}.</source>
        <translation>プログラムに変数 {variable} はありません。</translation>
    </message>
    <message>
        <source>The program is no Python: line {line}, {reason}</source>
        <translation>プログラムが Python として読めません：{line} 行目、{reason}</translation>
    </message>
    <message>
        <source>The lesson is made for {least} to {most} ranks.</source>
        <translation>このレッスンは {least}～{most} ランク用です。</translation>
    </message>
    <message>
        <source>“{level}” isn&apos;t a level of lines; there are info, warning and error.</source>
        <translation>「{level}」という行のレベルはありません。info、warning、error のいずれかです。</translation>
    </message>
    <message>
        <source>argument --number: {value} isn&apos;t NAME=EXPRESSION</source>
        <translation>引数 --number：{value} は NAME=EXPRESSION の形ではありません</translation>
    </message>
    <message>
        <source>“{name}” can&apos;t be the name of a number; it is a word or a few, at most 64 bytes.</source>
        <translation>「{name}」は数値の名前に使えません。名前は 1 語または数語で、64 バイトまでです。</translation>
    </message>
    <message>
        <source>The rule of the number {name} isn&apos;t an expression that can be used: {pattern}</source>
        <translation>数値 {name} の規則は使える正規表現ではありません：{pattern}</translation>
    </message>
    <message>
        <source>The rule of the number {name} doesn&apos;t say where the number is: put round brackets around it, as in “loss is ([0-9.]+)”.</source>
        <translation>数値 {name} の規則に、数値の位置が示されていません。「loss is ([0-9.]+)」のように、数値の部分を丸括弧で囲んでください。</translation>
    </message>
    <message>
        <source>There are more than {most} rules for numbers; remove some.</source>
        <translation>数値の規則が {most} 個を超えています。いくつか削除してください。</translation>
    </message>
    <message>
        <source>No job that Ringmaster didn&apos;t start runs on this machine.</source>
        <translation>Ringmaster 以外が起動したジョブは、このマシンでは動いていません。</translation>
    </message>
    <message>
        <source>Process {pid} belongs to no job that Ringmaster didn&apos;t start. `ringmaster attach` lists them.</source>
        <translation>プロセス {pid} は、Ringmaster 以外が起動したジョブのものではありません。`ringmaster attach` で一覧を表示できます。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|is|are} in {operation}; {absent|rank} {absent|is|are} not.</source>
        <translation>ランク {ranks} は {operation} の中にいますが、ランク {absent} はいません。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|is|are} in {operation}; {absent|rank} {absent|is|are} in {other}.</source>
        <translation>ランク {ranks} は {operation} の中に、ランク {absent} は {other} の中にいます。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|stands|stand} in the same place; {absent|rank} {absent|stands|stand} in another one.</source>
        <translation>ランク {ranks} は同じ場所に、ランク {absent} は別の場所にいます。</translation>
    </message>
    <message>
        <source>The job goes on: {ranks|rank} stood in another place {seconds} s later.</source>
        <translation>ジョブは進んでいます: ランク {ranks} は {seconds} 秒後には別の場所にいました。</translation>
    </message>
    <message>
        <source>All ranks stand in {operation}, in the same place: their stacks don&apos;t say who keeps them.</source>
        <translation>すべてのランクが {operation} の中の同じ場所にいます。どのランクを待っているかはスタックからは分かりません。</translation>
    </message>
    <message>
        <source>All ranks stand in the same place, outside of torch.distributed.</source>
        <translation>すべてのランクが torch.distributed の外の同じ場所にいます。</translation>
    </message>
    <message>
        <source>The ranks stand in different places, and no place has more than half of them: their stacks don&apos;t say who keeps them.</source>
        <translation>ランクは別々の場所にいて、過半数がいる場所はありません。どのランクを待っているかはスタックからは分かりません。</translation>
    </message>
    <message>
        <source>No rank&apos;s stack can be read.</source>
        <translation>どのランクのスタックも読めません。</translation>
    </message>
    <message>
        <source>{ranks|Rank} called {operation} in {function}, {file} line {line}.</source>
        <translation>ランク {ranks} は {file} の {line} 行目、{function} で {operation} を呼び出しました。</translation>
    </message>
    <message>
        <source>Rank {rank} has stood in the same place for {seconds} s at least.</source>
        <translation>ランク {rank} は少なくとも {seconds} 秒間、同じ場所にいます。</translation>
    </message>
    <message>
        <source>{count} of its {world} ranks run on this machine; of the others nothing is known here.</source>
        <translation>{world} 個のランクのうち {count} 個がこのマシンで動いています。ほかのランクについては、ここでは分かりません。</translation>
    </message>
    <message>
        <source>The processes show no ranks: they are numbered here in the order in which they started.</source>
        <translation>プロセスからはランクが分からないため、起動した順に番号を付けています。</translation>
    </message>
    <message>
        <source>The stack of rank {rank} can&apos;t be read: py-spy isn&apos;t installed (`pip install py-spy`).</source>
        <translation>ランク {rank} のスタックを読めません: py-spy がインストールされていません (`pip install py-spy`)。</translation>
    </message>
    <message>
        <source>The stack of rank {rank} can&apos;t be read: the system doesn&apos;t let this user read that process.</source>
        <translation>ランク {rank} のスタックを読めません: このユーザーにはそのプロセスを読む権限がありません。</translation>
    </message>
    <message>
        <source>The stack of rank {rank} can&apos;t be read: py-spy takes too long.</source>
        <translation>ランク {rank} のスタックを読めません: py-spy の応答に時間がかかりすぎています。</translation>
    </message>
    <message>
        <source>The stack of rank {rank} can&apos;t be read: {reason}</source>
        <translation>ランク {rank} のスタックを読めません: {reason}</translation>
    </message>
    <message>
        <source>This is recorded: its ranks tell of their operations (RINGMASTER_HOOK=1).</source>
        <translation>これは記録に基づきます。各ランクが自分の操作を記録しています (RINGMASTER_HOOK=1)。</translation>
    </message>
    <message>
        <source>This is recorded as far as its ranks tell of their operations (RINGMASTER_HOOK=1); {ranks|rank} {ranks|doesn&apos;t|don&apos;t}.</source>
        <translation>これは、自分の操作を記録しているランク (RINGMASTER_HOOK=1) についての記録に基づきます。ランク {ranks} には記録がありません。</translation>
    </message>
    <message>
        <source>The start-up hook is missing beside {path}; Ringmaster isn&apos;t completely installed.</source>
        <translation>{path} のそばに起動フックがありません。Ringmaster のインストールが完全ではありません。</translation>
    </message>
    <message>
        <source>This is seen from outside, without a recording: stacks and CPU time, not operations.</source>
        <translation>これは記録なしに外から見たものです。分かるのはスタックと CPU 時間で、集団通信の操作そのものではありません。</translation>
    </message>
    <message>
        <source>{absent|Rank} ended without {operation} #{number} of group {group}, which {ranks|rank} called; it failed there.</source>
        <translation>ランク {absent} は、ランク {ranks} が呼び出したグループ {group} の {operation} #{number} を呼ばずに終了し、この演算は失敗しました。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|has|have} waited {seconds} s in init_process_group for {count} ranks, but the run has only {size}.</source>
        <translation>ランク {ranks} が init_process_group で {seconds} 秒間 {count} 個のランクを待っていますが、この実行には {size} 個しかありません。</translation>
    </message>
    <message>
        <source>Look at what {ranks|rank} {ranks|does|do} instead of {operation} #{number}: a branch, an exception that is caught, a group that was destroyed.</source>
        <translation>ランク {ranks} が {operation} #{number} の代わりに何をしているかを調べてください。条件分岐、捕捉された例外、破棄されたグループなどが考えられます。</translation>
    </message>
    <message>
        <source>Leave out world_size, or let it be what WORLD_SIZE says; the run starts as many ranks as --nproc-per-node and --nnodes ask for.</source>
        <translation>world_size を省くか、WORLD_SIZE の値に合わせてください。この実行では --nproc-per-node と --nnodes で指定した数のランクが起動します。</translation>
    </message>
    <message>
        <source>Process {pid} belongs to somebody else: the system doesn&apos;t let this user end it.</source>
        <translation>プロセス {pid} は他のユーザーのものです。このユーザーが終了させることはシステムに許可されていません。</translation>
    </message>
    <message>
        <source>The job {name} has ended already.</source>
        <translation>ジョブ {name} はすでに終了しています。</translation>
    </message>
    <message>
        <source>{path} has more than {most} files; put those of one job into a folder of their own.</source>
        <translation>{path} のファイルは {most} 個を超えています。1 つのジョブのファイルだけを専用のフォルダーに入れてください。</translation>
    </message>
    <message>
        <source>{path} is damaged or cut off ({reason}). Copy it again, or leave it out.</source>
        <translation>{path} は壊れているか、途中で切れています ({reason})。もう一度コピーするか、除いてください。</translation>
    </message>
    <message>
        <source>{path} isn&apos;t read: it holds more than plain data ({reason}), so that reading it could run a program. What torch writes is plain data.</source>
        <translation>{path} は読み込みません。単純なデータ以外のもの ({reason}) が含まれており、読み込むとプログラムが実行されるおそれがあります。torch が書くのは単純なデータだけです。</translation>
    </message>
    <message>
        <source>{path} is a flight recorder dump of version {version}; only versions 2.x can be read.</source>
        <translation>{path} はバージョン {version} のフライトレコーダーのダンプです。読み込めるのはバージョン 2.x だけです。</translation>
    </message>
    <message>
        <source>Nothing says which rank {path} is of: its name has no number. Name the files as torch does, with the rank at the end.</source>
        <translation>{path} がどのランクのものか分かりません。名前に番号がありません。torch と同じように、名前の末尾にランクを付けてください。</translation>
    </message>
    <message>
        <source>{path} and {other} are both of rank {rank}. Put the files of one job into a folder of their own.</source>
        <translation>{path} と {other} はどちらもランク {rank} のものです。1 つのジョブのファイルだけを専用のフォルダーに入れてください。</translation>
    </message>
    <message>
        <source>{path} and {other} aren&apos;t of one job: the same operation ({operation} #{number}) was called {hours} hours apart. Put the files of one job into a folder of their own.</source>
        <translation>{path} と {other} は同じジョブのものではありません。同じ演算 ({operation} #{number}) の呼び出しが {hours} 時間離れています。1 つのジョブのファイルだけを専用のフォルダーに入れてください。</translation>
    </message>
    <message>
        <source>Read from {count} flight recorder dumps ({backends}) in {path}: what each rank called last in torch.distributed.</source>
        <translation>{path} にあるフライトレコーダーのダンプ {count} 個 ({backends}) から読み込みました。各ランクが torch.distributed で最後に呼び出したものです。</translation>
    </message>
    <message>
        <source>There is nothing here of {ranks|rank}: what {ranks|it|they} did isn&apos;t known.</source>
        <translation>ランク {ranks} のファイルはありません。何をしていたかは分かりません。</translation>
    </message>
    <message>
        <source>These dumps don&apos;t say when an operation ended: there are no durations and no bandwidth.</source>
        <translation>これらのダンプには演算がいつ終わったかが書かれていないため、所要時間と帯域幅は分かりません。</translation>
    </message>
    <message>
        <source>Gloo doesn&apos;t write send and recv into its dumps.</source>
        <translation>Gloo は send と recv をダンプに書きません。</translation>
    </message>
    <message>
        <source>A dump doesn&apos;t say when it was written: for how long the ranks had waited isn&apos;t known, and a rank that was dumped before the others may have come since.</source>
        <translation>ダンプには書かれた時刻がありません。ランクがどれだけ待っていたかは分からず、先にダンプされたランクはその後に来た可能性があります。</translation>
    </message>
    <message>
        <source>The dumps don&apos;t say who the members of group {group} are: those that called one of its operations are taken for them.</source>
        <translation>ダンプにはグループ {group} のメンバーが書かれていません。その演算を呼び出したランクをメンバーとみなします。</translation>
    </message>
    <message>
        <source>Older operations of {ranks|rank} aren&apos;t in the dumps any more, and its send and recv can&apos;t be compared with the others&apos;.</source>
        <translation>ランク {ranks} の古い演算はダンプに残っていません。その send と recv は他のランクと比べられません。</translation>
    </message>
    <message>
        <source>{path} is left out: {other} tells more of rank {rank}.</source>
        <translation>{path} は使いません。ランク {rank} については {other} のほうが多くを示しています。</translation>
    </message>
    <message>
        <source>{ranks|Rank} {ranks|is|are} in {operation} #{number} ({what}, group {group}), which {absent|rank} {absent|has|have} not called.</source>
        <translation>ランク {ranks} は {operation} #{number} ({what}、グループ {group}) の中にいますが、ランク {absent} はそれを呼び出していません。</translation>
    </message>
    <message>
        <source>How the job ended isn&apos;t in the files that it was read from.</source>
        <translation>ジョブがどのように終わったかは、読み込んだファイルには書かれていません。</translation>
    </message>
    <message>
        <source>Read from torchrun&apos;s logs in {path}: what each rank printed, and why a rank failed where it has said so.</source>
        <translation>{path} にある torchrun のログから読み込みました。各ランクの出力と、ランクが示している場合はその失敗の理由です。</translation>
    </message>
    <message>
        <source>torchrun numbers these folders by local rank: the ranks are those of one node.</source>
        <translation>torchrun はこれらのフォルダーにローカルランクの番号を付けます。ここでのランクは 1 つのノードのものです。</translation>
    </message>
    <message>
        <source>When a line was printed isn&apos;t in the logs: each has the time at which its file was last changed.</source>
        <translation>行がいつ出力されたかはログにありません。どの行の時刻も、そのファイルが最後に変更された時刻です。</translation>
    </message>
    <message>
        <source>No rank has said that it failed; one that a signal ends can&apos;t.</source>
        <translation>失敗を知らせたランクはありません。シグナルで終了したランクは知らせることができません。</translation>
    </message>
    <message>
        <source>{path} is larger than {megabytes} MB; only its end was taken.</source>
        <translation>{path} は {megabytes} MB を超えています。末尾だけを取り込みました。</translation>
    </message>
    <message>
        <source>Read from {count} traces of torch.profiler in {path}: the operations of torch.distributed while it recorded.</source>
        <translation>{path} にある torch.profiler のトレース {count} 個から読み込みました。記録中の torch.distributed の演算です。</translation>
    </message>
    <message>
        <source>These traces don&apos;t say in which group an operation was called; where there are several groups, the operations of the ranks can&apos;t be put together.</source>
        <translation>これらのトレースには演算がどのグループで呼び出されたかが書かれていません。グループが複数ある場合、ランクどうしの演算を対応付けられません。</translation>
    </message>
    <message>
        <source>These traces don&apos;t number the operations: they were counted from where the recording began, which has to be the same on all ranks.</source>
        <translation>これらのトレースでは演算に番号がありません。記録の始まりから数えているため、始まりはすべてのランクで同じでなければなりません。</translation>
    </message>
    <message>
        <source>{path} has no operation of torch.distributed: record a part of the program that calls some, with all ranks.</source>
        <translation>{path} には torch.distributed の演算がありません。演算を呼び出す部分を、すべてのランクで記録してください。</translation>
    </message>
    <message>
        <source>Rank {rank} is in no operation; its last was {operation} #{number} of group {group}.</source>
        <translation>ランク {rank} はどの演算にも入っていません。最後はグループ {group} の {operation} #{number} でした。</translation>
    </message>
    <message>
        <source>`ringmaster lesson {action}` needs the name of what it is to read.</source>
        <translation>`ringmaster lesson {action}` には、読み込むものの名前が必要です。</translation>
    </message>
    <message>
        <source>reading {path}</source>
        <translation>{path} の読み込み</translation>
    </message>
    <message>
        <source>A run of the program came to &quot;{outcome}&quot;; the lesson says expect = &quot;{expect}&quot;.</source>
        <translation>プログラムを実行すると &quot;{outcome}&quot; になりますが、レッスンには expect = &quot;{expect}&quot; とあります。</translation>
    </message>
    <message>
        <source>Nothing is said of run {run} that a lesson could ask about: it is made of a hang, a deadlock, a mismatch or a straggler whose ranks are known.</source>
        <translation>実行 {run} には、レッスンで問える診断がありません。レッスンは、該当ランクのわかっているハング、デッドロック、呼び出しの不一致、遅いランクから作ります。</translation>
    </message>
    <message>
        <source>Operations of rank {rank} are missing around what the diagnosis said: they were overwritten before they could be recorded, so no lesson can be made of them.</source>
        <translation>診断された時点の前後で、ランク {rank} の操作が欠けています。記録される前に上書きされたため、レッスンにできません。</translation>
    </message>
    <message>
        <source>{path} can&apos;t be read: its lines are left out.</source>
        <translation>{path} を読み込めないため、その行は含まれていません。</translation>
    </message>
    <message>
        <source>{path} was changed after the run had started: its lines are left out.</source>
        <translation>{path} は実行の開始後に変更されたため、その行は含まれていません。</translation>
    </message>
    <message>
        <source>The run comes from elsewhere, or was on other hosts: lines of its program are left out.</source>
        <translation>ほかで記録された実行か、ほかのホストでの実行のため、プログラムの行は含まれていません。</translation>
    </message>
    <message>
        <source>No operation of run {run} was recorded before something was said of it: a lesson would have nothing to show.</source>
        <translation>実行 {run} では、診断の前に記録された操作がなく、レッスンで見せるものがありません。</translation>
    </message>
    <message>
        <source>What the ranks of run {run} did when this was said of them is still being written; try again in a few seconds.</source>
        <translation>診断された時点の各ランクの操作を書き込んでいます (実行 {run})。数秒後にもう一度試してください。</translation>
    </message>
    <message>
        <source>{key} has no place in a lesson of a recorded job: it runs no program.</source>
        <translation>記録したジョブのレッスンはプログラムを実行しないので、{key} は書けません。</translation>
    </message>
    <message>
        <source>A recorded job answers one kind of question: &quot;guilty&quot;, which ranks its verdict names.</source>
        <translation>記録したジョブが答えられる質問は &quot;guilty&quot; (診断が挙げたランク) だけです。</translation>
    </message>
    <message>
        <source>A question of kind &quot;guilty&quot; is answered by a recorded job, and this lesson has none.</source>
        <translation>種類 &quot;guilty&quot; の質問には記録したジョブが必要ですが、このレッスンにはありません。</translation>
    </message>
    <message>
        <source>{key}: at most {most} have a place in a lesson.</source>
        <translation>{key}: レッスンに入れられるのは {most} 件までです。</translation>
    </message>
    <message>
        <source>A lesson shows at most {most} ranks of a recorded job: each once, in their order, below world_size.</source>
        <translation>レッスンに表示できる記録ジョブのランクは {most} 個までです。重複なく番号順に、world_size 未満で書いてください。</translation>
    </message>
    <message>
        <source>Rank {rank} isn&apos;t among those that the lesson shows.</source>
        <translation>ランク {rank} は、このレッスンに表示するランクに入っていません。</translation>
    </message>
    <message>
        <source>Call {call} of rank {rank}: a rank&apos;s calls are numbered from 1, in their order.</source>
        <translation>ランク {rank} の呼び出し {call}: 呼び出しの番号は、ランクごとに 1 から順に付けます。</translation>
    </message>
    <message>
        <source>Rank {rank} has no call {call} there that could be over.</source>
        <translation>そこでは、ランク {rank} に終わりうる呼び出し {call} がありません。</translation>
    </message>
    <message>
        <source>{key} lies between {least} and {most}.</source>
        <translation>{key} は {least} から {most} までの値です。</translation>
    </message>
    <message>
        <source>{key} can&apos;t be {value}; it is one of {choices}.</source>
        <translation>{key} を {value} にはできません。{choices} のどれかです。</translation>
    </message>
    <message>
        <source>This Ringmaster has no statement {code}; a newer one may have made the lesson.</source>
        <translation>この Ringmaster に文 {code} はありません。レッスンは新しい版で作られたのかもしれません。</translation>
    </message>
    <message>
        <source>The recording has no verdict that names a rank.</source>
        <translation>この記録には、ランクを挙げた診断がありません。</translation>
    </message>
    <message>
        <source>This is no file of a learner&apos;s answers: {key} is missing, or isn&apos;t what it must be. `ringmaster lesson answers` writes one.</source>
        <translation>学習者の解答ファイルではありません。{key} がないか、正しくありません。解答ファイルは `ringmaster lesson answers` で書き出せます。</translation>
    </message>
    <message>
        <source>{host} isn&apos;t connected now; the Hosts page says why, and this can be done again as soon as it is.</source>
        <translation>{host} には今は接続していません。理由は「ホスト」ページにあります。接続し直せば、もう一度操作できます。</translation>
    </message>
    <message>
        <source>{host} isn&apos;t watched any more.</source>
        <translation>{host} はもう表示の対象ではありません。</translation>
    </message>
    <message>
        <source>It isn&apos;t tried again: what {ranks|rank} printed last matches {pattern} (restart.unless).</source>
        <translation>ランク {ranks} の最後の出力が {pattern} に一致したため、再試行しません (restart.unless)。</translation>
    </message>
    <message>
        <source>It isn&apos;t tried again: what {ranks|rank} printed last doesn&apos;t match {pattern} (restart.only_if).</source>
        <translation>ランク {ranks} の最後の出力が {pattern} に一致しないため、再試行しません (restart.only_if)。</translation>
    </message>
    <message>
        <source>The run has taken {time}, its longest time (longest_run); it is ended.</source>
        <translation>実行時間が上限の {time} に達したため (longest_run)、実行を終了します。</translation>
    </message>
    <message>
        <source>A verdict of the kind {kind} has stood for {time} (stop_on); the run is ended.</source>
        <translation>種類 {kind} の診断が {time} 続いたため (stop_on)、実行を終了します。</translation>
    </message>
    <message>
        <source>argument --stop-on: {value} isn&apos;t KIND=TIME</source>
        <translation>引数 --stop-on: {value} は KIND=TIME の形式ではありません</translation>
    </message>
    <message>
        <source>The job isn&apos;t restarted at all (--max-restarts 0), so what the failed rank printed doesn&apos;t matter.</source>
        <translation>このジョブは再起動されないため (--max-restarts 0)、失敗したランクの出力は判断に使われません。</translation>
    </message>
    <message>
        <source>{value} is no kind of verdict; choose one of {choices}.</source>
        <translation>{value} という種類の診断はありません。{choices} から選んでください。</translation>
    </message>
    <message>
        <source>How long a {kind} may stand is {value}, which is no time above 0; write it as 10m or 90s.</source>
        <translation>{kind} が続いてよい時間 {value} は 0 より大きい時間ではありません。10m や 90s のように書いてください。</translation>
    </message>
    <message>
        <source>{pattern} isn&apos;t an expression that can be used on the output; correct it.</source>
        <translation>{pattern} は出力の検索に使える正規表現ではありません。修正してください。</translation>
    </message>
    <message>
        <source>Run {run} is another user&apos;s; a fire drill is for one&apos;s own jobs.</source>
        <translation>実行 {run} は別のユーザーのものです。障害訓練は自分のジョブに対してのみ行えます。</translation>
    </message>
    <message>
        <source>A fire drill asks first, and nobody is at a terminal; add --yes.</source>
        <translation>障害訓練の前には確認がありますが、端末がありません。--yes を付けてください。</translation>
    </message>
    <message>
        <source>Nothing was done.</source>
        <translation>何も行いませんでした。</translation>
    </message>
    <message>
        <source>`ringmaster drill` acts now: leave out what stands behind @ in {text}, or start the job with --drill.</source>
        <translation>`ringmaster drill` はすぐに実施されます。{text} の @ 以降を省くか、--drill を付けてジョブを開始してください。</translation>
    </message>
    <message>
        <source>“{text}” isn&apos;t a time; write for example 60s or 5m.</source>
        <translation>「{text}」は時間ではありません。60s や 5m のように書いてください。</translation>
    </message>
    <message>
        <source>--drill doesn&apos;t go with {option}.</source>
        <translation>--drill は {option} と一緒には使えません。</translation>
    </message>
    <message>
        <source>Fire drill by {who}: rank {rank} is killed now (SIGKILL).</source>
        <translation>障害訓練（実施者：{who}）：ランク {rank} を今すぐ強制終了します (SIGKILL)。</translation>
    </message>
    <message>
        <source>Fire drill by {who}: rank {rank} is stopped for {time} (SIGSTOP, then SIGCONT).</source>
        <translation>障害訓練（実施者：{who}）：ランク {rank} を {time} 停止します (SIGSTOP、その後 SIGCONT)。</translation>
    </message>
    <message>
        <source>Fire drill by {who}: rank {rank} is slowed down for {time}; it runs a quarter of the time.</source>
        <translation>障害訓練（実施者：{who}）：ランク {rank} を {time} 遅くします。動くのは時間の 4 分の 1 だけです。</translation>
    </message>
    <message>
        <source>Fire drill: back {seconds} s after {signal}, when all ranks had been through a first collective. The program prints no steps: whether any are lost isn&apos;t known.</source>
        <translation>障害訓練：{signal} から {seconds} 秒後に復帰しました（全ランクが最初の集団通信を終えた時点）。プログラムがステップを出力しないため、失われたステップがあるかどうかは分かりません。</translation>
    </message>
    <message>
        <source>Fire drill: all ranks run again {seconds} s after {signal}. No collective is recorded and no steps are printed: nothing more is known.</source>
        <translation>障害訓練：{signal} から {seconds} 秒後に全ランクが再び動いています。集団通信の記録もステップの出力もないため、それ以上のことは分かりません。</translation>
    </message>
    <message>
        <source>Fire drill: {seconds} s after {signal} all ranks run, and none of them hangs. The program prints no steps: whether it gets on isn&apos;t known.</source>
        <translation>障害訓練：{signal} から {seconds} 秒後、全ランクが動いており、ハングは見られません。プログラムがステップを出力しないため、先へ進んでいるかどうかは分かりません。</translation>
    </message>
    <message>
        <source>Fire drill: the run has finished {seconds} s after {signal}. What it printed in between doesn&apos;t say what was lost.</source>
        <translation>障害訓練：{signal} から {seconds} 秒後に実行が完了しました。その間の出力からは、何が失われたかは分かりません。</translation>
    </message>
    <message>
        <source>Fire drill: not back; the run has ended {seconds} s after {signal}.</source>
        <translation>障害訓練：復帰していません。{signal} から {seconds} 秒後に実行が終了しました。</translation>
    </message>
    <message>
        <source>Fire drill: not back within {time}; the end of rank {rank} has led to no restart.</source>
        <translation>障害訓練：{time} 以内に復帰しませんでした。ランク {rank} が終了しても再起動されませんでした。</translation>
    </message>
    <message>
        <source>Fire drill: not back within {time}; {count} of {size} ranks run.</source>
        <translation>障害訓練：{time} 以内に復帰しませんでした。動いているのは {size} ランク中 {count} ランクです。</translation>
    </message>
    <message>
        <source>Fire drill: not back within {time}; all ranks run, but {counter}, which had reached {reached}, isn&apos;t printed any more.</source>
        <translation>障害訓練：{time} 以内に復帰しませんでした。全ランクが動いていますが、{reached} まで進んでいた {counter} が出力されなくなりました。</translation>
    </message>
    <message>
        <source>Fire drill: not back within {time}; all ranks run, but not all have been through a collective.</source>
        <translation>障害訓練：{time} 以内に復帰しませんでした。全ランクが動いていますが、まだ集団通信を終えていないランクがあります。</translation>
    </message>
    <message>
        <source>Fire drill: not back within {time}; all ranks run, but a hang stands.</source>
        <translation>障害訓練：{time} 以内に復帰しませんでした。全ランクが動いていますが、ハングの診断が続いています。</translation>
    </message>
    <message>
        <source>The fire drill didn&apos;t take place: the output didn&apos;t reach {counter} {value}.</source>
        <translation>障害訓練は行われませんでした。出力が {counter} {value} に達しませんでした。</translation>
    </message>
    <message>
        <source>The fire drill didn&apos;t take place: the run ended within {time}.</source>
        <translation>障害訓練は行われませんでした。{time} たつ前に実行が終了しました。</translation>
    </message>
    <message>
        <source>A fire drill of this run is under way; wait for its result.</source>
        <translation>この実行の障害訓練がすでに進行中です。結果をお待ちください。</translation>
    </message>
    <message>
        <source>A fire drill&apos;s time is between {least} and {most}.</source>
        <translation>障害訓練の時間は {least} から {most} までです。</translation>
    </message>
    <message>
        <source>--drill {text} doesn&apos;t say when; write for example {text}@step100, or {text}@30s.</source>
        <translation>--drill {text} には時点がありません。{text}@step100 や {text}@30s のように書いてください。</translation>
    </message>
    <message>
        <source>Rank {rank} was killed by a fire drill.</source>
        <translation>ランク {rank} は障害訓練で強制終了されました。</translation>
    </message>
    <message>
        <source>Fire drill: back {seconds} s after {signal}, when {counter} was printed again: it had reached {reached} and goes on from {first}.</source>
        <translation>障害訓練：{signal} から {seconds} 秒後に復帰しました（{counter} が再び出力された時点）。{counter} は {reached} まで進んでいて、{first} から再開しました。</translation>
    </message>
    <message>
        <source>Fire drill: back {seconds} s after {signal}, when {counter} was printed again: it had reached {reached} and goes on from {first}; {loss} was {before} and goes on with {after}.</source>
        <translation>障害訓練：{signal} から {seconds} 秒後に復帰しました（{counter} が再び出力された時点）。{counter} は {reached} まで進んでいて、{first} から再開しました。{loss} は {before} でしたが、再開後は {after} です。</translation>
    </message>
    <message>
        <source>Fire drill: back {seconds} s after {signal}, when {counter} was printed again: it had reached {reached} and goes on from {first}, so at least {lost} are lost.</source>
        <translation>障害訓練：{signal} から {seconds} 秒後に復帰しました（{counter} が再び出力された時点）。{counter} は {reached} まで進んでいて、{first} から再開しました。少なくとも {lost} が失われました。</translation>
    </message>
    <message>
        <source>Fire drill: back {seconds} s after {signal}, when {counter} was printed again: it had reached {reached} and goes on from {first}, so at least {lost} are lost; {loss} was {before} and goes on with {after}.</source>
        <translation>障害訓練：{signal} から {seconds} 秒後に復帰しました（{counter} が再び出力された時点）。{counter} は {reached} まで進んでいて、{first} から再開しました。少なくとも {lost} が失われました。{loss} は {before} でしたが、再開後は {after} です。</translation>
    </message>
    <message>
        <source>{path} is nothing that can be opened as a run: no run file, no flight recorder dumps, no logs of torchrun, no traces of torch.profiler, no logs of NCCL Inspector or of torchcomms, and nothing of nccl-tests.</source>
        <translation>{path} には、実行として開けるものがありません。実行ファイル、フライトレコーダーのダンプ、torchrun のログ、torch.profiler のトレース、NCCL Inspector や torchcomms のログ、nccl-tests の結果のいずれでもありません。</translation>
    </message>
    <message>
        <source>{path} has more than {megabytes} MB when it is unpacked, which is more than such a file has. Leave it out.</source>
        <translation>{path} は展開すると {megabytes} MB を超えます。この種類のファイルとしては大きすぎるため、除いてください。</translation>
    </message>
    <message>
        <source>{path} doesn&apos;t say which collective was measured. Name the file after the program: all_reduce_perf.txt.</source>
        <translation>{path} には、どの集団通信を測定したかが書かれていません。all_reduce_perf.txt のように、プログラムの名前をファイル名にしてください。</translation>
    </message>
    <message>
        <source>Read from what {program} of nccl-tests wrote into {path}.</source>
        <translation>nccl-tests の {program} が {path} に書き出した結果から読み込みました。</translation>
    </message>
    <message>
        <source>It ran with {ranks} ranks on {hosts} ({devices}).</source>
        <translation>{hosts} ({devices}) で {ranks} ランクで実行されました。</translation>
    </message>
    <message>
        <source>With how many ranks it ran isn&apos;t in the file, nor on which hosts: it can&apos;t be compared with what a machine can reach at best.</source>
        <translation>ランク数もホストもファイルに書かれていないため、マシンが出せる最高値と比べることはできません。</translation>
    </message>
    <message>
        <source>When it was measured isn&apos;t in the file: the time is the one at which the file was last changed.</source>
        <translation>測定した時刻はファイルに書かれていません。時刻はファイルが最後に変更されたときのものです。</translation>
    </message>
    <message>
        <source>The times are the processor&apos;s (-C), not those of the collectives.</source>
        <translation>時間は CPU のもの (-C) で、集団通信そのものの時間ではありません。</translation>
    </message>
    <message>
        <source>{count} values of the results were out of bounds.</source>
        <translation>結果のうち {count} 個の値が許容範囲を外れていました。</translation>
    </message>
    <message>
        <source>The last lines are missing: the test was stopped, or the file is cut off.</source>
        <translation>最後の行がありません。テストが途中で止められたか、ファイルが途中で切れています。</translation>
    </message>
    <message>
        <source>{path} has no operation that has ended. Let the job run longer, or leave the file out.</source>
        <translation>{path} には終わった演算がありません。ジョブをもっと長く実行するか、このファイルを除いてください。</translation>
    </message>
    <message>
        <source>Read from {count} logs of NCCL Inspector in {path}: the operations of NCCL that have ended, with the time that each took on the GPU.</source>
        <translation>{path} にある NCCL Inspector のログ {count} 件から読み込みました。終わった NCCL の演算と、それぞれが GPU でかかった時間です。</translation>
    </message>
    <message>
        <source>NCCL Inspector writes only what has ended: in what the job hung, and who hadn&apos;t come, isn&apos;t in these files.</source>
        <translation>NCCL Inspector は終わった演算だけを書き出します。ジョブが何で止まったか、どのランクが来なかったかは、これらのファイルからはわかりません。</translation>
    </message>
    <message>
        <source>When an operation ran isn&apos;t in these logs (NCCL_INSPECTOR_DUMP_VERBOSE=1 would say it): each is shown to end when it was written. Durations and bandwidths are measured; places in time, and shares of it, are not.</source>
        <translation>演算がいつ実行されたかはこれらのログに書かれていません (NCCL_INSPECTOR_DUMP_VERBOSE=1 で書き出されます)。各演算は、書き出されたときに終わったものとして表示されます。所要時間と帯域幅は測定値ですが、時間上の位置と割合は測定値ではありません。</translation>
    </message>
    <message>
        <source>No communicator has all processes: which rank each is isn&apos;t known. They are numbered by host and process id.</source>
        <translation>すべてのプロセスを含むコミュニケーターがないため、各プロセスがどのランクかはわかりません。ホストとプロセス ID の順に番号を付けています。</translation>
    </message>
    <message>
        <source>Not all members of group {group} have told of it: who they are isn&apos;t known.</source>
        <translation>グループ {group} には記録のないメンバーがいるため、メンバーがどのランクかはわかりません。</translation>
    </message>
    <message>
        <source>{count} operations of rank {rank} were dropped before they were written (NCCL_INSPECTOR_DUMP_COLL_RING_SIZE).</source>
        <translation>ランク {rank} の演算 {count} 件は、書き出される前に捨てられました (NCCL_INSPECTOR_DUMP_COLL_RING_SIZE)。</translation>
    </message>
    <message>
        <source>{path} is cut off in its last line.</source>
        <translation>{path} は最後の行の途中で切れています。</translation>
    </message>
    <message>
        <source>{path} is a log of ClogHook of version {version}; only version 1 can be read.</source>
        <translation>{path} は ClogHook のバージョン {version} のログです。読み込めるのはバージョン 1 だけです。</translation>
    </message>
    <message>
        <source>Read from {count} logs of torchcomms&apos; ClogHook in {path}: what each rank called, in its order.</source>
        <translation>{path} にある torchcomms の ClogHook のログ {count} 件から読み込みました。各ランクが呼び出したものが、その順序で入っています。</translation>
    </message>
    <message>
        <source>ClogHook writes milliseconds, when it hears of a thing: shorter times, and bandwidths of short operations, aren&apos;t exact. How a process ended isn&apos;t in its log.</source>
        <translation>ClogHook は、出来事を知った時刻をミリ秒単位で書き出します。それより短い時間や、短い演算の帯域幅は正確ではありません。プロセスがどう終わったかはログに書かれていません。</translation>
    </message>
    <message>
        <source>These logs don&apos;t say what has ended (events=[&quot;LIFECYCLE&quot;] would): what all ranks have called is taken for it.</source>
        <translation>これらのログには、何が終わったかが書かれていません (events=[&quot;LIFECYCLE&quot;] で書き出されます)。すべてのランクが呼び出したものを、終わったものとみなしています。</translation>
    </message>
    <message>
        <source>Operations of replayed CUDA graphs aren&apos;t shown: the logs don&apos;t tell their order.</source>
        <translation>再生された CUDA グラフの演算は表示されません。ログからは順序がわからないためです。</translation>
    </message>
    <message>
        <source>The ranks of {run} are on this machine: port {port} is at 127.0.0.1:{port} already.</source>
        <translation>{run} のランクはこのマシンにあります。ポート {port} にはすでに 127.0.0.1:{port} でアクセスできます。</translation>
    </message>
    <message>
        <source>{run} isn&apos;t running; a port is forwarded as long as its run goes on.</source>
        <translation>{run} は実行中ではありません。ポートが転送されるのは実行中の間だけです。</translation>
    </message>
    <message>
        <source>{run} has ended, and with it the forwarding.</source>
        <translation>{run} が終わったため、転送も終わりました。</translation>
    </message>
    <message>
        <source>{run} has no rank {rank} now: nobody can say which host is meant.</source>
        <translation>{run} には今ランク {rank} がないため、どのホストか決められません。</translation>
    </message>
    <message>
        <source>--rank chooses among the hosts of a run of this machine; with --on the port is one of {host}.</source>
        <translation>--rank はこのマシンの実行のホストを選ぶためのものです。--on を付けると、{host} のポートになります。</translation>
    </message>
    <message>
        <source>Port {port} of this machine is taken; name another one with --local, or --local 0 for a free one.</source>
        <translation>このマシンのポート {port} は使用中です。--local で別のポートを指定するか、--local 0 で空いているポートを使ってください。</translation>
    </message>
    <message>
        <source>Port {port} of this machine can&apos;t be listened at; name one above 1023 with --local, or 0 for a free one.</source>
        <translation>このマシンのポート {port} では待ち受けできません。--local で 1023 より大きいポートを指定するか、0 で空いているポートを使ってください。</translation>
    </message>
    <message>
        <source>Nothing answers at port {port} of {host}: what you look for doesn&apos;t listen there, or not yet.</source>
        <translation>{host} のポート {port} から応答がありません。目的のプログラムがそこで待ち受けていないか、まだ待ち受けを始めていません。</translation>
    </message>
    <message>
        <source>{host} allows no ports to be forwarded (AllowTcpForwarding and PermitOpen in its sshd_config): ask who runs it.</source>
        <translation>{host} ではポート転送が許可されていません (sshd_config の AllowTcpForwarding と PermitOpen)。管理者に問い合わせてください。</translation>
    </message>
    <message>
        <source>{url} isn&apos;t reached; is a collector there?</source>
        <translation>{url} に接続できません。そこで Collector が動いていますか？</translation>
    </message>
    <message>
        <source>{url} hasn&apos;t answered within {seconds} s; OTEL_EXPORTER_OTLP_TIMEOUT (milliseconds) gives it longer.</source>
        <translation>{url} から {seconds} 秒以内に応答がありませんでした。待ち時間は OTEL_EXPORTER_OTLP_TIMEOUT（ミリ秒）で延ばせます。</translation>
    </message>
    <message>
        <source>{url} ended the connection without an answer; what does its log say?</source>
        <translation>{url} は応答せずに接続を閉じました。サーバー側のログを確認してください。</translation>
    </message>
    <message>
        <source>{url} doesn&apos;t speak HTTP; a collector&apos;s port for that is usually 4318.</source>
        <translation>{url} の応答は HTTP ではありません。Collector の HTTP ポートは通常 4318 です。</translation>
    </message>
    <message>
        <source>“{url}” isn&apos;t a collector&apos;s address; write for example http://localhost:4318.</source>
        <translation>「{url}」は Collector のアドレスではありません。http://localhost:4318 のように指定してください。</translation>
    </message>
    <message>
        <source>{url} asks for TLS, and only http is spoken here; send to an OpenTelemetry Collector on this machine (http://localhost:4318), which passes it on by https.</source>
        <translation>{url} は TLS を必要としますが、ここから送れるのは http だけです。このマシンの OpenTelemetry Collector（http://localhost:4318）に送り、そこから https で転送してください。</translation>
    </message>
    <message>
        <source>OTEL_EXPORTER_OTLP_HEADERS isn&apos;t NAME=VALUE,NAME=VALUE with values written as in a URL (%20 for a space).</source>
        <translation>OTEL_EXPORTER_OTLP_HEADERS が NAME=VALUE,NAME=VALUE の形ではありません。値は URL と同じように書きます（空白は %20）。</translation>
    </message>
    <message>
        <source>OTEL_EXPORTER_OTLP_TIMEOUT is “{value}”, and not a number of milliseconds above 0.</source>
        <translation>OTEL_EXPORTER_OTLP_TIMEOUT の値「{value}」は、0 より大きいミリ秒数ではありません。</translation>
    </message>
    <message>
        <source>{url} answered {status}: {text}; what it asks for is put into OTEL_EXPORTER_OTLP_HEADERS.</source>
        <translation>{url} の応答は {status} でした: {text}。必要な認証情報は OTEL_EXPORTER_OTLP_HEADERS に設定してください。</translation>
    </message>
    <message>
        <source>{url} answered {status}: {text}; give the collector&apos;s address without /v1/traces.</source>
        <translation>{url} の応答は {status} でした: {text}。Collector のアドレスは /v1/traces を付けずに指定してください。</translation>
    </message>
    <message>
        <source>{url} answered {status}: {text}</source>
        <translation>{url} の応答は {status} でした: {text}</translation>
    </message>
    <message>
        <source>sending the run on (requests that the collector has by now: {requests})</source>
        <translation>実行の続きを送信中（Collector が受け取ったリクエスト: {requests} 件）</translation>
    </message>
    <message>
        <source>All hosts of the job are needed, so the run ends instead of going on without one; write --nnodes MIN:MAX with a smaller MIN.</source>
        <translation>このジョブにはすべてのホストが必要なため、1 台を外して続ける代わりに実行が終了します。--nnodes MIN:MAX の MIN を小さくしてください。</translation>
    </message>
    <message>
        <source>Hosts are left out of a job that has a lead (--hosts or --slurm); this one has none.</source>
        <translation>ホストを外せるのはリードのあるジョブ（--hosts または --slurm）だけです。このジョブにはリードがありません。</translation>
    </message>
    <message>
        <source>The job isn&apos;t restarted at all (--max-restarts 0), so no host can be left out.</source>
        <translation>ジョブは再起動されない（--max-restarts 0）ため、ホストを外すことはできません。</translation>
    </message>
    <message>
        <source>{host} is left out after failures that began there: {count} (restart.leave_host_out_after).</source>
        <translation>{host} を外しました。ここから始まった失敗: {count} 回（restart.leave_host_out_after）。</translation>
    </message>
    <message>
        <source>Failures that began on {host}: {count}. After {limit} the job goes on without it (restart.leave_host_out_after).</source>
        <translation>{host} から始まった失敗: {count} 回。{limit} 回になると、このホストを外して続けます（restart.leave_host_out_after）。</translation>
    </message>
    <message>
        <source>{host} is left out after failures that began there: {count} (restart.leave_host_out_after). The job needs {needed} hosts, and has {left} others.</source>
        <translation>{host} を外しました。ここから始まった失敗: {count} 回（restart.leave_host_out_after）。ジョブには {needed} 台のホストが必要ですが、残りは {left} 台です。</translation>
    </message>
    <message>
        <source>Of a run on {host} the run file itself is written here, and nothing that is made of it: do this on {host}.</source>
        <translation>{host} の実行については、実行ファイルそのものだけをここに書き出せます。実行ファイルから作るものは {host} で書き出してください。</translation>
    </message>
    <message>
        <source>The run couldn&apos;t be exported on {host} ({status}).</source>
        <translation>{host} で実行を書き出せませんでした（{status}）。</translation>
    </message>
    <message>
        <source>GPU {gpu} reported Xid error {xid}: most often a program&apos;s own fault there, such as an index out of range.</source>
        <translation>GPU {gpu} が Xid エラー {xid} を報告しました。多くの場合、インデックスの範囲外アクセスなど、プログラム自身の誤りが原因です。</translation>
    </message>
    <message>
        <source>GPUs that {ranks} ranks share: {count}. nccl&apos;s results are checked there, and its times tell nothing of the wire.</source>
        <translation>{ranks} 個の rank が GPU を共有しています（GPU の数: {count}）。nccl の結果は検証できますが、時間は通信路の速さを表しません。</translation>
    </message>
    <message>
        <source>A drill of {host} is for a job on hosts; add --hosts or --slurm, or let --drill kill a rank.</source>
        <translation>{host} の障害訓練はホスト上のジョブ用です。--hosts か --slurm を付けるか、--drill でランクを強制終了してください。</translation>
    </message>
    <message>
        <source>Fire drill by {who}: the agent and all workers on {host} are killed now (SIGKILL), as if its power had failed.</source>
        <translation>障害訓練（実施者：{who}）：電源が落ちたときのように、{host} のエージェントとすべてのワーカーを今すぐ強制終了します (SIGKILL)。</translation>
    </message>
    <message>
        <source>Fire drill by {who}: the lead&apos;s link to {host} is cut for {time}.</source>
        <translation>障害訓練（実施者：{who}）：リードから {host} への接続を {time} 切断します。</translation>
    </message>
    <message>
        <source>Fire drill of {host}: ranks run on {working} of {hosts} hosts; restarts charged: {charged}.</source>
        <translation>{host} の障害訓練：ランクは {hosts} 台中 {working} 台のホストで動作中。消費した再起動：{charged} 回。</translation>
    </message>
    <message>
        <source>Fire drill: not back within {time}; the end of the agent on {host} has led to no restart.</source>
        <translation>障害訓練：{time} 以内に復旧しませんでした。{host} のエージェントが終了しても再起動が行われていません。</translation>
    </message>
    <message>
        <source>Fire drill: not back within {time}; {host} is {state}.</source>
        <translation>障害訓練：{time} 以内に復旧しませんでした。{host} の状態は {state} です。</translation>
    </message>
    <message>
        <source>Fire drill: not back within {time}; {host} is connected again, but no rank runs there.</source>
        <translation>障害訓練：{time} 以内に復旧しませんでした。{host} は再び接続されましたが、ランクが動作していません。</translation>
    </message>
    <message>
        <source>{host} is {state}: nothing can be done to it now. Wait until it is connected and has ranks.</source>
        <translation>{host} の状態は {state} なので、今は訓練の対象にできません。接続され、ランクを持つまでお待ちください。</translation>
    </message>
    <message>
        <source>Run {run} has no host {host}. It has {hosts}.</source>
        <translation>実行 {run} にホスト {host} はありません。ホストは {hosts} です。</translation>
    </message>
    <message>
        <source>Run {run} isn&apos;t on hosts (--hosts, --slurm), so none can be drilled. A rank can: kill:RANK.</source>
        <translation>実行 {run} はホスト上のジョブ (--hosts、--slurm) ではないため、ホストの訓練はできません。ランクなら訓練できます：kill:RANK。</translation>
    </message>
    <message>
        <source>{host} is the only connected host of run {run}: nobody would be left to go on. A rank can be drilled: kill:RANK.</source>
        <translation>実行 {run} で接続されているホストは {host} だけです。続ける相手が残りません。ランクなら訓練できます：kill:RANK。</translation>
    </message>
    <message>
        <source>{host}: a fire drill has cut the link to its agent.</source>
        <translation>{host}：障害訓練により、エージェントへの接続が切断されました。</translation>
    </message>
    <message>
        <source>{host} is this machine: there is no link from the lead to its agent that could be cut. It can be killed: kill:host={host}.</source>
        <translation>{host} はこのマシンです。リードからエージェントへの切断できる接続がありません。強制終了ならできます：kill:host={host}。</translation>
    </message>
    <message>
        <source>“{text}” names no host; write kill:host=NAME or cut:host=NAME:15s, or add --host NAME.</source>
        <translation>「{text}」にはホスト名がありません。kill:host=NAME や cut:host=NAME:15s のように書くか、--host NAME を付けてください。</translation>
    </message>
    <message>
        <source>“{text}” isn&apos;t for a host: a host is killed or cut. stop and slow are for a rank.</source>
        <translation>「{text}」はホストには使えません。ホストに使えるのは kill と cut です。stop と slow はランク用です。</translation>
    </message>
    <message>
        <source>“{text}” isn&apos;t a fire drill; write for example kill:2, stop:1:20s, slow:0:1m, kill:host=gpu2 or cut:host=gpu2:15s, and with --drill when: kill:2@step100, kill:2@30s.</source>
        <translation>「{text}」は障害訓練として読み取れません。kill:2、stop:1:20s、slow:0:1m、kill:host=gpu2、cut:host=gpu2:15s のように書き、--drill では時点も kill:2@step100、kill:2@30s のように書いてください。</translation>
    </message>
    <message>
        <source>Rank {rank} was ready to run and had no processor for {percent} % of the last seconds: more runs on its machine than that has processors for.</source>
        <translation>ランク {rank} は直近の数秒の {percent} % のあいだ、実行可能なのにプロセッサーが割り当てられませんでした。そのマシンではプロセッサー数より多くの処理が動いています。</translation>
    </message>
    <message>
        <source>No temporary folder can be made in {path}; set TMPDIR to a folder that can be written.</source>
        <translation>{path} に一時フォルダーを作成できません。書き込めるフォルダーを TMPDIR に設定してください。</translation>
    </message>
    <message>
        <source>Another program uses the storage of {engine}; the image {image} is fetched once it is free.</source>
        <translation>{engine} のストレージを別のプログラムが使用しています。空き次第、イメージ {image} を取得します。</translation>
    </message>
    <message>
        <source>{host}: the agent that was packed for it in {path} can&apos;t be read; look at the disk or the file server of that folder, and launch again.</source>
        <translation>{host}: 送るためにまとめたエージェント（{path}）を読めません。そのフォルダーのディスクまたはファイルサーバーを確認し、もう一度起動してください。</translation>
    </message>
    <message>
        <source>Cold start: the starter has reached a limit of processes, of open files or of memory and can&apos;t fork; raise the limit (ulimit -u, ulimit -n) or end some processes.</source>
        <translation>コールドスタート: スターターがプロセス数、オープンファイル数、またはメモリの上限に達し、fork できません。上限を上げる（ulimit -u、ulimit -n）か、いくつかのプロセスを終了してください。</translation>
    </message>
    <message>
        <source>{value} isn&apos;t a variable; write NAME=value, one a line.</source>
        <translation>{value} は環境変数ではありません。NAME=value の形で 1 行に 1 つ書いてください。</translation>
    </message>
    <message>
        <source>{program} is run by Python, not by what its first line names ({line}); run it as a command (--no-python) to change that.</source>
        <translation>{program} は 1 行目 ({line}) に書かれたプログラムではなく Python で実行されます。変更するには、コマンドとして実行してください (--no-python)。</translation>
    </message>
    <message>
        <source>The connection to rank {rank} is lost: nothing answers there any more; {operation} can&apos;t complete. Check whether its host is up, and whether a switch or a firewall on the way drops packets.</source>
        <translation>ランク {rank} への接続が失われ、応答がまったくないため、{operation} を完了できません。そのホストが動作しているか、途中のスイッチやファイアウォールがパケットを破棄していないかを確認してください。</translation>
    </message>
    <message>
        <source>This process was forked from rank {rank} and can&apos;t use its group; start it with the start method spawn, or before the group is made.</source>
        <translation>このプロセスはランク {rank} からフォークされたため、そのグループを使用できません。開始方式 spawn で起動するか、グループを作成する前に起動してください。</translation>
    </message>
    <message>
        <source>Whoever listens on {path} takes no connection: that process runs, but is overloaded or was stopped. SIGCONT lets a stopped one go on; else try again later.</source>
        <translation>{path} で待ち受けているプロセスは動いていますが、接続を受け付けません。過負荷か、止められています。止められている場合は SIGCONT で再開します。そうでなければ、後でもう一度試してください。</translation>
    </message>
    <message>
        <source>The agent of {run} (process {pid}) takes no connection: it runs, but is overloaded or was stopped. `kill -CONT {pid}` lets a stopped one go on; else try again later.</source>
        <translation>{run} のエージェント (プロセス {pid}) は動いていますが、接続を受け付けません。過負荷か、止められています。止められている場合は `kill -CONT {pid}` で再開します。そうでなければ、後でもう一度試してください。</translation>
    </message>
</context>
<context>
    <name>NumberWords</name>
    <message>
        <source>%1 · %2 left</source>
        <comment>part, time</comment>
        <translation>%1 · 残り %2</translation>
    </message>
</context>
<context>
    <name>OperationWords</name>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>No data crosses the wire that could be counted.</source>
        <translation>数えられるデータは通信路を流れません。</translation>
    </message>
    <message>
        <source>busbw = algbw × %1, as nccl-tests has it; × %2 for n = %3 ranks.</source>
        <translation>busbw = algbw × %1（nccl-tests と同じ）。n = %3 ランクでは × %2。</translation>
    </message>
    <message>
        <source>The time is the backend&apos;s on the rank that waited least: the wire&apos;s own. What is felt beyond it is waiting for other ranks, and copying.</source>
        <translation>時間は待ちが最も短かったランクでのバックエンドのもので、通信そのものの時間です。体感時間との差は、ほかのランクを待つ時間とコピーの時間です。</translation>
    </message>
    <message>
        <source>The time is that of this side alone; it includes the waiting for the other.</source>
        <translation>時間はこちら側だけのもので、相手を待つ時間も含みます。</translation>
    </message>
    <message>
        <source>The time is that of the quickest rank, which may leave before the others have come: no measure of the wire.</source>
        <translation>時間は最も早く終わったランクのものです。ほかのランクが来る前に抜けることもあるため、通信路の速さを表しません。</translation>
    </message>
    <message>
        <source>Not all ranks have told of these operations: the waiting can&apos;t be told from the transfer.</source>
        <translation>これらの操作は一部のランクからしか記録されていないため、待ちと転送を区別できません。</translation>
    </message>
    <message>
        <source>after %1, %2</source>
        <translation>%1 の後、%2</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>called in %1, %2 line %3</source>
        <translation>呼び出し元: %2 の %3 行目 %1</translation>
    </message>
</context>
<context>
    <name>PhaseWords</name>
    <message>
        <source>preparing</source>
        <translation>準備</translation>
    </message>
    <message>
        <source>rendezvous</source>
        <translation>ランデブー</translation>
    </message>
    <message>
        <source>starting processes</source>
        <translation>プロセスの起動</translation>
    </message>
    <message>
        <source>importing torch</source>
        <translation>torch のインポート</translation>
    </message>
    <message>
        <source>user code</source>
        <translation>ユーザーコード</translation>
    </message>
    <message>
        <source>first collective after %1</source>
        <translation>最初の集団通信まで %1</translation>
    </message>
    <message>
        <source>Attempt 1: first collective %1 after the launch; %2 was last</source>
        <translation>試行 1：起動から最初の集団通信まで %1、最後は%2</translation>
    </message>
    <message>
        <source>Attempt %1: first collective %2 after the failure; %3 was last</source>
        <translation>試行 %1：失敗から最初の集団通信まで %2、最後は%3</translation>
    </message>
    <message>
        <source>
%1: %2</source>
        <comment>phase: time</comment>
        <translation>
%1：%2</translation>
    </message>
</context>
<context>
    <name>SaveFile</name>
    <message>
        <source>Saved %1</source>
        <translation>%1 を保存しました</translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2</source>
        <translation>%1 に書き込めません：%2</translation>
    </message>
</context>
<context>
    <name>SaveQuestion</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>ScenePainter</name>
    <message>
        <source>%1, line %2</source>
        <translation>%1、%2 行目</translation>
    </message>
    <message>
        <source>pid %1</source>
        <translation>pid %1</translation>
    </message>
    <message>
        <source>%1, %2 line %3</source>
        <translation>%1、%2 の %3 行目</translation>
    </message>
</context>
<context>
    <name>ShortcutSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
    <message>
        <source>Move between workers</source>
        <translation>ワーカー間を移動</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>矢印キー</translation>
    </message>
    <message>
        <source>Zoom the timeline</source>
        <translation>タイムラインを拡大・縮小</translation>
    </message>
    <message>
        <source>Move the timeline</source>
        <translation>タイムラインを移動</translation>
    </message>
    <message>
        <source>Chart: from point to point; another line</source>
        <translation>グラフ：点から点へ、別の線へ</translation>
    </message>
    <message>
        <source>Chart: zoom, move, back to the range before</source>
        <translation>グラフ：拡大・縮小、移動、前の範囲に戻る</translation>
    </message>
    <message>
        <source>Beginning and end of the log</source>
        <translation>ログの先頭と末尾</translation>
    </message>
    <message>
        <source>Lesson: run the program, and stop it</source>
        <translation>レッスン：プログラムの実行と停止</translation>
    </message>
    <message>
        <source>Lesson: a step on and back; ten with Shift</source>
        <translation>レッスン：一つ進む・戻る（Shift で 10）</translation>
    </message>
    <message>
        <source>Lesson: a step of one rank</source>
        <translation>レッスン：一つのランクだけ進める</translation>
    </message>
    <message>
        <source>Lesson: on until a rank blocks; to its end</source>
        <translation>レッスン：ブロックまで・最後まで</translation>
    </message>
    <message>
        <source>Lesson: to the answer; break something</source>
        <translation>レッスン：回答へ・障害を起こす</translation>
    </message>
    <message>
        <source>Lesson: full screen with large type</source>
        <translation>レッスン：大きな文字で全画面表示</translation>
    </message>
    <message>
        <source>Make a panel larger or smaller</source>
        <translation>パネルを広げる・狭める</translation>
    </message>
    <message>
        <source>Writing a lesson: save; under another name</source>
        <translation>レッスンの作成：保存、別名で保存</translation>
    </message>
    <message>
        <source>Writing a lesson: save and run it</source>
        <translation>レッスンの作成：保存して実行</translation>
    </message>
    <message>
        <source>Writing a lesson: to the next error</source>
        <translation>レッスンの作成：次のエラーへ</translation>
    </message>
    <message>
        <source>Writing a lesson: indent, and back</source>
        <translation>レッスンの作成：字下げ、戻す</translation>
    </message>
</context>
<context>
    <name>StopGrace</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>The workers are ending. &quot;Stop now&quot; kills them at once.</source>
        <translation>ワーカーを終了しています。「今すぐ停止」を押すと、すぐに強制終了します。</translation>
    </message>
    <message>
        <source>The time that the workers had to end is over; they are being killed.</source>
        <translation>終了の猶予時間が過ぎました。ワーカーを強制終了しています。</translation>
    </message>
    <message>
        <source>The workers have %1 left to save and end. &quot;Stop now&quot; kills them at once.</source>
        <translation>ワーカーが保存して終了するまでの猶予は残り %1 です。「今すぐ停止」を押すと、すぐに強制終了します。</translation>
    </message>
</context>
<context>
    <name>SweepWords</name>
    <message>
        <source>%1 reaches %2 in all_reduce with %3 between %4 and %5.</source>
        <translation>%1 は %4・%5 間の all_reduce（%3）で %2 に達します。</translation>
    </message>
    <message>
        <source>%1 reaches %2 in all_reduce with %3.</source>
        <translation>%1 は all_reduce（%3）で %2 に達します。</translation>
    </message>
</context>
<context>
    <name>TilePainter</name>
    <message>
        <source>First cause</source>
        <translation>最初の原因</translation>
    </message>
</context>
<context>
    <name>TimelinePainter</name>
    <message numerus="yes">
        <source>%n left</source>
        <comment>restarts</comment>
        <translation>
            <numerusform>残り %n 回</numerusform>
        </translation>
    </message>
    <message>
        <source>not charged</source>
        <translation>回数に含めず</translation>
    </message>
</context>
<context>
    <name>VerdictBanner</name>
    <message>
        <source>Waiting.</source>
        <translation>待機中です。</translation>
    </message>
    <message>
        <source>It ended while ranks waited.</source>
        <translation>ランクが待っている間に終了しました。</translation>
    </message>
    <message>
        <source>Slower than it could be.</source>
        <translation>本来より遅くなっています。</translation>
    </message>
    <message>
        <source>It ended in a hang.</source>
        <translation>ハングしたまま終わりました。</translation>
    </message>
    <message>
        <source>The job hangs.</source>
        <translation>ジョブがハングしています。</translation>
    </message>
    <message>
        <source>The job seems to hang; not sure who is guilty.</source>
        <translation>ジョブがハングしているようです。原因のランクは特定できません。</translation>
    </message>
    <message>
        <source>The ranks&apos; calls don&apos;t match.</source>
        <translation>ランクの呼び出しが一致していません。</translation>
    </message>
    <message>
        <source>Stopped by you.</source>
        <translation>ユーザーが停止しました。</translation>
    </message>
    <message>
        <source>Restarted before, after attempt %1: %2</source>
        <translation>その前に、試行 %1 のあとで再起動しました: %2</translation>
    </message>
    <message>
        <source>Ranks waited when this was recorded.</source>
        <translation>記録された時点で、待っているランクがありました。</translation>
    </message>
    <message>
        <source>It hung when this was recorded.</source>
        <translation>記録された時点でハングしていました。</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>Unknown</source>
        <comment>worker</comment>
        <translation>不明</translation>
    </message>
    <message>
        <source>Starting</source>
        <comment>worker</comment>
        <translation>開始中</translation>
    </message>
    <message>
        <source>Running</source>
        <comment>worker</comment>
        <translation>実行中</translation>
    </message>
    <message>
        <source>Unhealthy</source>
        <comment>worker</comment>
        <translation>異常</translation>
    </message>
    <message>
        <source>Stopped</source>
        <comment>worker</comment>
        <translation>停止</translation>
    </message>
    <message>
        <source>Finished</source>
        <comment>worker</comment>
        <translation>完了</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>worker</comment>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>情報</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>エラー</translation>
    </message>
    <message>
        <source>joining</source>
        <translation>参加中</translation>
    </message>
    <message>
        <source>waiting for others</source>
        <translation>他のノードを待機中</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>成立</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>終了済み</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>killed by %1 (core dumped)</source>
        <translation>%1 で強制終了 (コアダンプあり)</translation>
    </message>
    <message>
        <source>killed by %1</source>
        <translation>%1 で終了</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>終了コード %1</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>正常終了</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ミリ秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>ランク %1</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n ランク</numerusform>
        </translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>接続中</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>接続済み</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>接続断</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>いなくなりました</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>standing by</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>reconnecting</source>
        <translation>再接続中</translation>
    </message>
    <message>
        <source>Starting</source>
        <comment>health</comment>
        <translation>開始中</translation>
    </message>
    <message>
        <source>Running</source>
        <comment>health</comment>
        <translation>実行中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <comment>health</comment>
        <translation>待機中</translation>
    </message>
    <message>
        <source>Slow</source>
        <comment>health</comment>
        <translation>低速</translation>
    </message>
    <message>
        <source>Hanging</source>
        <comment>health</comment>
        <translation>ハング中</translation>
    </message>
    <message>
        <source>Stopped</source>
        <comment>health: by a signal</comment>
        <translation>停止（シグナル）</translation>
    </message>
    <message>
        <source>Restarting</source>
        <comment>health</comment>
        <translation>再起動中</translation>
    </message>
    <message>
        <source>Stopping</source>
        <comment>health</comment>
        <translation>停止処理中</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>health</comment>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Finished</source>
        <comment>health</comment>
        <translation>完了</translation>
    </message>
    <message>
        <source>Ended</source>
        <comment>health: because another rank failed</comment>
        <translation>打ち切り</translation>
    </message>
    <message>
        <source>Stopped by you</source>
        <comment>health</comment>
        <translation>ユーザーが停止</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>running</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>waiting for a disk</source>
        <translation>ディスク待ち</translation>
    </message>
    <message>
        <source>stopped by a signal</source>
        <translation>シグナルで停止中</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>終了済み</translation>
    </message>
    <message>
        <source>Lost</source>
        <comment>health</comment>
        <translation>消失</translation>
    </message>
    <message>
        <source>torch&apos;s worker server</source>
        <translation>torch のワーカーサーバー</translation>
    </message>
    <message>
        <source>Recorded</source>
        <comment>health: known from files</comment>
        <translation>記録のみ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::AlertCommand</name>
    <message>
        <source>it was ended</source>
        <translation>途中で終了させられました</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>終了コード %1</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::AlertsDialog</name>
    <message>
        <source>As for all jobs</source>
        <translation>すべてのジョブと同じ</translation>
    </message>
    <message>
        <source>Desktop notification</source>
        <translation>デスクトップ通知</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>音</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>アラート</translation>
    </message>
    <message>
        <source>it hangs</source>
        <translation>ハングしたとき</translation>
    </message>
    <message>
        <source>it fails</source>
        <translation>失敗したとき</translation>
    </message>
    <message>
        <source>it slows</source>
        <translation>遅くなったとき</translation>
    </message>
    <message>
        <source>it finishes</source>
        <translation>終わったとき</translation>
    </message>
    <message>
        <source>All jobs</source>
        <translation>すべてのジョブ</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>ジョブ</translation>
    </message>
    <message>
        <source>Tell me when</source>
        <translation>知らせる条件</translation>
    </message>
    <message>
        <source>By</source>
        <translation>知らせ方</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>試してみる</translation>
    </message>
    <message>
        <source>Comes while the window isn&apos;t in use.</source>
        <translation>このウィンドウを使っていない間に表示されます。</translation>
    </message>
    <message>
        <source>It has RINGMASTER_ALERT_RUN, RINGMASTER_JOB, RINGMASTER_STATE and RINGMASTER_CAUSE in its environment.</source>
        <translation>環境変数 RINGMASTER_ALERT_RUN、RINGMASTER_JOB、RINGMASTER_STATE、RINGMASTER_CAUSE が渡されます。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ArrivalLens</name>
    <message>
        <source>a rank, after the first to come</source>
        <translation>各ランク（最初のランクからの遅れ）</translation>
    </message>
    <message>
        <source>last to come</source>
        <translation>最後に来たランク</translation>
    </message>
    <message>
        <source>%1 #%2: %3 came %4 after the first</source>
        <translation>%1 #%2: %3 は最初のランクより %4 遅れて到着</translation>
    </message>
    <message>
        <source>clocks of the hosts: ± %1</source>
        <translation>ホスト間の時計の誤差：± %1</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ArrivalTableModel</name>
    <message>
        <source>%1 #%2: %3 came %4 after %5</source>
        <translation>%1 #%2: %3 は %5 より %4 遅れて到着</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>番号</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Last to come</source>
        <translation>最後に到着</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>ずれ</translation>
    </message>
    <message>
        <source>Each rank, after the first</source>
        <translation>各ランクの遅れ（最初の到着から）</translation>
    </message>
    <message>
        <source>%1 #%2: within %3 of each other, and the clocks of their hosts are compared to ± %4: who came last isn&apos;t sure</source>
        <translation>%1 #%2：到着の差は %3 以内ですが、ホスト間の時計合わせの誤差が ± %4 あるため、どのランクが最後に来たかは分かりません</translation>
    </message>
    <message>
        <source>not sure</source>
        <translation>不明</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::AttemptPicker</name>
    <message>
        <source>All attempts</source>
        <translation>すべての試行</translation>
    </message>
    <message>
        <source>Attempt %1</source>
        <translation>試行 %1</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>試行</translation>
    </message>
    <message>
        <source>Whose workers, collectives and output are shown; the time axis keeps all</source>
        <translation>ワーカー、集団通信、出力を表示する試行です。時間軸には常にすべての試行が残ります</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::BandwidthChart</name>
    <message>
        <source>%1 (on a busy machine?)</source>
        <translation>%1（混雑時に校正？）</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::BandwidthPage</name>
    <message>
        <source>Run sweep</source>
        <translation>スイープを実行</translation>
    </message>
    <message>
        <source>Stop sweep</source>
        <translation>スイープを停止</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>エクスポート</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>キャリブレーション</translation>
    </message>
    <message>
        <source>Measure what this machine can reach at best: about ten seconds a backend</source>
        <translation>このマシンで到達できる上限を測定します（バックエンドごとに約 10 秒）</translation>
    </message>
    <message>
        <source>Show job</source>
        <translation>ジョブを表示</translation>
    </message>
    <message>
        <source>Workers, log and events of this sweep</source>
        <translation>このスイープのワーカー、ログ、イベント</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>帯域幅</translation>
    </message>
    <message>
        <source>No sweep yet.</source>
        <translation>スイープはまだありません。</translation>
    </message>
    <message>
        <source>A sweep measures a collective over message sizes, with real workers, and checks its results. Choose above what to measure, then run it.</source>
        <translation>スイープは実際のワーカーで集団通信をメッセージサイズごとに測定し、結果を検証します。上で測定内容を選んで実行してください。</translation>
    </message>
    <message>
        <source>This can&apos;t be measured.</source>
        <translation>この内容は測定できません。</translation>
    </message>
    <message>
        <source>Not all of it.</source>
        <translation>一部は測定できません。</translation>
    </message>
    <message>
        <source>The sweep did not start.</source>
        <translation>スイープを開始できませんでした。</translation>
    </message>
    <message>
        <source>Stopping the sweep</source>
        <translation>スイープを停止しています</translation>
    </message>
    <message>
        <source>%1 of %2 measured</source>
        <translation>%2 件中 %1 件を測定済み</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>開始中</translation>
    </message>
    <message>
        <source>The sweep failed.</source>
        <translation>スイープが失敗しました。</translation>
    </message>
    <message numerus="yes">
        <source>%n more pairs afterwards</source>
        <translation>
            <numerusform>残り %n 組</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose two hosts: what is calibrated is the way between them</source>
        <translation>ホストを 2 台選んでください。キャリブレーションではホスト間の経路を測定します</translation>
    </message>
    <message>
        <source>Measure what each pair of these hosts can reach at best, one after the other: about ten seconds a backend</source>
        <translation>選んだホストの各組について、出せる最大の帯域幅を順に測定します（バックエンドごとに約 10 秒）</translation>
    </message>
    <message>
        <source>Calibrated.</source>
        <translation>校正しました。</translation>
    </message>
    <message>
        <source>The sweep can&apos;t be read.</source>
        <translation>スイープを読み取れません。</translation>
    </message>
    <message>
        <source>A sweep is running; two at once would slow each other down</source>
        <translation>スイープを実行中です。同時に測定すると互いに遅くなります</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::BandwidthView</name>
    <message>
        <source>Bandwidth over time; its table has the same content</source>
        <translation>帯域幅の推移。表にも同じ内容があります</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Bandwidth over time as a table</source>
        <translation>帯域幅の推移の表</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::Banner</name>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy the message and its traceback</source>
        <translation>メッセージとトレースバックをコピーします</translation>
    </message>
    <message>
        <source>Traceback</source>
        <translation>トレースバック</translation>
    </message>
    <message>
        <source>Copy the message and its evidence</source>
        <translation>メッセージと根拠をコピーします</translation>
    </message>
    <message>
        <source>Show evidence</source>
        <translation>根拠を表示</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>根拠</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ChecksModel</name>
    <message>
        <source>Line %1: %2</source>
        <translation>%1 行目: %2</translation>
    </message>
    <message>
        <source>In order: %1</source>
        <translation>問題なし: %1</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>警告: %1</translation>
    </message>
    <message>
        <source>Error: %1</source>
        <translation>エラー: %1</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ChecksPanel</name>
    <message>
        <source>Checks</source>
        <translation>確認</translation>
    </message>
    <message>
        <source>Checks of this job</source>
        <translation>このジョブの確認</translation>
    </message>
    <message>
        <source>nothing keeps it from starting</source>
        <translation>開始できます</translation>
    </message>
    <message numerus="yes">
        <source>%n errors keep it from starting</source>
        <translation>
            <numerusform>%n 件のエラーがあり開始できません</numerusform>
        </translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>確認中…</translation>
    </message>
    <message>
        <source>asking the hosts…</source>
        <translation>ホストに問い合わせ中…</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::CommandPanel</name>
    <message>
        <source>Same job on the command line</source>
        <translation>コマンドライン</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>torchrun command line of this job</source>
        <translation>このジョブの torchrun コマンド</translation>
    </message>
    <message>
        <source>Only a job file can say: %1</source>
        <translation>ジョブファイルにだけ書けるもの: %1</translation>
    </message>
    <message>
        <source>Script that Slurm is given</source>
        <translation>Slurm に渡すスクリプト</translation>
    </message>
    <message>
        <source>RUN is the run&apos;s id, known at the launch.</source>
        <translation>RUN は実行の ID で、起動時に決まります。</translation>
    </message>
    <message>
        <source>Slurm script</source>
        <translation>Slurm スクリプト</translation>
    </message>
    <message>
        <source>Show what sbatch will be given instead of the command line</source>
        <translation>コマンドラインの代わりに、sbatch に渡す内容を表示</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::CompareView</name>
    <message>
        <source>reading the runs…</source>
        <translation>実行を読み込み中…</translation>
    </message>
    <message>
        <source>%1 of %2 differ</source>
        <translation>%2 件中 %1 件が異なる</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未設定</translation>
    </message>
    <message>
        <source>Steps a second</source>
        <translation>ステップ毎秒</translation>
    </message>
    <message>
        <source>Save the comparison</source>
        <translation>比較を保存</translation>
    </message>
    <message>
        <source>‹ History</source>
        <translation>‹ 履歴</translation>
    </message>
    <message>
        <source>Back to the list of runs</source>
        <translation>実行の一覧に戻る</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Table as CSV…</source>
        <translation>表を CSV で…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>異なる設定</translation>
    </message>
    <message>
        <source>All of them had the same settings.</source>
        <translation>すべて同じ設定でした。</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Results side by side</source>
        <translation>結果の比較</translation>
    </message>
    <message>
        <source>Printed numbers</source>
        <translation>出力された数値</translation>
    </message>
    <message>
        <source>Number that is drawn</source>
        <translation>描く数値</translation>
    </message>
    <message>
        <source>Printed numbers of the runs over time</source>
        <translation>各実行が出力した数値の推移</translation>
    </message>
    <message>
        <source>Steps a second of the runs over time</source>
        <translation>各実行のステップ毎秒の推移</translation>
    </message>
    <message>
        <source>Bus bandwidth</source>
        <translation>バス帯域</translation>
    </message>
    <message>
        <source>of the operation that moves the most</source>
        <translation>転送量が最も多い操作</translation>
    </message>
    <message>
        <source>Bus bandwidth of the runs over time</source>
        <translation>各実行のバス帯域の推移</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ContainerSection</name>
    <message>
        <source>the first that is found there</source>
        <translation>実行先で最初に見つかったもの</translation>
    </message>
    <message>
        <source>the first that is found</source>
        <translation>最初に見つかったもの</translation>
    </message>
    <message>
        <source>the first that is found: %1</source>
        <translation>最初に見つかったもの: %1</translation>
    </message>
    <message>
        <source>%1 (not here)</source>
        <translation>%1 (このマシンにはありません)</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>コンテナ</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>イメージ</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>エンジン</translation>
    </message>
    <message>
        <source>Mounts</source>
        <translation>マウント</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>More for the engine</source>
        <translation>エンジンの追加引数</translation>
    </message>
    <message>
        <source>none: the workers run as they are</source>
        <translation>なし: コンテナを使わずに実行</translation>
    </message>
    <message>
        <source>as the first role: %1</source>
        <translation>最初のロールと同じ: %1</translation>
    </message>
    <message>
        <source>This engine isn&apos;t on this machine. Install one (Debian: podman), or choose another.</source>
        <translation>このエンジンはこのマシンにありません。インストールするか (Debian: podman)、別のエンジンを選んでください。</translation>
    </message>
    <message>
        <source>/data:/data:ro, one a line</source>
        <translation>/data:/data:ro、1 行に 1 つ</translation>
    </message>
    <message>
        <source>Beside the folders of the job and of its logs, which are mounted at the same paths</source>
        <translation>ジョブとログのフォルダは、指定しなくても同じパスにマウントされます</translation>
    </message>
    <message>
        <source>/dev/infiniband, one a line</source>
        <translation>/dev/infiniband、1 行に 1 つ</translation>
    </message>
    <message>
        <source>Beside the GPUs, which come with the job&apos;s</source>
        <translation>ジョブの GPU は指定しなくても渡されます</translation>
    </message>
    <message>
        <source>--shm-size=8g, one a line</source>
        <translation>--shm-size=8g、1 行に 1 つ</translation>
    </message>
    <message>
        <source>The network, the shared memory and the environment are the host&apos;s in any case</source>
        <translation>ネットワーク、共有メモリ、環境変数は常にホストのものを使います</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::DevicePicker</name>
    <message>
        <source>No GPU was found.</source>
        <translation>GPU がありません。</translation>
    </message>
    <message>
        <source>GPU %1: %2, %3 of %4 in use</source>
        <translation>GPU %1: %2、%4 中 %3 を使用中</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>プロセス %1</translation>
    </message>
    <message>
        <source> by %1</source>
        <translation> (%1)</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::DeviceTableModel</name>
    <message>
        <source>At</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>項目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::DevicesPanel</name>
    <message>
        <source>drag to select a span of time</source>
        <translation>ドラッグで時間範囲を選択</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>Show the lines as a table</source>
        <translation>グラフを表で表示</translation>
    </message>
    <message>
        <source>Devices over time; the table has the same content</source>
        <translation>デバイスの推移。同じ内容の表があります</translation>
    </message>
    <message>
        <source>Devices over time as a table</source>
        <translation>デバイスの推移の表</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::DrillDialog</name>
    <message>
        <source>Fire drill</source>
        <translation>障害訓練</translation>
    </message>
    <message>
        <source>Kill (SIGKILL)</source>
        <translation>強制終了 (SIGKILL)</translation>
    </message>
    <message>
        <source>Stop (SIGSTOP, then SIGCONT)</source>
        <translation>停止 (SIGSTOP、その後 SIGCONT)</translation>
    </message>
    <message>
        <source>Slow down to a quarter</source>
        <translation>4 分の 1 に減速</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>For</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>Begin the drill</source>
        <translation>訓練を開始</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Rank %1 is killed now.</source>
        <translation>ランク %1 を今すぐ強制終了します。</translation>
    </message>
    <message>
        <source>Rank %1 stands still for %2 s, and the others wait for it.</source>
        <translation>ランク %1 が %2 秒間止まり、ほかのランクはそれを待ちます。</translation>
    </message>
    <message>
        <source>Rank %1 runs only a quarter of the time for %2 s.</source>
        <translation>ランク %1 は %2 秒間、4 分の 1 の時間しか動きません。</translation>
    </message>
    <message>
        <source>The job has no restarts left, and will end by it.</source>
        <translation>再起動の残りがないため、ジョブはこれで終了します。</translation>
    </message>
    <message numerus="yes">
        <source>That takes one of the %n restarts that are left, and what was done since the last checkpoint.</source>
        <translation>
            <numerusform>残り %n 回の再起動のうち 1 回と、最後のチェックポイント以降の処理が失われます。</numerusform>
        </translation>
    </message>
    <message>
        <source>Kill a host&apos;s agent and workers</source>
        <translation>ホストのエージェントとワーカーを強制終了</translation>
    </message>
    <message>
        <source>Cut a host off from its lead</source>
        <translation>ホストとリードの接続を切断</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>The agent and all workers on %1 are killed now (SIGKILL), as if its power had failed. The job goes on without it, or with its next agent; what was done since the last checkpoint is lost.</source>
        <translation>電源が落ちたときのように、%1 のエージェントとすべてのワーカーを今すぐ強制終了します (SIGKILL)。ジョブはそのホストなしで、または次のエージェントとともに続きます。最後のチェックポイント以降の処理は失われます。</translation>
    </message>
    <message>
        <source>The lead doesn&apos;t reach %1 for %2 s; its workers go on. If that is longer than the job&apos;s node_timeout, the others go on without it.</source>
        <translation>リードは %2 秒間 %1 に到達できません。そのワーカーは動き続けます。ジョブの node_timeout より長い場合、他のホストはそのホストなしで続けます。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EditorHead</name>
    <message>
        <source>New job</source>
        <translation>新しいジョブ</translation>
    </message>
    <message>
        <source>%1 (not saved)</source>
        <translation>%1 (未保存)</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>開く…</translation>
    </message>
    <message>
        <source>Paste torchrun command</source>
        <translation>torchrun コマンドを貼り付け</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Changes apply at the next launch</source>
        <translation>変更は次回の起動から有効になります</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>起動時に戻す</translation>
    </message>
    <message>
        <source>Back to the job as it was launched</source>
        <translation>起動したときのジョブに戻します</translation>
    </message>
    <message>
        <source>It can&apos;t start yet: %1</source>
        <translation>まだ開始できません: %1</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EditorPage</name>
    <message>
        <source>New job</source>
        <translation>新しいジョブ</translation>
    </message>
    <message>
        <source>%1 can&apos;t be opened.</source>
        <translation>%1 を開けません。</translation>
    </message>
    <message>
        <source>This job can&apos;t be read.</source>
        <translation>このジョブを読み取れません。</translation>
    </message>
    <message>
        <source>The job was not started.</source>
        <translation>ジョブを開始しませんでした。</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>%1 行 %2 列: %3</translation>
    </message>
    <message>
        <source>Save the job</source>
        <translation>ジョブを保存</translation>
    </message>
    <message>
        <source>Jobs (*.ringjob)</source>
        <translation>ジョブ (*.ringjob)</translation>
    </message>
    <message>
        <source>The job was not saved.</source>
        <translation>ジョブを保存できませんでした。</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>%1 に保存しました</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>ジョブ</translation>
    </message>
    <message>
        <source>Another job is in the form now</source>
        <translation>フォームの内容を別のジョブに入れ替えました</translation>
    </message>
    <message>
        <source>Save the job?</source>
        <translation>ジョブを保存しますか?</translation>
    </message>
    <message>
        <source>The job in the editor isn&apos;t saved.</source>
        <translation>エディターのジョブが保存されていません。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ElsewhereCard</name>
    <message>
        <source>Running elsewhere on this machine</source>
        <translation>このマシンの他のジョブ</translation>
    </message>
    <message>
        <source>started by something else; nothing is done to them</source>
        <translation>他のプログラムが起動したもの。見るだけで、何も変更しません</translation>
    </message>
    <message>
        <source>Look at its stacks</source>
        <translation>スタックを見る</translation>
    </message>
    <message>
        <source>Where each rank stands, and who differs; the job isn&apos;t stopped</source>
        <translation>各ランクの現在位置と、他と異なるランクを調べます。ジョブは止まりません</translation>
    </message>
    <message>
        <source>Jobs that something else started</source>
        <translation>他のプログラムが起動したジョブ</translation>
    </message>
    <message>
        <source>Running elsewhere on %1</source>
        <translation>%1 の他のジョブ</translation>
    </message>
    <message>
        <source>as they were: %1 isn&apos;t reached now</source>
        <translation>%1 に接続できません。表示は最後に確認できた状態です</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EnvironmentModel</name>
    <message>
        <source>chosen at start</source>
        <translation>開始時に決定</translation>
    </message>
    <message>
        <source>inherited</source>
        <translation>継承</translation>
    </message>
    <message>
        <source>this job</source>
        <translation>このジョブ</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>変数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>設定元</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EnvironmentPanel</name>
    <message>
        <source>Every worker gets</source>
        <translation>各ワーカーが受け取るもの</translation>
    </message>
    <message>
        <source>rank </source>
        <translation>ランク </translation>
    </message>
    <message>
        <source>Rank whose environment is shown</source>
        <translation>環境変数を表示するランク</translation>
    </message>
    <message>
        <source>Inherited too</source>
        <translation>継承分も表示</translation>
    </message>
    <message>
        <source>Also show what the workers inherit from this program&apos;s environment</source>
        <translation>ワーカーがこのプログラムの環境から継承するものも表示します</translation>
    </message>
    <message>
        <source>Environment of a rank</source>
        <translation>ランクの環境変数</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EventTableModel</name>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>What</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>イベント</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EventsPanel</name>
    <message numerus="yes">
        <source>the last %n events; older ones are in the run&apos;s file</source>
        <translation>
            <numerusform>最新の %n 件 (以前のイベントは実行ファイルにあります)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events</source>
        <translation>
            <numerusform>%n 件</numerusform>
        </translation>
    </message>
    <message>
        <source>Events</source>
        <translation>イベント</translation>
    </message>
    <message>
        <source>Events of the run</source>
        <translation>この実行のイベント</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n events</source>
        <translation>
            <numerusform>%n 件中 %1 件のイベント</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EvidenceModel</name>
    <message>
        <source>Ranks and calls</source>
        <translation>ランクと呼び出し</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>場所</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1</source>
        <translation>
            <numerusform>ランク %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>スタック</translation>
    </message>
    <message>
        <source>read by %1</source>
        <translation>%1 で読み取り</translation>
    </message>
    <message>
        <source>with C code, read by %1</source>
        <translation>C コードも含む、%1 で読み取り</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>%1 の中</translation>
    </message>
    <message>
        <source>in %1 on %2</source>
        <translation>%1 の中（%2）</translation>
    </message>
    <message>
        <source>in the kernel: %1</source>
        <translation>カーネル内：%1</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>プロセス</translation>
    </message>
    <message>
        <source>A thread</source>
        <translation>スレッド</translation>
    </message>
    <message>
        <source>%1; holds the GIL</source>
        <translation>%1、GIL を保持</translation>
    </message>
    <message numerus="yes">
        <source>… %n calls are left out</source>
        <translation>
            <numerusform>… %n 個の呼び出しを省略</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::EvidencePanel</name>
    <message>
        <source>Evidence</source>
        <translation>根拠</translation>
    </message>
    <message>
        <source>Show stacks</source>
        <translation>スタックを表示</translation>
    </message>
    <message>
        <source>Take where each rank stands now, without stopping it</source>
        <translation>各ランクが今どこにいるかを、止めずに取得します</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy all of it as text</source>
        <translation>すべてをテキストとしてコピーします</translation>
    </message>
    <message>
        <source>When the stacks were taken</source>
        <translation>スタックを取得した時点</translation>
    </message>
    <message>
        <source>Where the ranks stood, equal stacks once</source>
        <translation>ランクがいた場所（同じスタックは一つにまとめます）</translation>
    </message>
    <message>
        <source>No stacks yet</source>
        <translation>スタックはまだありません</translation>
    </message>
    <message>
        <source>Before ranks are ended that have waited for more than 3 s, it is kept where each of them stands.</source>
        <translation>3 秒より長く待ったランクを終了させる前に、それぞれがどこにいるかが残されます。</translation>
    </message>
    <message>
        <source>No rank is running now.</source>
        <translation>今動いているランクはありません。</translation>
    </message>
    <message>
        <source>Attempt %1</source>
        <translation>試行 %1</translation>
    </message>
    <message>
        <source>%1, %2: as you asked</source>
        <translation>%1、%2：あなたの求めによる</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1、%2：%3</translation>
    </message>
    <message>
        <source>It was too much: a part is left out.</source>
        <translation>多すぎるため、一部を省略しました。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::FailureSection</name>
    <message>
        <source>When a worker fails</source>
        <translation>ワーカーが失敗したとき</translation>
    </message>
    <message>
        <source>Restart at most</source>
        <translation>再起動の上限</translation>
    </message>
    <message>
        <source>Wait before it</source>
        <translation>再起動前の待ち時間</translation>
    </message>
    <message>
        <source>Only after</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Grace to stop</source>
        <translation>停止の猶予</translation>
    </message>
    <message>
        <source>times; the whole group restarts, since its process group is dead</source>
        <translation>回。プロセスグループが使えなくなるため、グループ全体を再起動します</translation>
    </message>
    <message>
        <source>then twice as long each time; 0: at once</source>
        <translation>以後は毎回 2 倍。0 ならすぐに</translation>
    </message>
    <message>
        <source>of healthy running; an attempt that failed sooner isn&apos;t repeated; 0: always</source>
        <translation>以上正常に動いた後だけ。それより早い失敗は繰り返しません。0 なら常に</translation>
    </message>
    <message>
        <source>between SIGTERM and SIGKILL, for a checkpoint</source>
        <translation>SIGTERM と SIGKILL の間 (チェックポイントの保存用)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Only if it printed</source>
        <translation>出力に含むときだけ</translation>
    </message>
    <message>
        <source>Not if it printed</source>
        <translation>出力に含むときは除外</translation>
    </message>
    <message>
        <source>An expression (RE2) for the last 64 KiB that the failed rank printed; empty: whatever it printed</source>
        <translation>失敗したランクの最後の出力 64 KiB に対する正規表現 (RE2)。空欄なら出力を問いません</translation>
    </message>
    <message>
        <source>Leave a host out after</source>
        <translation>ホストを外すまで</translation>
    </message>
    <message>
        <source>never</source>
        <translation>外さない</translation>
    </message>
    <message>
        <source>failures that began on it, if the others are enough</source>
        <translation>回の失敗（そのホストから始まったもの）。残りのホストで足りる場合</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::FaultPredictor</name>
    <message>
        <source>As you said, both times.</source>
        <translation>二つとも予想どおりです。</translation>
    </message>
    <message>
        <source>One of your two predictions was right.</source>
        <translation>二つの予想のうち、一つが当たりました。</translation>
    </message>
    <message>
        <source>Neither was as you said.</source>
        <translation>二つとも予想とは違いました。</translation>
    </message>
    <message>
        <source>✓ %1</source>
        <translation>✓ %1</translation>
    </message>
    <message>
        <source>✗ %1 You said: %2</source>
        <translation>✗ %1 あなたの予想：%2</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::FaultQuestion</name>
    <message>
        <source>Predict</source>
        <translation>予想</translation>
    </message>
    <message>
        <source>%1, on rank %2</source>
        <translation>ランク %2：%1</translation>
    </message>
    <message>
        <source>What will come of it?</source>
        <translation>どうなるでしょうか。</translation>
    </message>
    <message>
        <source>Who will say that it was rank %1?</source>
        <translation>ランク %1 が原因だと示すのは誰でしょうか。</translation>
    </message>
    <message>
        <source>Break it and see</source>
        <translation>起こして確かめる</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::FoldedBar</name>
    <message>
        <source>Unfold %1</source>
        <translation>%1を元に戻す</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ForeignJobDialog</name>
    <message>
        <source>Ended</source>
        <comment>a rank</comment>
        <translation>終了</translation>
    </message>
    <message>
        <source>Looking at its ranks twice, some seconds apart…</source>
        <translation>数秒の間隔で 2 回、ランクを調べています…</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>End the job?</source>
        <translation>ジョブを終了しますか？</translation>
    </message>
    <message>
        <source>End %1?</source>
        <translation>%1 を終了しますか？</translation>
    </message>
    <message numerus="yes">
        <source>Something else started this job. Process %1 gets SIGTERM; what its ranks did since their last checkpoint is lost, and this can&apos;t be undone.</source>
        <translation>
            <numerusform>このジョブは他のプログラムが起動したものです。プロセス %1 に SIGTERM を送ります。最後のチェックポイント以降の処理は失われ、元に戻せません。</numerusform>
        </translation>
    </message>
    <message>
        <source>End it</source>
        <translation>終了する</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>実行を続ける</translation>
    </message>
    <message>
        <source>It was asked to end.</source>
        <translation>終了を要求しました。</translation>
    </message>
    <message>
        <source>of %1</source>
        <comment>a user</comment>
        <translation>ユーザー %1</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>%1 から</translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation>
            <numerusform>再起動 %n 回</numerusform>
        </translation>
    </message>
    <message>
        <source>store %1</source>
        <translation>ストア %1</translation>
    </message>
    <message>
        <source>has ended</source>
        <translation>終了しました</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>プロセス</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>Stands in</source>
        <translation>現在位置</translation>
    </message>
    <message>
        <source>Ranks of the job</source>
        <translation>ジョブのランク</translation>
    </message>
    <message>
        <source>Where the ranks stand, equal stacks once</source>
        <translation>ランクの現在位置（同じスタックは 1 回だけ表示）</translation>
    </message>
    <message>
        <source>End the job…</source>
        <translation>ジョブを終了…</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>すべてコピー</translation>
    </message>
    <message>
        <source>Copy all of it as text</source>
        <translation>すべてをテキストとしてコピーします</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>もう一度見る</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>GPU %1: %2, %3 busy</source>
        <translation>GPU %1：%2、使用率 %3</translation>
    </message>
    <message>
        <source>GPU %1: %2</source>
        <translation>GPU %1：%2</translation>
    </message>
    <message numerus="yes">
        <source>Something else started this job on %2. Process %1 gets SIGTERM there; what its ranks did since their last checkpoint is lost, and this can&apos;t be undone.</source>
        <translation>
            <numerusform>このジョブは %2 で他のプログラムが起動したものです。%2 のプロセス %1 に SIGTERM を送ります。最後のチェックポイント以降の処理は失われ、元に戻せません。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ForeignJobModel</name>
    <message>
        <source>%1 of %2</source>
        <comment>ranks here, of all</comment>
        <translation>%2 のうち %1</translation>
    </message>
    <message>
        <source>Loading</source>
        <comment>a rank</comment>
        <translation>読み込み中</translation>
    </message>
    <message>
        <source>Running</source>
        <comment>a rank</comment>
        <translation>実行中</translation>
    </message>
    <message>
        <source>Stopped</source>
        <comment>a rank</comment>
        <translation>停止中</translation>
    </message>
    <message>
        <source>%1, process %2</source>
        <translation>%1（プロセス %2）</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>ジョブ</translation>
    </message>
    <message>
        <source>%1, of %2</source>
        <comment>job, user</comment>
        <translation>%1（ユーザー %2）</translation>
    </message>
    <message>
        <source>Started by</source>
        <translation>起動元</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>ランク数</translation>
    </message>
    <message>
        <source>Of all ranks; 100 % is one core</source>
        <translation>全ランクの合計。100% が 1 コア分です</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::FormSection</name>
    <message>
        <source>changed</source>
        <comment>a part of a job&apos;s form</comment>
        <translation>変更あり</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HistoryHead</name>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>Search finished runs</source>
        <translation>終了した実行を検索</translation>
    </message>
    <message>
        <source>Filter finished runs by what they were for</source>
        <translation>終了した実行を目的で絞り込む</translation>
    </message>
    <message>
        <source>Jobs, lessons and sweeps</source>
        <translation>すべての種類</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>ジョブ</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>レッスン</translation>
    </message>
    <message>
        <source>Sweeps</source>
        <translation>スイープ</translation>
    </message>
    <message>
        <source>Filter finished runs by how they ended</source>
        <translation>終了した実行を終わり方で絞り込む</translation>
    </message>
    <message>
        <source>however they ended</source>
        <translation>終わり方を問わない</translation>
    </message>
    <message>
        <source>Filter finished runs by a tag</source>
        <translation>終了した実行をタグで絞り込む</translation>
    </message>
    <message>
        <source>any tag</source>
        <translation>タグを問わない</translation>
    </message>
    <message>
        <source>Name, #tag, note, cause</source>
        <translation>名前、#タグ、原因</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HistoryModel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>ジョブ</translation>
    </message>
    <message>
        <source>Ended as</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>長さ</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>ランク数</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>保持</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>タグ</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>メモ</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HistoryPage</name>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message numerus="yes">
        <source>%n runs, %1</source>
        <translation>
            <numerusform>%n 件、%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Finished runs</source>
        <translation>終了した実行</translation>
    </message>
    <message>
        <source>Open run file…</source>
        <translation>実行ファイルを開く…</translation>
    </message>
    <message>
        <source>No finished runs yet</source>
        <translation>終了した実行はまだありません</translation>
    </message>
    <message>
        <source>A run stays here when it ends, with its logs and events, until 50 newer ones or 10 GB need its place; a pinned one stays for good.</source>
        <translation>終了した実行は、ログとイベントとともにここに残ります。新しい実行が 50 件、または合計 10 GB を超えると古いものから消えます。固定した実行は消えません。</translation>
    </message>
    <message>
        <source>Close the window?</source>
        <translation>ウィンドウを閉じますか？</translation>
    </message>
    <message>
        <source>An export isn&apos;t finished yet.</source>
        <translation>書き出しがまだ終わっていません。</translation>
    </message>
    <message>
        <source>If the window closes, it is given up, and no file is left of it.</source>
        <translation>ウィンドウを閉じると書き出しは中止され、ファイルは残りません。</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>ウィンドウを閉じる</translation>
    </message>
    <message>
        <source>Keep exporting</source>
        <translation>書き出しを続ける</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostCharts</name>
    <message>
        <source>What they are doing</source>
        <translation>ホストの使用状況</translation>
    </message>
    <message>
        <source>while this page is looked at</source>
        <translation>このページを表示している間の値</translation>
    </message>
    <message>
        <source>Hosts over time</source>
        <translation>ホストの使用状況の推移</translation>
    </message>
    <message>
        <source>Hosts over time, as a table</source>
        <translation>ホストの使用状況の推移（表）</translation>
    </message>
    <message>
        <source>Show what was measured as a table</source>
        <translation>測定値を表で表示します</translation>
    </message>
    <message>
        <source>Processors in use</source>
        <translation>CPU 使用率</translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation>メモリ使用率</translation>
    </message>
    <message>
        <source>GPU memory in use</source>
        <translation>GPU メモリ使用率</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>まだ測定していません</translation>
    </message>
    <message>
        <source>Check all asks every host what it has; those that answer are asked again every 15 seconds, as long as this page is looked at.</source>
        <translation>「すべて確認」で、各ホストに何があるかを問い合わせます。応答したホストには、このページを表示している間、15 秒ごとに再び問い合わせます。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostDetails</name>
    <message>
        <source>Trouble</source>
        <translation>問題</translation>
    </message>
    <message>
        <source>Address for other hosts</source>
        <translation>他のホストから見たアドレス</translation>
    </message>
    <message>
        <source>Interface</source>
        <translation>インターフェース</translation>
    </message>
    <message>
        <source>Code in</source>
        <translation>コードの場所</translation>
    </message>
    <message>
        <source>%1: %2 of %3 in use</source>
        <translation>%1：%3 のうち %2 を使用中</translation>
    </message>
    <message>
        <source>No GPUs because</source>
        <translation>GPU がない理由</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>プロセッサ</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>往復時間</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostDialog</name>
    <message>
        <source>Add a host</source>
        <translation>ホストの追加</translation>
    </message>
    <message>
        <source>Edit a host</source>
        <translation>ホストの編集</translation>
    </message>
    <message>
        <source>as many as the job says</source>
        <translation>ジョブの指定どおり</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>as in ~/.ssh/config, or user@host</source>
        <translation>~/.ssh/config にある名前、または user@host</translation>
    </message>
    <message>
        <source>Name given to ssh</source>
        <translation>ssh に渡す名前</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>名前と同じ</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>スロット</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>lab, gpu</source>
        <translation>lab, gpu</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>インタープリター</translation>
    </message>
    <message>
        <source>the active one there</source>
        <translation>そのホストで有効なもの</translation>
    </message>
    <message>
        <source>Folder with the program</source>
        <translation>プログラムのあるフォルダー</translation>
    </message>
    <message>
        <source>the same path as here</source>
        <translation>このマシンと同じパス</translation>
    </message>
    <message>
        <source>Network interface</source>
        <translation>ネットワークインターフェース</translation>
    </message>
    <message>
        <source>the one that ssh comes in by</source>
        <translation>ssh が接続してくるもの</translation>
    </message>
    <message>
        <source>Address for other hosts</source>
        <translation>他のホストから見たアドレス</translation>
    </message>
    <message>
        <source>found out</source>
        <translation>自動で判別</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>NAME=VALUE, one a line</source>
        <translation>NAME=VALUE を 1 行に 1 つ</translation>
    </message>
    <message>
        <source>it is there: a shared folder, or copied by hand</source>
        <translation>すでにある: 共有フォルダ、または手動でコピー</translation>
    </message>
    <message>
        <source>copied before each launch, with rsync</source>
        <translation>起動のたびに rsync でコピー</translation>
    </message>
    <message>
        <source>Patterns as rsync takes them. What is there and not here stays there.</source>
        <translation>rsync のパターンで指定します。相手側にだけあるファイルは消えません。</translation>
    </message>
    <message>
        <source>How it gets there</source>
        <translation>届け方</translation>
    </message>
    <message>
        <source>Not copied</source>
        <translation>コピーしないもの</translation>
    </message>
    <message>
        <source>data/, one a line</source>
        <translation>data/（1 行に 1 つ）</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>There is a host of this name already; edit that one, or choose another name.</source>
        <translation>同じ名前のホストがすでにあります。そのホストを編集するか、別の名前にしてください。</translation>
    </message>
    <message numerus="yes">
        <source>%n lines of the environment aren&apos;t NAME=VALUE.</source>
        <translation>
            <numerusform>環境変数の %n 行が NAME=VALUE の形になっていません。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostListModel</name>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>スロット</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>コア</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>負荷</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>エージェント</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>時計</translation>
    </message>
    <message>
        <source>Its jobs</source>
        <translation>ジョブ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostPicker</name>
    <message>
        <source>this machine</source>
        <translation>このマシン</translation>
    </message>
    <message>
        <source>all of %1</source>
        <translation>%1 のすべて</translation>
    </message>
    <message>
        <source>Other machines are added on the Hosts page</source>
        <translation>ほかのマシンは「ホスト」ページで追加できます</translation>
    </message>
    <message numerus="yes">
        <source>%n hosts</source>
        <comment>between which is measured</comment>
        <translation>
            <numerusform>%n 台のホスト</numerusform>
        </translation>
    </message>
    <message>
        <source>Where the workers run: here, or on hosts over ssh</source>
        <translation>ワーカーの実行場所（このマシン、または ssh 経由のホスト）</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostSampleModel</name>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>負荷</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU メモリ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostStrip</name>
    <message>
        <source>Hosts of this job</source>
        <translation>このジョブのホスト</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostTileDelegate</name>
    <message>
        <source>slots: %1</source>
        <translation>スロット: %1</translation>
    </message>
    <message>
        <source>%1 cores, load %2</source>
        <translation>%1 コア、負荷 %2</translation>
    </message>
    <message>
        <source>jobs: %1</source>
        <translation>ジョブ: %1</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostsCard</name>
    <message>
        <source>Hosts that jobs can run on</source>
        <translation>ジョブを実行できるホスト</translation>
    </message>
    <message>
        <source>Show the hosts as a table</source>
        <translation>ホストを表で表示します</translation>
    </message>
    <message>
        <source>Hosts as tiles</source>
        <translation>ホストのタイル</translation>
    </message>
    <message>
        <source>Hosts as a table</source>
        <translation>ホストの表</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>確認</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>編集…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>%1 of %2 have answered</source>
        <translation>%2 台中 %1 台が応答しました</translation>
    </message>
    <message numerus="yes">
        <source>%n hosts, none asked yet</source>
        <translation>
            <numerusform>%n 台、まだ確認していません</numerusform>
        </translation>
    </message>
    <message>
        <source>The jobs of this machine are shown anyway.</source>
        <translation>このマシンのジョブはいつも表示されています。</translation>
    </message>
    <message>
        <source>Shows the jobs that run there among those of this machine, as long as the window is open; ssh is all that it needs</source>
        <translation>ウィンドウを開いている間、そのホストで動くジョブをこのマシンのジョブと一緒に表示します。必要なのは ssh だけです</translation>
    </message>
    <message>
        <source>Show its jobs</source>
        <translation>ジョブを表示</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostsPage</name>
    <message>
        <source>Import from ~/.ssh/config…</source>
        <translation>~/.ssh/config から取り込む…</translation>
    </message>
    <message>
        <source>Add host…</source>
        <translation>ホストを追加…</translation>
    </message>
    <message>
        <source>Check all</source>
        <translation>すべて確認</translation>
    </message>
    <message>
        <source>Asks every host what it has; the first time, Ringmaster&apos;s agent is copied there</source>
        <translation>各ホストに何があるかを調べます。初回は Ringmaster のエージェントがコピーされます</translation>
    </message>
    <message>
        <source>No hosts yet</source>
        <translation>ホストはまだありません</translation>
    </message>
    <message>
        <source>Jobs can run on other machines that you reach with ssh, without a password. Nothing needs to be installed there but Python and torch: Ringmaster copies its agent when it is needed.</source>
        <translation>パスワードなしの ssh で接続できる他のマシンでもジョブを実行できます。必要なのは Python と torch だけです。エージェントは必要になったときに Ringmaster がコピーします。</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>The hosts can&apos;t be read or changed.</source>
        <translation>ホストの一覧を読み書きできません。</translation>
    </message>
    <message numerus="yes">
        <source>%n hosts removed</source>
        <translation>
            <numerusform>%n 台のホストを削除しました</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::HostsPlace</name>
    <message>
        <source>Hosts over ssh</source>
        <translation>ssh で接続するホスト</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>このマシン</translation>
    </message>
    <message>
        <source>all of this group</source>
        <translation>このグループのすべて</translation>
    </message>
    <message numerus="yes">
        <source>%n slots</source>
        <translation>
            <numerusform>スロット %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>gpu1, gpu2:4, @lab</source>
        <translation>gpu1, gpu2:4, @lab</translation>
    </message>
    <message>
        <source>Hosts to choose from</source>
        <translation>選択できるホスト</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>ワーカー</translation>
    </message>
    <message>
        <source>Preflight</source>
        <translation>事前確認</translation>
    </message>
    <message>
        <source>Asks every host for what this job needs, and every pair whether each reaches the other</source>
        <translation>このジョブに必要なものが各ホストにあるか、どの 2 台も互いに到達できるかを調べます</translation>
    </message>
    <message>
        <source>In the order of the ranks. The program is at the same path on each, unless the host says otherwise. This computer leads the job, so it has to stay on and connected; a job that runs on one machine by itself lives on without it.</source>
        <translation>ランクの順に並べます。プログラムは、ホスト側で指定がなければ、どのホストでも同じパスにあるものとします。ジョブはこのコンピューターが取りまとめるので、電源と接続を保っておく必要があります。1 台のマシンで単独実行するジョブは、このコンピューターがなくても動き続けます。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ImportDialog</name>
    <message>
        <source>Reading ~/.ssh/config…</source>
        <translation>~/.ssh/config を読み込んでいます…</translation>
    </message>
    <message>
        <source>Import from ~/.ssh/config</source>
        <translation>~/.ssh/config から取り込む</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>取り込む</translation>
    </message>
    <message>
        <source>Hosts of ~/.ssh/config</source>
        <translation>~/.ssh/config のホスト</translation>
    </message>
    <message>
        <source>lab, gpu</source>
        <translation>lab, gpu</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>as many as the job says</source>
        <translation>ジョブの指定どおり</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>スロット</translation>
    </message>
    <message>
        <source>There is no host in ~/.ssh/config that isn&apos;t in the list already. Patterns such as *.lab stand for no single host.</source>
        <translation>~/.ssh/config には、まだ一覧にないホストはありません。*.lab のようなパターンは 1 台のホストを表さないため対象外です。</translation>
    </message>
    <message>
        <source>Choose the hosts that jobs may run on:</source>
        <translation>ジョブを実行してよいホストを選んでください:</translation>
    </message>
    <message numerus="yes">
        <source>Import %n hosts</source>
        <translation>
            <numerusform>%n 台を取り込む</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobActions</name>
    <message>
        <source>Stop now</source>
        <translation>今すぐ停止</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Kill the workers without waiting for them</source>
        <translation>待たずにワーカーを強制終了します</translation>
    </message>
    <message>
        <source>End the workers: SIGTERM, then SIGKILL after the grace time</source>
        <translation>ワーカーに SIGTERM を送り、猶予時間の後に SIGKILL で終了させます</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>Stop and start the worker group; not charged to the restart budget</source>
        <translation>ワーカーグループを停止して起動し直します (再起動回数には数えません)</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>もう一度実行</translation>
    </message>
    <message>
        <source>Start the same job anew</source>
        <translation>同じジョブを新しく開始します</translation>
    </message>
    <message>
        <source>Edit a copy</source>
        <translation>複製を編集</translation>
    </message>
    <message>
        <source>Open this job in the editor</source>
        <translation>このジョブをエディターで開きます</translation>
    </message>
    <message>
        <source>Open logs</source>
        <translation>ログを開く</translation>
    </message>
    <message>
        <source>Open the folder of the log files</source>
        <translation>ログファイルのフォルダーを開きます</translation>
    </message>
    <message>
        <source>Copy torchrun command</source>
        <translation>torchrun コマンドをコピー</translation>
    </message>
    <message>
        <source>Choose no worker</source>
        <translation>ワーカーの選択を解除</translation>
    </message>
    <message>
        <source>Signal rank %1</source>
        <translation>ランク %1 にシグナル</translation>
    </message>
    <message>
        <source>Signal</source>
        <translation>シグナル</translation>
    </message>
    <message>
        <source>Send a signal to the chosen worker</source>
        <translation>選択したワーカーにシグナルを送ります</translation>
    </message>
    <message>
        <source>Choose a worker first</source>
        <translation>先にワーカーを選択してください</translation>
    </message>
    <message>
        <source>Show stacks</source>
        <translation>スタックを表示</translation>
    </message>
    <message>
        <source>Show where each rank stands now, without stopping it</source>
        <translation>各ランクが今どこにいるかを、止めずに表示します</translation>
    </message>
    <message>
        <source>The log files are on %1</source>
        <translation>ログファイルは %1 にあります</translation>
    </message>
    <message>
        <source>Make a lesson of it…</source>
        <translation>レッスンにする…</translation>
    </message>
    <message>
        <source>Write what was recorded of this, and a question about it, into a file that Learn opens without the program</source>
        <translation>この記録と質問を 1 つのファイルに書き出します。プログラムがなくても「学ぶ」で開けます</translation>
    </message>
    <message>
        <source>Start the same job anew on %1, with the program as it is there</source>
        <translation>同じジョブを %1 で、そこにあるプログラムのまま、あらためて起動します</translation>
    </message>
    <message>
        <source>Its files are on %1</source>
        <translation>ファイルは %1 にあります</translation>
    </message>
    <message>
        <source>The files that it was read from don&apos;t say how it was started</source>
        <translation>読み込んだファイルには、どのように起動したかが書かれていません</translation>
    </message>
    <message>
        <source>Fire drill…</source>
        <translation>障害訓練…</translation>
    </message>
    <message>
        <source>Forward a port…</source>
        <translation>ポートを転送…</translation>
    </message>
    <message>
        <source>Reach what the job serves on a port, such as TensorBoard, at 127.0.0.1 here</source>
        <translation>ジョブがポートで提供しているもの（TensorBoard など）に、このマシンの 127.0.0.1 からアクセスします</translation>
    </message>
    <message>
        <source>Kill, stop or slow down a rank, or kill a host or cut it off, and see how the job comes back</source>
        <translation>ランクの強制終了・停止・減速、またはホストの強制終了・切り離しを行い、ジョブが復帰する様子を確かめます</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobAlerts</name>
    <message>
        <source>The command for alerts failed: %1</source>
        <translation>アラートのコマンドが失敗しました: %1</translation>
    </message>
    <message>
        <source>A job</source>
        <translation>ジョブ</translation>
    </message>
    <message>
        <source>This is how Ringmaster tells you of it.</source>
        <translation>Ringmaster はこのようにお知らせします。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobBanner</name>
    <message>
        <source>Continue rank %1</source>
        <translation>ランク %1 を再開</translation>
    </message>
    <message>
        <source>It is stopped: send it SIGCONT</source>
        <translation>停止しています: SIGCONT を送ります</translation>
    </message>
    <message>
        <source>This run can&apos;t be read.</source>
        <translation>この実行は読み取れません。</translation>
    </message>
    <message>
        <source>The job is being stopped.</source>
        <translation>ジョブを停止しています。</translation>
    </message>
    <message>
        <source>The agent is gone.</source>
        <translation>エージェントがいなくなりました。</translation>
    </message>
    <message>
        <source>It ended without saying how the run ended.</source>
        <translation>実行の結果を残さずに終了しました。</translation>
    </message>
    <message>
        <source>The job failed.</source>
        <translation>ジョブが失敗しました。</translation>
    </message>
    <message>
        <source>Stopped by you.</source>
        <translation>ユーザーが停止しました。</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 ended because of it.</source>
        <translation>
            <numerusform>その影響でランク %1 も終了しました。</numerusform>
        </translation>
    </message>
    <message>
        <source>First cause.</source>
        <translation>最初の原因。</translation>
    </message>
    <message>
        <source>Not sure which rank failed first: %1.</source>
        <translation>最初に失敗したランクは特定できません: %1。</translation>
    </message>
    <message>
        <source>Restarted after attempt %1.</source>
        <translation>試行 %1 の後に再起動しました。</translation>
    </message>
    <message>
        <source>Starting; no trouble seen so far.</source>
        <translation>開始中です。これまでに問題は見つかっていません。</translation>
    </message>
    <message>
        <source>The group is being restarted.</source>
        <translation>グループを再起動しています。</translation>
    </message>
    <message>
        <source>No trouble seen.</source>
        <translation>問題は見つかっていません。</translation>
    </message>
    <message>
        <source>Finished; every rank ended well.</source>
        <translation>完了しました。すべてのランクが正常に終了しました。</translation>
    </message>
    <message>
        <source>Opened from files.</source>
        <translation>ファイルから開きました。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobForm</name>
    <message>
        <source>role: %1</source>
        <translation>ロール: %1</translation>
    </message>
    <message>
        <source>Role that is shown</source>
        <translation>表示するロール</translation>
    </message>
    <message>
        <source>+ Role</source>
        <translation>+ ロール</translation>
    </message>
    <message>
        <source>Another kind of worker with a program, arguments and a number of its own</source>
        <translation>プログラム・引数・個数を別に持つワーカーの種類を追加します</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Remove this role</source>
        <translation>このロールを削除します</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobHeader</name>
    <message>
        <source>attempt %1</source>
        <translation>試行 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n restarts used</source>
        <translation>
            <numerusform>再起動 %1/%n 回</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n hosts</source>
        <translation>
            <numerusform>%1 (ホスト %n 台)</numerusform>
        </translation>
    </message>
    <message>
        <source>▲ %1 isn&apos;t reached: as last seen</source>
        <translation>▲ %1 に接続できません。最後に確認した状態です</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>%1 で実行</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobNameDelegate</name>
    <message>
        <source>on %1</source>
        <translation>%1 で実行</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobPage</name>
    <message>
        <source>Killing the workers</source>
        <translation>ワーカーを強制終了しています</translation>
    </message>
    <message>
        <source>Stopping the job</source>
        <translation>ジョブを停止しています</translation>
    </message>
    <message>
        <source>Restarting the worker group</source>
        <translation>ワーカーグループを再起動しています</translation>
    </message>
    <message>
        <source>Sent %1 to rank %2</source>
        <translation>%1 をランク %2 に送りました</translation>
    </message>
    <message>
        <source>Continuing rank %1</source>
        <translation>ランク %1 を再開しています</translation>
    </message>
    <message>
        <source>Copied the torchrun command</source>
        <translation>torchrun コマンドをコピーしました</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>health, job</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>The fire drill begins; its result will be told here</source>
        <translation>障害訓練を開始しました。結果はここに表示されます</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobPorts</name>
    <message>
        <source>No rank runs now: nobody can say which host is meant.</source>
        <translation>実行中のランクがないため、どのホストのポートか決められません。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobStarter</name>
    <message>
        <source>No job has run yet.</source>
        <translation>まだ実行されたジョブはありません。</translation>
    </message>
    <message>
        <source>Called off. Whether the job had been started isn&apos;t known: if it was, it appears among those of %1.</source>
        <translation>取りやめました。ジョブがすでに起動していたかどうかは分かりません。起動していれば、%1 のジョブの中に現れます。</translation>
    </message>
    <message>
        <source>Called off: no job was started on %1.</source>
        <translation>取りやめました。%1 ではジョブは起動していません。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobsList</name>
    <message numerus="yes">
        <source>%n jobs</source>
        <translation>
            <numerusform>%n 件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n jobs shown</source>
        <translation>
            <numerusform>%n 件中 %1 件を表示</numerusform>
        </translation>
    </message>
    <message>
        <source>Lessons and sweeps (%1) %2</source>
        <translation>レッスンとスイープ（%1）%2</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>ジョブ</translation>
    </message>
    <message>
        <source>Running and recent</source>
        <translation>実行中と最近のジョブ</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>名前で絞り込み</translation>
    </message>
    <message>
        <source>Filter jobs by name</source>
        <translation>ジョブを名前で絞り込む</translation>
    </message>
    <message>
        <source>Running and recent jobs</source>
        <translation>実行中と最近のジョブ</translation>
    </message>
    <message>
        <source>Lessons and sweeps</source>
        <translation>レッスンとスイープ</translation>
    </message>
    <message>
        <source>New job</source>
        <translation>新しいジョブ</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>開く…</translation>
    </message>
    <message>
        <source>No job matches</source>
        <translation>一致するジョブがありません</translation>
    </message>
    <message>
        <source>Change the filter to see the jobs.</source>
        <translation>フィルターを変えるとジョブが表示されます。</translation>
    </message>
    <message>
        <source>Run the 4-rank example</source>
        <translation>4 ランクの例を実行</translation>
    </message>
    <message>
        <source>No jobs yet</source>
        <translation>ジョブはまだありません</translation>
    </message>
    <message>
        <source>Jobs that you start here or with “ringmaster run” in a terminal appear here, with their workers, logs and restarts.</source>
        <translation>ここで、または端末の「ringmaster run」で開始したジョブが、ワーカー・ログ・再起動とともに表示されます。</translation>
    </message>
    <message>
        <source>Lessons and sweeps are listed below.</source>
        <translation>レッスンとスイープは下に表示されます。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::JobsPage</name>
    <message>
        <source>Jobs</source>
        <translation>ジョブ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LabelsDialog</name>
    <message>
        <source>Name, tags and note</source>
        <translation>名前・タグ・メモ</translation>
    </message>
    <message>
        <source>with commas between them</source>
        <translation>コンマで区切る</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>タグ</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>メモ</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LaneView</name>
    <message>
        <source>The ranks over time; the table of steps has the same times</source>
        <translation>時間軸に並べたランク。ステップの表に同じ時刻があります</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>computes or is held</source>
        <translation>計算中または停止中</translation>
    </message>
    <message>
        <source>in an operation</source>
        <translation>通信操作中</translation>
    </message>
    <message>
        <source>waits for others</source>
        <translation>ほかのランクを待機中</translation>
    </message>
    <message>
        <source>outside of operations</source>
        <translation>操作の外</translation>
    </message>
    <message>
        <source>computes</source>
        <translation>計算中</translation>
    </message>
    <message>
        <source>held by the reader</source>
        <translation>ゲートで停止中</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>requests under way</source>
        <translation>リクエスト進行中</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2、%3</translation>
    </message>
    <message>
        <source>requests of its own are under way</source>
        <translation>自分のリクエストが進行中です</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>stopped by a signal</source>
        <translation>シグナルで停止中</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LaunchBar</name>
    <message>
        <source>◌ Reaching %1…</source>
        <translation>◌ %1 に接続しています…</translation>
    </message>
    <message>
        <source>◌ Bringing the program to %1…</source>
        <translation>◌ プログラムを %1 へ送っています…</translation>
    </message>
    <message>
        <source>◌ Starting the agent on %1…</source>
        <translation>◌ %1 でエージェントを起動しています…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Call the launch on %1 off</source>
        <translation>%1 での起動を取りやめます</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LearnHead</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>on rank %1</source>
        <translation>ランク %1 で</translation>
    </message>
    <message>
        <source>Open a lesson…</source>
        <translation>レッスンを開く…</translation>
    </message>
    <message>
        <source>Open a recorded run…</source>
        <translation>記録した実行を開く…</translation>
    </message>
    <message>
        <source>Run again in the same order</source>
        <translation>同じ順序でもう一度実行</translation>
    </message>
    <message>
        <source>Save the picture…</source>
        <translation>図を保存…</translation>
    </message>
    <message>
        <source>Full screen with large type (F11)</source>
        <translation>大きな文字で全画面表示（F11）</translation>
    </message>
    <message>
        <source>Lesson to learn</source>
        <translation>学ぶレッスン</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>ランク数</translation>
    </message>
    <message>
        <source>Ranks: </source>
        <translation>ランク数：</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>バックエンド</translation>
    </message>
    <message>
        <source>Inject fault ▾</source>
        <translation>障害を起こす ▾</translation>
    </message>
    <message>
        <source>Break this run on purpose (F)</source>
        <translation>この実行にわざと障害を起こします（F）</translation>
    </message>
    <message>
        <source>More</source>
        <translation>その他</translation>
    </message>
    <message>
        <source>Run the program, and stop it (Ctrl+Enter)</source>
        <translation>プログラムを実行・停止します（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Save my answers…</source>
        <translation>解答を保存…</translation>
    </message>
    <message>
        <source>Edit this lesson</source>
        <translation>このレッスンを編集</translation>
    </message>
    <message>
        <source>Edit a copy of this lesson</source>
        <translation>このレッスンのコピーを編集</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>新しいレッスン</translation>
    </message>
    <message>
        <source>Edit a lesson file…</source>
        <translation>レッスンのファイルを編集…</translation>
    </message>
    <message>
        <source>Back to the lesson that you write</source>
        <translation>作成中のレッスンに戻る</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LearnNotices</name>
    <message>
        <source>%1 is no lesson.</source>
        <translation>%1 はレッスンではありません。</translation>
    </message>
    <message>
        <source>The lesson does not run.</source>
        <translation>レッスンを実行できません。</translation>
    </message>
    <message>
        <source>The program did not run.</source>
        <translation>プログラムは実行されませんでした。</translation>
    </message>
    <message>
        <source>Nothing to see.</source>
        <translation>表示するものがありません。</translation>
    </message>
    <message>
        <source>The program ended at once: no line of it was reached.</source>
        <translation>プログラムはすぐに終わりました。どの行にも達していません。</translation>
    </message>
    <message>
        <source>The program was stopped.</source>
        <translation>プログラムは停止されました。</translation>
    </message>
    <message>
        <source>This Python has no torch.</source>
        <translation>この Python には torch がありません。</translation>
    </message>
    <message>
        <source>Choose an interpreter that has it, above, or install it: pip install torch.</source>
        <translation>上で torch のあるインタープリターを選ぶか、pip install torch でインストールしてください。</translation>
    </message>
    <message>
        <source>This run can&apos;t be read.</source>
        <translation>この実行は読み取れません。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LearnPage</name>
    <message>
        <source>Learn</source>
        <translation>学ぶ</translation>
    </message>
    <message>
        <source>Run starts the program on real processes and holds them before their first line. Then you let them go: all together, or one by one, in the order that you choose.</source>
        <translation>「実行」を押すと、本物のプロセスでプログラムが起動し、最初の行の手前で止まります。そこから、全員一緒に、あるいは好きな順に一つずつ進めてください。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LearnProgress</name>
    <message>
        <source>Solved: the program %1.</source>
        <translation>達成：プログラムは%1。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonEditor</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>A new lesson</source>
        <translation>新しいレッスン</translation>
    </message>
    <message>
        <source>%1 · not saved</source>
        <translation>%1 · 未保存</translation>
    </message>
    <message>
        <source>Save and run it</source>
        <translation>保存して実行</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>‹ Learn</source>
        <translation>‹ 学ぶ</translation>
    </message>
    <message>
        <source>Back to the lessons; what you have written stays here</source>
        <translation>レッスンの一覧に戻ります。書いた内容はここに残ります</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the lesson (Ctrl+S)</source>
        <translation>レッスンを保存 (Ctrl+S)</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>別名で保存…</translation>
    </message>
    <message>
        <source>Save the lesson under another name (Ctrl+Shift+S)</source>
        <translation>レッスンを別の名前で保存 (Ctrl+Shift+S)</translation>
    </message>
    <message>
        <source>Save the lesson, and run it in Learn (Ctrl+Enter)</source>
        <translation>レッスンを保存し、「学ぶ」で実行します (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>レッスン</translation>
    </message>
    <message>
        <source>text, program and questions, as in its file</source>
        <translation>本文・プログラム・質問を、ファイルにあるままに</translation>
    </message>
    <message>
        <source>Go to ▾</source>
        <translation>移動 ▾</translation>
    </message>
    <message>
        <source>To a part of the lesson</source>
        <translation>レッスンの各部分へ移動します</translation>
    </message>
    <message>
        <source>Files of the lesson</source>
        <translation>レッスンのファイル</translation>
    </message>
    <message>
        <source>Text of the lesson</source>
        <translation>レッスンの本文</translation>
    </message>
    <message>
        <source>Program of the lesson</source>
        <translation>レッスンのプログラム</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonExport</name>
    <message>
        <source>Make a lesson of this run</source>
        <translation>この実行をレッスンにする</translation>
    </message>
    <message>
        <source>Lessons (*.ringlesson)</source>
        <translation>レッスン (*.ringlesson)</translation>
    </message>
    <message>
        <source>Saved %1. Learn opens it, here and elsewhere: ⋯ &gt; Open a lesson…</source>
        <translation>%1 に保存しました。ここでもほかのマシンでも、「学ぶ」の ⋯ &gt; レッスンを開く… で開けます</translation>
    </message>
    <message numerus="yes">
        <source>%n secrets are masked.</source>
        <translation>
            <numerusform>%n 件の秘密を伏せました。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonFiles</name>
    <message>
        <source>Open a lesson</source>
        <translation>レッスンを開く</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>%1 行目：%2</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>図の保存</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 画像 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 図形 (*.svg)</translation>
    </message>
    <message>
        <source>Save my answers</source>
        <translation>解答を保存</translation>
    </message>
    <message>
        <source>Your name, as your teacher is to read it:</source>
        <translation>先生に伝える名前:</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Answers (*.json)</source>
        <translation>解答 (*.json)</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>answers</translation>
    </message>
    <message>
        <source>Lessons (*.ringlesson lesson.toml)</source>
        <translation>レッスン (*.ringlesson lesson.toml)</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonFindings</name>
    <message>
        <source>%1, line %2: %3</source>
        <translation>%1 の %2 行目: %3</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>%1 行目: %2</translation>
    </message>
    <message>
        <source>Error: %1</source>
        <translation>エラー: %1</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>チェック</translation>
    </message>
    <message>
        <source>What is wrong with this lesson</source>
        <translation>このレッスンの誤り</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>確認中…</translation>
    </message>
    <message>
        <source>nothing is wrong</source>
        <translation>誤りはありません</translation>
    </message>
    <message numerus="yes">
        <source>%n errors · F8: the next one</source>
        <translation>
            <numerusform>誤り %n 件 · F8: 次へ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonListModel</name>
    <message>
        <source>%1, done</source>
        <translation>%1、完了</translation>
    </message>
    <message>
        <source>%1, begun</source>
        <translation>%1、学習中</translation>
    </message>
    <message>
        <source>%1: %2 of %3 questions right</source>
        <translation>%1：%3 問中 %2 問正解</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonPreview</name>
    <message>
        <source>Preview</source>
        <translation>プレビュー</translation>
    </message>
    <message>
        <source>of the last text that could be read</source>
        <translation>最後に読み取れた内容です</translation>
    </message>
    <message>
        <source>Language of the preview</source>
        <translation>プレビューの言語</translation>
    </message>
    <message>
        <source>Preview of the lesson</source>
        <translation>レッスンのプレビュー</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonWriting</name>
    <message>
        <source>Edit a lesson</source>
        <translation>レッスンを編集</translation>
    </message>
    <message>
        <source>Lessons (*.ringlesson lesson.toml)</source>
        <translation>レッスン (*.ringlesson lesson.toml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message>
        <source>What you wrote in this lesson wasn&apos;t saved; here it is again.</source>
        <translation>このレッスンには保存されていない内容がありました。元のとおりに開いています。</translation>
    </message>
    <message>
        <source>Save the lesson?</source>
        <translation>レッスンを保存しますか?</translation>
    </message>
    <message>
        <source>What you wrote in the lesson before isn&apos;t saved.</source>
        <translation>前のレッスンに書いた内容は、まだ保存されていません。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Save the lesson</source>
        <translation>レッスンを保存</translation>
    </message>
    <message>
        <source>Lessons (*.ringlesson)</source>
        <translation>レッスン (*.ringlesson)</translation>
    </message>
    <message>
        <source>%1 has changed since it was opened here.</source>
        <translation>%1 は、ここで開いたあとに変更されています。</translation>
    </message>
    <message>
        <source>Something else wrote it. Saving replaces that; Save as… keeps both.</source>
        <translation>ほかのものが書き換えました。保存するとその内容は置き換わります。「別名で保存…」なら両方が残ります。</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>置き換える</translation>
    </message>
    <message>
        <source>The lesson can&apos;t be saved: %1</source>
        <translation>レッスンを保存できません: %1</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 を保存しました</translation>
    </message>
    <message>
        <source>The lesson has errors: it doesn&apos;t run yet.</source>
        <translation>レッスンに誤りがあるため、まだ実行できません。</translation>
    </message>
    <message>
        <source>The lesson that you write isn&apos;t saved.</source>
        <translation>書いているレッスンが保存されていません。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LessonsCard</name>
    <message>
        <source>Lessons</source>
        <translation>レッスン</translation>
    </message>
    <message>
        <source>Collectives first</source>
        <translation>集団通信から</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>レッスン</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LimitSection</name>
    <message>
        <source>When to end the run</source>
        <translation>実行を終了する条件</translation>
    </message>
    <message>
        <source>Longest run</source>
        <translation>最長実行時間</translation>
    </message>
    <message>
        <source>On a verdict</source>
        <translation>診断が続いたとき</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>制限なし</translation>
    </message>
    <message>
        <source>All attempts together; then the run is ended as failed</source>
        <translation>すべての試行の合計。これを超えると、実行は失敗として終了します</translation>
    </message>
    <message>
        <source>The run is ended when a verdict of this kind has stood so long: hang, mismatch, straggler, slowWire or waiting</source>
        <translation>この種類の診断が指定した時間続くと、実行を終了します: hang、mismatch、straggler、slowWire、waiting</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LineDialog</name>
    <message>
        <source>Go to a line</source>
        <translation>行へ移動</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>出力</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogActions</name>
    <message>
        <source>Wrap long lines</source>
        <translation>長い行を折り返す</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Fold equal tracebacks</source>
        <translation>同じトレースバックをまとめる</translation>
    </message>
    <message>
        <source>A traceback that several ranks printed is shown once.</source>
        <translation>複数のランクが出力した同じトレースバックを一度だけ表示します。</translation>
    </message>
    <message>
        <source>Go to line…</source>
        <translation>行へ移動…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>名前を付けて保存…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>フォルダーを開く</translation>
    </message>
    <message>
        <source>Editor…</source>
        <translation>エディター…</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogFinder</name>
    <message>
        <source>Filter: text, /regex/, rank:2, level:error</source>
        <translation>フィルター: 文字列、/正規表現/、rank:2、level:error</translation>
    </message>
    <message>
        <source>Searches the whole log of the chosen ranks. F3 and Shift+F3 go from match to match; the levels are info, warning and error.</source>
        <translation>選択したランクのログ全体を検索します。F3 と Shift+F3 で一致する行の間を移動します。レベルは info、warning、error です。</translation>
    </message>
    <message>
        <source>Filter the log</source>
        <translation>ログを絞り込む</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogModel</name>
    <message>
        <source>Ranks %1 printed this traceback; only numbers in its last line differ.</source>
        <translation>ランク %1 がこのトレースバックを出力しました。違いは最後の行の数値だけです。</translation>
    </message>
    <message>
        <source>Ranks %1 printed this traceback.</source>
        <translation>ランク %1 がこのトレースバックを出力しました。</translation>
    </message>
    <message numerus="yes">
        <source>× %n ranks</source>
        <comment>that printed a traceback</comment>
        <translation>
            <numerusform>× %n ランク</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogNote</name>
    <message>
        <source>%1 of output could not be kept; the run&apos;s warnings or its agent.log say why.</source>
        <translation>出力のうち %1 は保存できませんでした。理由は、この実行の警告か agent.log にあります。</translation>
    </message>
    <message>
        <source>Output comes faster than it can be shown: some lines were skipped here. Scroll up to read them; the files have all.</source>
        <translation>出力が表示より速いため、ここでは一部の行を省きました。上にスクロールすると読めます。ファイルにはすべて残っています。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogPanel</name>
    <message>
        <source>all ranks</source>
        <translation>全ランク</translation>
    </message>
    <message>
        <source>%1 · follow</source>
        <translation>%1・追従中</translation>
    </message>
    <message>
        <source>No output yet</source>
        <translation>出力はまだありません</translation>
    </message>
    <message>
        <source>What the workers print appears here.</source>
        <translation>ワーカーの出力がここに表示されます。</translation>
    </message>
    <message>
        <source>No line matches</source>
        <translation>一致する行がありません</translation>
    </message>
    <message>
        <source>Change the filter to see the log.</source>
        <translation>フィルターを変えるとログが表示されます。</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>ログ</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>全ランク</translation>
    </message>
    <message>
        <source>Show the log of all ranks again</source>
        <translation>全ランクのログに戻します</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>追従</translation>
    </message>
    <message>
        <source>Stay at the end of the log (Space)</source>
        <translation>ログの末尾を表示し続けます (Space)</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy the selected lines, or all that are loaded</source>
        <translation>選択した行、なければ読み込み済みのすべての行をコピーします</translation>
    </message>
    <message>
        <source>Log lines</source>
        <translation>ログの行</translation>
    </message>
    <message>
        <source>no line of it is here</source>
        <translation>この区間の行はありません</translation>
    </message>
    <message>
        <source>its lines are marked</source>
        <translation>この区間の行に印を付けています</translation>
    </message>
    <message>
        <source>Show in the whole log</source>
        <translation>ログ全体の中で表示</translation>
    </message>
    <message>
        <source>Open %1 at line %2</source>
        <translation>%1 の %2 行目を開く</translation>
    </message>
    <message>
        <source>Editor</source>
        <translation>エディター</translation>
    </message>
    <message>
        <source>The command that opens a line of a source file, for example
code -g {file}:{line}
Without one, the desktop&apos;s program for such files does.</source>
        <translation>ソースファイルの行を開くコマンド。例:
code -g {file}:{line}
空の場合は、デスクトップでそのファイルに関連付けられたプログラムで開きます。</translation>
    </message>
    <message>
        <source>Save the log</source>
        <translation>ログを保存</translation>
    </message>
    <message>
        <source>Searching the whole log</source>
        <translation>ログ全体を検索しています</translation>
    </message>
    <message numerus="yes">
        <source>This output has %Ln lines.</source>
        <translation>
            <numerusform>この出力は %Ln 行です。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, attempt %2</source>
        <translation>%1・試行 %2</translation>
    </message>
    <message>
        <source>View</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>How the lines are shown, and what can be done with them</source>
        <translation>行の表示方法と、行に対してできる操作</translation>
    </message>
    <message>
        <source>The log files are on %1.</source>
        <translation>ログファイルは %1 にあります。</translation>
    </message>
    <message>
        <source>No output</source>
        <translation>出力はありません</translation>
    </message>
    <message>
        <source>The files that it was read from have none.</source>
        <translation>読み込んだファイルには出力が含まれていません。</translation>
    </message>
    <message>
        <source>The workers printed nothing.</source>
        <translation>ワーカーは何も出力していません。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogSearchBar</name>
    <message numerus="yes">
        <source>%Ln lines match</source>
        <translation>
            <numerusform>%Ln 行が一致</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source> · %1 % searched</source>
        <translation> · %1 % 検索済み</translation>
    </message>
    <message>
        <source> · the first %1 lines are here</source>
        <translation> · ここには最初の %1 行を表示</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>前の一致</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>前の一致 (Shift+F3)</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>次の一致</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>次の一致 (F3)</translation>
    </message>
    <message>
        <source>Lines around a match</source>
        <translation>一致する行の前後の行数</translation>
    </message>
    <message>
        <source>So many lines before and after each match are shown, too</source>
        <translation>一致する行の前後に、この行数も表示します</translation>
    </message>
    <message>
        <source>Only matches</source>
        <translation>一致のみ</translation>
    </message>
    <message>
        <source>Hide the lines that don&apos;t match</source>
        <translation>一致しない行を隠します</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LogSection</name>
    <message>
        <source>a choice for each rank (from the file)</source>
        <translation>ランクごとの指定 (ファイルより)</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>Log folder</source>
        <translation>ログフォルダー</translation>
    </message>
    <message>
        <source>Only to files</source>
        <translation>ファイルだけに出力</translation>
    </message>
    <message>
        <source>Files and console</source>
        <translation>ファイルと端末に出力</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>in the run&apos;s own folder</source>
        <translation>実行ごとのフォルダー</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>standard output</source>
        <translation>標準出力</translation>
    </message>
    <message>
        <source>standard error</source>
        <translation>標準エラー</translation>
    </message>
    <message>
        <source>both streams</source>
        <translation>両方</translation>
    </message>
    <message>
        <source>Before each line</source>
        <translation>各行の先頭</translation>
    </message>
    <message>
        <source>Of lines that go to files and console; ${rank}, ${local_rank}, ${role_name} and ${hostname} are replaced.</source>
        <translation>ファイルとコンソールの両方に出る行が対象です。${rank}、${local_rank}、${role_name}、${hostname} は置き換えられます。</translation>
    </message>
    <message>
        <source>As torchrun (--plain)</source>
        <translation>torchrun と同じ (--plain)</translation>
    </message>
    <message>
        <source>Add nothing that torchrun doesn&apos;t</source>
        <translation>torchrun が行わないことは何も追加しません</translation>
    </message>
    <message>
        <source>Metrics port</source>
        <translation>メトリクスのポート</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Port of 127.0.0.1 where Prometheus finds the run&apos;s metrics while it goes on (--metrics); 0: a free one. Every user of that machine can read them.</source>
        <translation>実行中のメトリクスを Prometheus に公開する 127.0.0.1 のポート（--metrics）。0: 空きポート。そのマシンのすべてのユーザーが読み取れます。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::LookMenus</name>
    <message>
        <source>Theme</source>
        <translation>テーマ</translation>
    </message>
    <message>
        <source>Follow system</source>
        <translation>システムに合わせる</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>ライト</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>ダーク</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>言語</translation>
    </message>
    <message>
        <source>System language</source>
        <translation>システムの言語</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::MachineList</name>
    <message>
        <source>◌ %1: connecting…</source>
        <translation>◌ %1: 接続しています…</translation>
    </message>
    <message>
        <source>▲ %1: not reached</source>
        <translation>▲ %1: 接続できません</translation>
    </message>
    <message>
        <source>○ %1: no job runs</source>
        <translation>○ %1: 実行中のジョブなし</translation>
    </message>
    <message numerus="yes">
        <source>● %1: %n jobs run</source>
        <translation>
            <numerusform>● %1: %n 件のジョブが実行中</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::MachinePlace</name>
    <message>
        <source>On %1, by itself</source>
        <translation>%1 で単独実行</translation>
    </message>
    <message>
        <source>The job lives on %1 alone: this computer may sleep, lose its network or be closed, and finds the job again. With “Hosts over ssh” it has to stay on and connected.</source>
        <translation>ジョブは %1 だけで動きます。このコンピューターはスリープしても、ネットワークが切れても、閉じてもよく、あとでジョブを見つけられます。「ssh で接続するホスト」では、電源と接続を保っておく必要があります。</translation>
    </message>
    <message>
        <source>The program&apos;s folder is brought to the same path there first.</source>
        <translation>プログラムのフォルダーは、先にそこの同じパスへ送られます。</translation>
    </message>
    <message>
        <source>The program&apos;s folder is brought to %1 there first.</source>
        <translation>プログラムのフォルダーは、先にそこの %1 へ送られます。</translation>
    </message>
    <message>
        <source>The program has to be at the same path there.</source>
        <translation>プログラムはそこでも同じパスにある必要があります。</translation>
    </message>
    <message>
        <source>The program has to be in %1 there.</source>
        <translation>プログラムはそこの %1 にある必要があります。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1%2</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::MainWindow</name>
    <message>
        <source>Open a job or a run</source>
        <translation>ジョブまたは実行を開く</translation>
    </message>
    <message>
        <source>Jobs and runs (*.ringjob *.ringrun)</source>
        <translation>ジョブと実行 (*.ringjob *.ringrun)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message>
        <source>%1 – Ringmaster</source>
        <translation>%1 – Ringmaster</translation>
    </message>
    <message>
        <source>Open a folder of flight recorder dumps, profiler traces, or logs of torchrun, torchcomms or NCCL Inspector</source>
        <translation>フライトレコーダーのダンプ、プロファイラーのトレース、torchrun・torchcomms・NCCL Inspector のログのフォルダーを開く</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::MemoryView</name>
    <message>
        <source>Bytes that each rank holds; the table has its variables</source>
        <translation>各ランクが持つバイト数。変数は表にあります</translation>
    </message>
    <message>
        <source>the most until now</source>
        <translation>これまでの最大</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::MenuBar</name>
    <message>
        <source>&amp;File</source>
        <translation>ファイル(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Job</source>
        <translation>ジョブ(&amp;J)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>表示(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>ヘルプ(&amp;H)</translation>
    </message>
    <message>
        <source>New job</source>
        <translation>新しいジョブ</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>開く…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>絞り込み</translation>
    </message>
    <message>
        <source>Follow the log</source>
        <translation>ログを追従</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
    <message>
        <source>About Ringmaster</source>
        <translation>Ringmaster について</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>編集(&amp;E)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直し</translation>
    </message>
    <message>
        <source>Alerts…</source>
        <translation>アラート…</translation>
    </message>
    <message>
        <source>Open what PyTorch recorded…</source>
        <translation>PyTorch の記録を開く…</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::MomentPanel</name>
    <message>
        <source>Step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>何が起こるか</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>図</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>一覧</translation>
    </message>
    <message>
        <source>The ranks; the table has the same content</source>
        <translation>ランクの図。表に同じ内容があります</translation>
    </message>
    <message>
        <source>The ranks, as a table</source>
        <translation>ランクの表</translation>
    </message>
    <message>
        <source>Steps of the recording</source>
        <translation>記録のステップ一覧</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>リング</translation>
    </message>
    <message>
        <source>What came to each rank in each step of the ring</source>
        <translation>リングの各ステップで各ランクに届いたもの</translation>
    </message>
    <message>
        <source>A row a step of the algorithm, a column a rank</source>
        <translation>行はアルゴリズムのステップ、列はランク</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::MotionMenu</name>
    <message>
        <source>Motion</source>
        <translation>動き</translation>
    </message>
    <message>
        <source>How long what happens with a step is shown on its way</source>
        <translation>ステップで起きることを、動きで見せる長さ</translation>
    </message>
    <message>
        <source>As the desktop wants it</source>
        <translation>デスクトップの設定に従う</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>%1 s a step</source>
        <translation>1 ステップ %1 秒</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::NumberChart</name>
    <message>
        <source>%1, rank %2</source>
        <translation>%1、ランク %2</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::NumberTableModel</name>
    <message>
        <source>At</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>試行</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::NumbersPanel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 ほか %n 件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 steps/s recorded</source>
        <translation>記録では毎秒 %1 ステップ</translation>
    </message>
    <message>
        <source>more than can be kept is printed</source>
        <translation>出力された数値が多く、一部は保持されません</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>Which of the numbers that the workers print are drawn</source>
        <translation>ワーカーが出力する数値のうち、どれを描くか</translation>
    </message>
    <message>
        <source>Numbers that are drawn</source>
        <translation>描かれる数値</translation>
    </message>
    <message>
        <source>Printed numbers over time; the table has the same content</source>
        <translation>出力された数値の推移（表にも同じ内容があります）</translation>
    </message>
    <message>
        <source>Printed numbers as a table</source>
        <translation>出力された数値の表</translation>
    </message>
    <message>
        <source>Show the numbers as a table</source>
        <translation>数値を表で表示</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n ranks drawn</source>
        <translation>
            <numerusform>%n 個のランクのうち %1 個を表示</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::OperationTableModel</name>
    <message>
        <source>From %1 to below %2; the mean is shown.</source>
        <translation>%1 以上 %2 未満。平均を表示しています。</translation>
    </message>
    <message>
        <source>Bytes over time. %1</source>
        <translation>バイト数 ÷ 時間。%1</translation>
    </message>
    <message>
        <source>A send returns before its data has arrived: it tells of no bandwidth.</source>
        <translation>送信はデータが届く前に戻るため、帯域幅はわかりません。</translation>
    </message>
    <message>
        <source>Time in which such an operation was in flight, of the time between the first call and the last end.</source>
        <translation>最初の呼び出しから最後の終了までのうち、この操作が 1 つ以上実行中だった時間の割合です。</translation>
    </message>
    <message>
        <source>The program&apos;s own time in these operations: from the call until it, or the wait for it, is over. Mean over the ranks; %1 a call.</source>
        <translation>プログラム側から見たこれらの操作の時間です。呼び出してから、その呼び出しまたは完了待ちが終わるまでを数えます。全ランクの平均で、1 回あたり %1 です。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>回数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>割合</translation>
    </message>
    <message>
        <source>Felt</source>
        <translation>体感</translation>
    </message>
    <message>
        <source>Wire</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>待ち</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>型</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>グループ</translation>
    </message>
    <message>
        <source>%1 Half of them took at most %2, 99 of 100 at most %3.</source>
        <translation>%1 半数は %2 以内、100 回中 99 回は %3 以内です。</translation>
    </message>
    <message>
        <source>The record doesn&apos;t say which backend carried them out.</source>
        <translation>どのバックエンドが実行したかは記録されていません。</translation>
    </message>
    <message>
        <source>What carried them out, and the algorithm where it is known.</source>
        <translation>実行したバックエンドと、わかる場合はそのアルゴリズムです。</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>バックエンド</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::OperationsPanel</name>
    <message>
        <source>The operations can&apos;t be read.</source>
        <translation>操作を読み込めません。</translation>
    </message>
    <message>
        <source>The operations aren&apos;t recorded.</source>
        <translation>操作は記録されていません。</translation>
    </message>
    <message>
        <source>Recording is off.</source>
        <translation>記録はオフです。</translation>
    </message>
    <message>
        <source>This job runs plain: nothing is added to its workers.</source>
        <translation>このジョブは plain で実行されており、ワーカーには何も追加されません。</translation>
    </message>
    <message>
        <source>The job says so (record_operations = false).</source>
        <translation>ジョブの設定によるものです（record_operations = false）。</translation>
    </message>
    <message>
        <source>No operation that all ranks wait for.</source>
        <translation>全ランクが互いに待つ操作はありません。</translation>
    </message>
    <message>
        <source>No collectives.</source>
        <translation>集団通信はありません。</translation>
    </message>
    <message>
        <source>No collectives recorded yet.</source>
        <translation>集団通信はまだ記録されていません。</translation>
    </message>
    <message>
        <source>Here you see which rank comes last to the operations of a process group, and how late.</source>
        <translation>プロセスグループの操作に最後に来るランクと、その遅れがここに表示されます。</translation>
    </message>
    <message>
        <source>Here you see how fast the job&apos;s collectives are, as soon as its process groups work.</source>
        <translation>プロセスグループが動き始めると、ジョブの集団通信の速さがここに表示されます。</translation>
    </message>
    <message>
        <source>%1 came last to %2 of the last %3</source>
        <translation>直近 %3 回のうち %2 回で %1 が最後に到着</translation>
    </message>
    <message>
        <source>busbw by operation</source>
        <translation>操作ごとの busbw</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>試行 %1</translation>
    </message>
    <message>
        <source>%1 records lost</source>
        <translation>%1 件の記録が欠落</translation>
    </message>
    <message>
        <source>%1 blocks damaged</source>
        <translation>%1 個のブロックが破損</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集団通信</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>帯域幅</translation>
    </message>
    <message>
        <source>How fast the operations are</source>
        <translation>操作の速さ</translation>
    </message>
    <message>
        <source>Arrivals</source>
        <translation>到着</translation>
    </message>
    <message>
        <source>Which rank comes last, and how late</source>
        <translation>最後に来るランクとその遅れ</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Show the drawing as a table</source>
        <translation>図を表で表示します</translation>
    </message>
    <message>
        <source>Process group</source>
        <translation>プロセスグループ</translation>
    </message>
    <message>
        <source>Arrivals of the ranks; the table has the same content</source>
        <translation>各ランクの到着。表にも同じ内容があります</translation>
    </message>
    <message>
        <source>Arrivals as a table</source>
        <translation>到着の表</translation>
    </message>
    <message>
        <source>%1 steps a second</source>
        <translation>毎秒 %1 ステップ</translation>
    </message>
    <message>
        <source>the first %1 as sums</source>
        <translation>最初の %1 は集計値のみ</translation>
    </message>
    <message>
        <source>what the table counts, %1 of it as sums</source>
        <translation>表の集計区間（うち %1 は合計値のみ）</translation>
    </message>
    <message>
        <source>what the table counts</source>
        <translation>表の集計区間</translation>
    </message>
    <message>
        <source>No arrivals of that time.</source>
        <translation>この区間の到着はありません。</translation>
    </message>
    <message numerus="yes">
        <source>The last %n operations of a group are kept one by one.</source>
        <translation>
            <numerusform>1 件ずつ残しているのは、グループごとに直近の %n 件です。</numerusform>
        </translation>
    </message>
    <message>
        <source>The program called none.</source>
        <translation>プログラムは一度も呼び出していません。</translation>
    </message>
    <message>
        <source>The program called none in this attempt.</source>
        <translation>この試行では、プログラムは一度も呼び出していません。</translation>
    </message>
    <message numerus="yes">
        <source>all %n attempts</source>
        <translation>
            <numerusform>全 %n 回の試行</numerusform>
        </translation>
    </message>
    <message>
        <source>No bandwidth.</source>
        <translation>帯域幅は分かりません。</translation>
    </message>
    <message numerus="yes">
        <source>%n operations were recorded, but not from beginning to end.</source>
        <translation>
            <numerusform>%n 個の操作が記録されていますが、開始から終了までそろったものがありません。</numerusform>
        </translation>
    </message>
    <message>
        <source>The files that it was read from tell of none.</source>
        <translation>読み込んだファイルには集団通信の記録がありません。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PanelGrid</name>
    <message>
        <source>Between two panels (Ctrl+Alt and an arrow key)</source>
        <translation>2 つのパネルの境界（Ctrl+Alt と矢印キー）</translation>
    </message>
    <message>
        <source>Folded panels</source>
        <translation>畳んだパネル</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PanelMenu</name>
    <message>
        <source>Panels</source>
        <translation>パネル</translation>
    </message>
    <message>
        <source>One panel only, or all</source>
        <translation>1 つのパネルだけを表示／すべて表示</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>レイアウトをリセット</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PanelPlace</name>
    <message>
        <source>Fold to a button below</source>
        <translation>下のボタンに畳む</translation>
    </message>
    <message>
        <source>Fold %1</source>
        <translation>%1を畳む</translation>
    </message>
    <message>
        <source>Show all panels again (Esc)</source>
        <translation>すべてのパネルを再び表示 (Esc)</translation>
    </message>
    <message>
        <source>Only this panel (F11)</source>
        <translation>このパネルだけを表示 (F11)</translation>
    </message>
    <message>
        <source>Show all panels again</source>
        <translation>すべてのパネルを再び表示</translation>
    </message>
    <message>
        <source>Maximise %1</source>
        <translation>%1を最大化</translation>
    </message>
    <message>
        <source>Panels in this place</source>
        <translation>この場所のパネル</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PasteDialog</name>
    <message>
        <source>Paste a torchrun command</source>
        <translation>torchrun コマンドの貼り付け</translation>
    </message>
    <message>
        <source>torchrun, python -m torch.distributed.run or ringmaster run, with variables before it and lines that are continued. Nothing is run.</source>
        <translation>torchrun、python -m torch.distributed.run、ringmaster run のどれか。前に変数があっても、複数行に続いていてもかまいません。実行はされません。</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使う</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>This starts %1.</source>
        <translation>%1 を開始します。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PlaceSection</name>
    <message>
        <source>Where</source>
        <translation>実行する場所</translation>
    </message>
    <message>
        <source>Workers per node</source>
        <translation>ノードごとのワーカー</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>ノード</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>バックエンド</translation>
    </message>
    <message>
        <source>Nodes at most</source>
        <translation>ノードの最大数</translation>
    </message>
    <message>
        <source>to</source>
        <translation>～</translation>
    </message>
    <message numerus="yes">
        <source>auto (%n GPUs)</source>
        <translation>
            <numerusform>自動 (GPU %n 個)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>auto (%n CPUs)</source>
        <translation>
            <numerusform>自動 (CPU %n 個)</numerusform>
        </translation>
    </message>
    <message>
        <source>one per GPU</source>
        <translation>GPU ごとに 1 個</translation>
    </message>
    <message>
        <source>one per CPU</source>
        <translation>CPU ごとに 1 個</translation>
    </message>
    <message>
        <source>decided by the program</source>
        <translation>プログラムが決める</translation>
    </message>
    <message>
        <source>Run on</source>
        <translation>実行場所</translation>
    </message>
    <message>
        <source>as the job file says</source>
        <translation>ジョブファイルのとおり</translation>
    </message>
    <message>
        <source>auto: one per GPU or CPU of each node</source>
        <translation>自動: 各ノードの GPU または CPU ごとに 1 つ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PlayBar</name>
    <message>
        <source>step %1 of %2</source>
        <translation>ステップ %1 / %2</translation>
    </message>
    <message>
        <source>%1 · live</source>
        <translation>%1・ライブ</translation>
    </message>
    <message>
        <source>%1 · recorded</source>
        <translation>%1・記録</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>再生</translation>
    </message>
    <message>
        <source>Step ▶</source>
        <translation>進む ▶</translation>
    </message>
    <message>
        <source>Until blocked</source>
        <translation>ブロックまで</translation>
    </message>
    <message>
        <source>Run on</source>
        <translation>最後まで</translation>
    </message>
    <message>
        <source>To the first step (Home)</source>
        <translation>最初のステップへ（Home）</translation>
    </message>
    <message>
        <source>One step back (←), ten with Shift</source>
        <translation>1 ステップ戻る（←）。Shift で 10</translation>
    </message>
    <message>
        <source>Play and pause (Space)</source>
        <translation>再生と一時停止（Space）</translation>
    </message>
    <message>
        <source>One step (→): of the recording, and at its end one line of every rank; a rank&apos;s number steps that rank alone</source>
        <translation>1 ステップ進む（→）。記録の中では記録を、最後では全ランクを 1 行進めます。数字キーでそのランクだけを進めます</translation>
    </message>
    <message>
        <source>On until a rank blocks (B)</source>
        <translation>どれかのランクがブロックするまで進む（B）</translation>
    </message>
    <message>
        <source>To the last step (End)</source>
        <translation>最後のステップへ（End）</translation>
    </message>
    <message>
        <source>Let the processes run to their end without waiting (E)</source>
        <translation>プロセスを止めずに最後まで実行（E）</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>最初のステップ</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>1 ステップ戻る</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最後のステップ</translation>
    </message>
    <message>
        <source>Step of the recording</source>
        <translation>記録のステップ</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速さ</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 ステップ/秒</translation>
    </message>
    <message>
        <source>%1 · the past</source>
        <translation>%1・過去</translation>
    </message>
    <message>
        <source>The processes stand at the last step</source>
        <translation>プロセスは最後のステップで止まっています</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PlotMenu</name>
    <message>
        <source>Save as picture (PNG)…</source>
        <translation>画像として保存（PNG）…</translation>
    </message>
    <message>
        <source>Save as drawing (SVG)…</source>
        <translation>図形として保存（SVG）…</translation>
    </message>
    <message>
        <source>Save values as CSV…</source>
        <translation>値を CSV として保存…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>画像をコピー</translation>
    </message>
    <message>
        <source>Show all lines</source>
        <translation>すべての線を表示</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>グラフを保存</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PlotView</name>
    <message>
        <source>%1: hidden</source>
        <translation>%1：非表示</translation>
    </message>
    <message>
        <source>%1: nothing measured</source>
        <translation>%1：測定値なし</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 to %3, last %4</source>
        <translation>%1：%2 ～ %3、最新 %4</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PortsDialog</name>
    <message>
        <source>Forward a port</source>
        <translation>ポートの転送</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>ポート</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>転送</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>This job runs on this machine: what it serves on a port, such as TensorBoard, is at 127.0.0.1 already.</source>
        <translation>このジョブはこのマシンで動いています。ポートで提供しているもの（TensorBoard など）には、そのまま 127.0.0.1 でアクセスできます。</translation>
    </message>
    <message>
        <source>What the job serves on a port, such as TensorBoard or a debugger, is reached at 127.0.0.1 here, through your own ssh, until the run ends or this window is closed. Every user of this machine can reach it, nobody else.</source>
        <translation>ジョブがポートで提供しているもの（TensorBoard やデバッガーなど）に、ご自分の ssh を通してこのマシンの 127.0.0.1 からアクセスできます。実行が終わるか、このウィンドウを閉じるまで有効です。アクセスできるのはこのマシンのユーザーだけです。</translation>
    </message>
    <message>
        <source>port %1 of %2</source>
        <translation>%2 のポート %1</translation>
    </message>
    <message>
        <source>on the way…</source>
        <translation>接続中…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop %1</source>
        <translation>%1 を停止</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PreflightMatrix</name>
    <message>
        <source>not known</source>
        <translation>不明</translation>
    </message>
    <message numerus="yes">
        <source>%n problems</source>
        <translation>
            <numerusform>問題 %n 件</numerusform>
        </translation>
    </message>
    <message>
        <source>in order</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>→ %1</source>
        <translation>→ %1</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::PreflightPanel</name>
    <message>
        <source>asking the hosts and each for the others…</source>
        <translation>各ホストと、ホスト間の到達性を確認しています…</translation>
    </message>
    <message>
        <source>can they run a job together? Not asked yet</source>
        <translation>一緒にジョブを実行できるか、まだ確認していません</translation>
    </message>
    <message numerus="yes">
        <source>%n problems would keep a job from running</source>
        <translation>
            <numerusform>ジョブの実行を妨げる問題が %n 件あります</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing keeps a job from running</source>
        <translation>ジョブの実行を妨げるものはありません</translation>
    </message>
    <message>
        <source>a job can run; some things are worth a look</source>
        <translation>ジョブは実行できますが、確認したほうがよい点があります</translation>
    </message>
    <message>
        <source>Preflight</source>
        <translation>事前確認</translation>
    </message>
    <message>
        <source>Run preflight</source>
        <translation>事前確認を実行</translation>
    </message>
    <message>
        <source>Asks every host for what a job needs, and every pair whether each reaches the other</source>
        <translation>ジョブに必要なものが各ホストにあるか、どの 2 台も互いに到達できるかを調べます</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Copy this line; in a terminal it mends what is chosen above</source>
        <translation>この行をコピーします。端末で実行すると、上で選んだ問題が直ります</translation>
    </message>
    <message>
        <source>Line that mends it</source>
        <translation>問題を直す行</translation>
    </message>
    <message>
        <source>Preflight, host by host</source>
        <translation>ホストごとの事前確認</translation>
    </message>
    <message>
        <source>What the preflight found</source>
        <translation>事前確認で見つかったこと</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ProgramCard</name>
    <message>
        <source>rank %1: %2</source>
        <translation>ランク %1：%2</translation>
    </message>
    <message>
        <source>rank %1 %2</source>
        <translation>ランク %1：%2</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>プログラム</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>The lesson&apos;s own program again</source>
        <translation>レッスンのプログラムに戻します</translation>
    </message>
    <message>
        <source>Python:</source>
        <translation>Python：</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>インタープリター</translation>
    </message>
    <message>
        <source>the active Python</source>
        <translation>有効な Python</translation>
    </message>
    <message>
        <source>The Python that runs the program: it needs torch. Empty is the active one.</source>
        <translation>プログラムを実行する Python です。torch が必要です。空欄なら有効な Python を使います。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ProgramOutput</name>
    <message>
        <source>What the program has printed</source>
        <translation>プログラムの出力</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ProgramSection</name>
    <message>
        <source>the active one (none was found)</source>
        <translation>有効なもの (見つかりません)</translation>
    </message>
    <message>
        <source>the active one: %1</source>
        <translation>有効なもの: %1</translation>
    </message>
    <message>
        <source>Python %1, no torch</source>
        <translation>Python %1、torch なし</translation>
    </message>
    <message>
        <source>torch %1</source>
        <translation>torch %1</translation>
    </message>
    <message>
        <source>Choose a program</source>
        <translation>プログラムを選択</translation>
    </message>
    <message>
        <source>Python programs (*.py);;All files (*)</source>
        <translation>Python プログラム (*.py);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Choose the working folder</source>
        <translation>作業フォルダーを選択</translation>
    </message>
    <message>
        <source>What to run</source>
        <translation>実行するもの</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>プログラム</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>引数</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>インタープリター</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>作業フォルダー</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>Python file</source>
        <translation>Python ファイル</translation>
    </message>
    <message>
        <source>Python module (-m)</source>
        <translation>Python モジュール (-m)</translation>
    </message>
    <message>
        <source>Command, without Python</source>
        <translation>コマンド (Python なし)</translation>
    </message>
    <message>
        <source>Python file, by runpy (--run-path)</source>
        <translation>runpy による Python ファイル (--run-path)</translation>
    </message>
    <message>
        <source>train.py</source>
        <translation>train.py</translation>
    </message>
    <message>
        <source>as in a shell; ${local_rank} is replaced</source>
        <translation>シェルの書式。${local_rank} は置換</translation>
    </message>
    <message>
        <source>the folder that Ringmaster was started in</source>
        <translation>Ringmaster を起動したフォルダー</translation>
    </message>
    <message>
        <source>NAME=value, one a line</source>
        <translation>名前=値 を 1 行に 1 つ</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>参照…</translation>
    </message>
    <message>
        <source>Browse for the program</source>
        <translation>プログラムを参照</translation>
    </message>
    <message>
        <source>Browse for the working folder</source>
        <translation>作業フォルダーを参照</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::QuestionPanel</name>
    <message>
        <source>✓ Right: %1.</source>
        <translation>✓ 正解：%1。</translation>
    </message>
    <message>
        <source>✗ Not so. It is %1: see step %2.</source>
        <translation>✗ 違います。正しくは %1。ステップ %2 を見てください。</translation>
    </message>
    <message>
        <source>Predict (%1 of %2):</source>
        <translation>予想（%1 / %2）：</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>No</source>
        <translation>いいえ</translation>
    </message>
    <message>
        <source>ranks, such as 0, 1</source>
        <translation>ランク（例：0, 1）</translation>
    </message>
    <message>
        <source>a number, then Enter</source>
        <translation>数を入力して Enter</translation>
    </message>
    <message>
        <source>You say: %1. Run the program on to see.</source>
        <translation>あなたの予想：%1。プログラムを進めて確かめましょう。</translation>
    </message>
    <message>
        <source>The answer comes from your own run.</source>
        <translation>答えはあなた自身の実行から求めます。</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>問題</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>出題</translation>
    </message>
    <message>
        <source>Goes back to the moment before the answer</source>
        <translation>答えの直前に戻ります</translation>
    </message>
    <message>
        <source>Show the step</source>
        <translation>そのステップを表示</translation>
    </message>
    <message>
        <source>Your prediction</source>
        <translation>あなたの予想</translation>
    </message>
    <message>
        <source>Previous question</source>
        <translation>前の問題</translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>次の問題</translation>
    </message>
    <message>
        <source>To the answer: A</source>
        <translation>回答へ：A</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::RendezvousSection</name>
    <message>
        <source>automatic</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>Rendezvous</source>
        <translation>ランデブー</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Endpoint</source>
        <translation>エンドポイント</translation>
    </message>
    <message>
        <source>Job id</source>
        <translation>ジョブ ID</translation>
    </message>
    <message>
        <source>standalone: this machine, a free port</source>
        <translation>standalone: このマシン、空きポート</translation>
    </message>
    <message>
        <source>static: every node knows its rank</source>
        <translation>static: 各ノードが自分のランクを知る</translation>
    </message>
    <message>
        <source>c10d: elastic, nodes may come and go</source>
        <translation>c10d: エラスティック (ノードが増減してもよい)</translation>
    </message>
    <message>
        <source>the hosts meet through this machine</source>
        <translation>ホストはこのマシンを通して集まります</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ResultsTable</name>
    <message>
        <source>%1 (%2)</source>
        <comment>value, ratio</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Ended as</source>
        <translation>終わり方</translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Restarted because</source>
        <translation>再起動の理由</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::RingStepModel</name>
    <message>
        <source>chunk %1 from rank %2: %3</source>
        <translation>チャンク %1、ランク %2 から：%3</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>ステップ %1</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::RunButtons</name>
    <message>
        <source>Its files are on %1</source>
        <translation>ファイルは %1 にあります</translation>
    </message>
    <message>
        <source>Select two or more runs to lay them beside each other</source>
        <translation>2 つ以上の実行を選ぶと並べて比べられます</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>固定を解除</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Export the run</source>
        <translation>実行を書き出す</translation>
    </message>
    <message>
        <source>Runs (*.ringrun)</source>
        <translation>実行 (*.ringrun)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Exported to %1 (%2)</source>
        <translation>%1 に書き出しました（%2）</translation>
    </message>
    <message numerus="yes">
        <source>Exported to %1 (%2); %n secrets are masked</source>
        <translation>
            <numerusform>%1 に書き出しました（%2）。%n 件の秘密を伏せました</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs deleted</source>
        <translation>
            <numerusform>%n 件の実行を削除しました</numerusform>
        </translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>もう一度実行</translation>
    </message>
    <message>
        <source>Edit a copy</source>
        <translation>複製を編集</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Name and tags…</source>
        <translation>名前とタグ…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>書き出し…</translation>
    </message>
    <message>
        <source>A pinned run is never removed to make room</source>
        <translation>固定した実行は、空きを作るために削除されることはありません</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>削除…</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::RunDetails</name>
    <message>
        <source>Select one run to read about it here.</source>
        <translation>実行を 1 つ選ぶと、ここに内容が表示されます。</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>作業フォルダー</translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation>実行フォルダー</translation>
    </message>
    <message>
        <source>As a torchrun command</source>
        <translation>torchrun コマンドとして</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Printed last</source>
        <translation>最後に出力された値</translation>
    </message>
    <message>
        <source>About this run</source>
        <translation>この実行について</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::RunListModel</name>
    <message>
        <source>%1 of %2</source>
        <comment>restarts used</comment>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>restarting · %1 of %2</source>
        <translation>再起動中・%1/%2 回</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>ジョブ</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>ランク数</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>経過時間</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>進捗</translation>
    </message>
    <message>
        <source>Steps/s</source>
        <translation>ステップ/秒</translation>
    </message>
    <message>
        <source>What it says</source>
        <translation>状況</translation>
    </message>
    <message>
        <source>By the rhythm of its collectives, else by what it prints</source>
        <translation>集団通信の周期から、なければ出力から</translation>
    </message>
    <message>
        <source>Mean of the GPUs of its machines</source>
        <translation>使用マシンの GPU の平均</translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n 件実行中</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::RunPreview</name>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>The whole page of this run, with its actions</source>
        <translation>この実行のページ全体を、操作とともに開きます</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SceneTableModel</name>
    <message>
        <source>message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>チャンク</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>待機</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>変化</translation>
    </message>
    <message>
        <source>What</source>
        <translation>対象</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>バイト数</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>takes part</source>
        <translation>参加</translation>
    </message>
    <message>
        <source>back</source>
        <translation>戻った</translation>
    </message>
    <message>
        <source>entered</source>
        <translation>入った</translation>
    </message>
    <message>
        <source>gives %1, gets %2</source>
        <translation>%1 を渡し、%2 を受け取る</translation>
    </message>
    <message>
        <source>gives %1</source>
        <translation>%1 を渡す</translation>
    </message>
    <message>
        <source>group</source>
        <translation>グループ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SeriesTableModel</name>
    <message>
        <source>From</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>回数</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>バイト数</translation>
    </message>
    <message>
        <source>busbw, wire</source>
        <translation>busbw（通信）</translation>
    </message>
    <message>
        <source>busbw, felt</source>
        <translation>busbw（体感）</translation>
    </message>
    <message>
        <source>By the program&apos;s own time: from the call until it, or the wait for it, is over.</source>
        <translation>プログラム側から見た時間で計算します。呼び出してから、その呼び出しまたは完了待ちが終わるまでを数えます。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SideBar</name>
    <message>
        <source>○ no agent running</source>
        <translation>○ 実行中のエージェントなし</translation>
    </message>
    <message numerus="yes">
        <source>● %n local agents</source>
        <translation>
            <numerusform>● ローカルエージェント %n</numerusform>
        </translation>
    </message>
    <message>
        <source>+  New job</source>
        <translation>+  新しいジョブ</translation>
    </message>
    <message>
        <source>New job</source>
        <translation>新しいジョブ</translation>
    </message>
    <message>
        <source>RUNNING</source>
        <translation>実行中</translation>
    </message>
    <message>
        <source>Running jobs</source>
        <translation>実行中のジョブ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SlurmPlace</name>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>パーティション</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>アカウント</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>制限時間</translation>
    </message>
    <message>
        <source>GPUs a node</source>
        <translation>ノードあたりの GPU</translation>
    </message>
    <message>
        <source>More for sbatch</source>
        <translation>sbatch の追加引数</translation>
    </message>
    <message>
        <source>the cluster&apos;s usual one</source>
        <translation>クラスタの既定</translation>
    </message>
    <message>
        <source>your usual one</source>
        <translation>自分の既定</translation>
    </message>
    <message>
        <source>90, 4:00:00, 2-12: the partition&apos;s, if empty</source>
        <translation>4:00:00 など。空欄ならパーティションの既定</translation>
    </message>
    <message>
        <source>as the workers need</source>
        <translation>ワーカーに必要な数</translation>
    </message>
    <message>
        <source>--constraint=a100, one a line</source>
        <translation>--constraint=a100、1 行に 1 つ</translation>
    </message>
    <message>
        <source>sbatch isn&apos;t on this machine: start Ringmaster on a login node of the cluster (Debian: slurm-client). The job can be saved all the same.</source>
        <translation>このマシンに sbatch がありません。クラスタのログインノードで Ringmaster を起動してください (Debian: slurm-client)。ジョブの保存はできます。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SpanBar</name>
    <message>
        <source>Whole run</source>
        <translation>全体</translation>
    </message>
    <message>
        <source>Show the whole time again (0)</source>
        <translation>時間全体を再び表示します（0）</translation>
    </message>
    <message>
        <source>%1 – %2 (%3)</source>
        <translation>%1～%2（%3）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::StartFromButton</name>
    <message>
        <source>Training with DDP</source>
        <translation>DDP による学習</translation>
    </message>
    <message>
        <source>Training that goes on after a crash</source>
        <translation>クラッシュ後に再開する学習</translation>
    </message>
    <message>
        <source>send and recv between two ranks</source>
        <translation>2 ランク間の send と recv</translation>
    </message>
    <message>
        <source>A shell command</source>
        <translation>シェルコマンド</translation>
    </message>
    <message>
        <source>Start from ▾</source>
        <translation>元にするジョブ ▾</translation>
    </message>
    <message>
        <source>Start from an example or a recent job</source>
        <translation>例または最近のジョブを元にする</translation>
    </message>
    <message>
        <source>An example, or a job that ran before, into the form</source>
        <translation>例または以前に実行したジョブをフォームに読み込みます</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>例</translation>
    </message>
    <message>
        <source>Recent jobs</source>
        <translation>最近のジョブ</translation>
    </message>
    <message>
        <source>%1, started %2</source>
        <comment>a job</comment>
        <translation>%1 (%2 に開始)</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::StepTableModel</name>
    <message>
        <source>Step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>The reader held the rank for %1 before this step</source>
        <translation>このステップの前に、ランクはゲートで %1 停止していました</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SweepExportMenu</name>
    <message>
        <source>Save the sweep</source>
        <translation>スイープを保存</translation>
    </message>
    <message>
        <source>Table as CSV…</source>
        <translation>表を CSV で保存…</translation>
    </message>
    <message>
        <source>Table as JSON…</source>
        <translation>表を JSON で保存…</translation>
    </message>
    <message>
        <source>Chart as picture…</source>
        <translation>グラフを画像で保存…</translation>
    </message>
    <message>
        <source>Chart as drawing (SVG)…</source>
        <translation>グラフを図形（SVG）で保存…</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SweepForm</name>
    <message>
        <source>Collective</source>
        <translation>集団通信</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>ランク数</translation>
    </message>
    <message>
        <source>Data type</source>
        <translation>データ型</translation>
    </message>
    <message>
        <source>Reduction</source>
        <translation>リダクション</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>バックエンド</translation>
    </message>
    <message>
        <source>Backend %1</source>
        <translation>バックエンド %1</translation>
    </message>
    <message>
        <source>Check results</source>
        <translation>結果を検証</translation>
    </message>
    <message>
        <source>Every element of every rank is compared with what it has to be</source>
        <translation>全ランクの全要素を正しい値と比較します</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>実行場所</translation>
    </message>
    <message>
        <source>Ranks on each</source>
        <translation>各ホストのランク数</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>サイズ</translation>
    </message>
    <message>
        <source>Smallest size</source>
        <translation>最小サイズ</translation>
    </message>
    <message>
        <source>Largest size</source>
        <translation>最大サイズ</translation>
    </message>
    <message>
        <source>Factor between sizes</source>
        <translation>サイズの倍率</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SweepListModel</name>
    <message>
        <source>best: %1</source>
        <translation>最高: %1</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SweepResults</name>
    <message>
        <source>Time against message size</source>
        <translation>メッセージサイズと所要時間</translation>
    </message>
    <message>
        <source>Bus bandwidth against message size</source>
        <translation>メッセージサイズとバス帯域幅</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>測定値</translation>
    </message>
    <message>
        <source>Sweeps</source>
        <translation>スイープ</translation>
    </message>
    <message>
        <source>check to compare</source>
        <translation>チェックして比較</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>レイテンシ</translation>
    </message>
    <message>
        <source>Bandwidth by size; the table has the same content</source>
        <translation>サイズごとの帯域幅。表にも同じ内容があります</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>帯域幅</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::SweepTableModel</name>
    <message>
        <source>size (B)</source>
        <translation>サイズ (B)</translation>
    </message>
    <message>
        <source>count</source>
        <translation>要素数</translation>
    </message>
    <message>
        <source>type</source>
        <translation>型</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>集団通信</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>バックエンド</translation>
    </message>
    <message>
        <source>time (µs)</source>
        <translation>時間 (µs)</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>誤り</translation>
    </message>
    <message>
        <source>sweep</source>
        <translation>スイープ</translation>
    </message>
    <message>
        <source>note</source>
        <translation>備考</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::TableColumns</name>
    <message>
        <source>As many as there is room for</source>
        <translation>幅に合わせて自動で選ぶ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::ThisMachine</name>
    <message>
        <source>This machine</source>
        <translation>このマシン</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::TimelineModel</name>
    <message>
        <source>%1 so far</source>
        <translation>%1 (継続中)</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation>試行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>From</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>長さ</translation>
    </message>
    <message>
        <source>on the way to the first collective</source>
        <translation>最初の集団通信まで</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>備考</translation>
    </message>
    <message>
        <source>Rank or host</source>
        <translation>ランクまたはホスト</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::TimelinePanel</name>
    <message>
        <source>nothing yet</source>
        <translation>まだ何もありません</translation>
    </message>
    <message>
        <source>no restarts</source>
        <translation>再起動なし</translation>
    </message>
    <message>
        <source>%1: %2 → whole group restarted in %3</source>
        <translation>%1: %2 → %3でグループ全体を再起動</translation>
    </message>
    <message>
        <source>%1: %2 → restarting</source>
        <translation>%1: %2 → 再起動中</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>タイムライン</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>全体</translation>
    </message>
    <message>
        <source>Show the timeline as a table</source>
        <translation>タイムラインを表で表示します</translation>
    </message>
    <message>
        <source>Timeline of the ranks; its table has the same content</source>
        <translation>ランクのタイムライン (表にも同じ内容があります)</translation>
    </message>
    <message>
        <source>Timeline as a table</source>
        <translation>タイムラインの表</translation>
    </message>
    <message>
        <source>Show the whole time again (0). Drag to select a span, with Shift to move it; Ctrl and the wheel, + and - zoom.</source>
        <translation>全期間を表示します (0)。ドラッグで範囲を選択し、Shift を押しながらドラッグで移動、Ctrl とホイールまたは + と - で拡大・縮小します。</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1、%2</translation>
    </message>
    <message numerus="yes">
        <source>times of %n hosts to ± %1</source>
        <translation>
            <numerusform>%n 台のホストの時刻の誤差は ± %1 以内</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ringmaster::app::TimelineView</name>
    <message>
        <source>Restart at %1: %2</source>
        <translation>%1 に再起動: %2</translation>
    </message>
    <message>
        <source>%1, attempt %2: %3 for %4</source>
        <translation>%1、試行 %2: %3 (%4)</translation>
    </message>
    <message>
        <source>%1: %2 for %3</source>
        <translation>%1: %2(%3)</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::Toast</name>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::Tour</name>
    <message>
        <source>&lt;b&gt;1 of 3.&lt;/b&gt; Run the example: four workers learn digits together.</source>
        <translation>&lt;b&gt;1/3&lt;/b&gt; まず例を実行します。4 つのワーカーが一緒に数字を学習します。</translation>
    </message>
    <message>
        <source>Run the example</source>
        <translation>例を実行</translation>
    </message>
    <message>
        <source>&lt;b&gt;2 of 3.&lt;/b&gt; End a worker, as a crash would: choose a rank, then Signal, SIGKILL. All four start again.</source>
        <translation>&lt;b&gt;2/3&lt;/b&gt; クラッシュのようにワーカーを 1 つ終了させます。ランクを選び、「シグナル」から SIGKILL を送ります。4 つとも起動し直します。</translation>
    </message>
    <message>
        <source>Kill rank %1</source>
        <translation>ランク %1 を強制終了</translation>
    </message>
    <message>
        <source>&lt;b&gt;3 of 3.&lt;/b&gt; The cause is said below the job&apos;s name. The timeline has the restart, the log what the rank said last.</source>
        <translation>&lt;b&gt;3/3&lt;/b&gt; 原因はジョブ名の下に表示されます。再起動はタイムラインに、そのランクの最後の出力はログにあります。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>スキップ</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::TrustBar</name>
    <message>
        <source>Trust</source>
        <translation>信頼する</translation>
    </message>
    <message>
        <source>This job wants to run %1.</source>
        <translation>このジョブは %1 を実行しようとしています。</translation>
    </message>
    <message>
        <source>Only the job names it, so it isn&apos;t asked for its torch unless you trust it. Launching the job runs it.</source>
        <translation>指定しているのはジョブだけなので、信頼しない限り torch の有無を調べるためにも実行しません。ジョブを起動すると実行されます。</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::TwinCard</name>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::WorkerTableModel</name>
    <message>
        <source>pid %1</source>
        <translation>pid %1</translation>
    </message>
    <message>
        <source>restarted once</source>
        <translation>再起動 1 回</translation>
    </message>
    <message numerus="yes">
        <source>restarted %n times</source>
        <translation>
            <numerusform>再起動 %n 回</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>PID</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>ノード</translation>
    </message>
    <message>
        <source>Local rank</source>
        <translation>ローカルランク</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>ロール</translation>
    </message>
    <message>
        <source>How it ended</source>
        <translation>終了の理由</translation>
    </message>
</context>
<context>
    <name>ringmaster::app::WorkersPanel</name>
    <message>
        <source>%1 of %2 shown</source>
        <translation>%2 個中 %1 個を表示</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>まだありません</translation>
    </message>
    <message>
        <source>choose a rank for its log and its exit</source>
        <translation>ランクを選ぶとログと終了理由を表示</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>実行中 %1</translation>
    </message>
    <message>
        <source>Starting %1</source>
        <translation>開始中 %1</translation>
    </message>
    <message>
        <source>Finished %1</source>
        <translation>完了 %1</translation>
    </message>
    <message>
        <source>Failed %1</source>
        <translation>失敗 %1</translation>
    </message>
    <message>
        <source>Restarted %1</source>
        <translation>再起動 %1</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>ワーカー</translation>
    </message>
    <message>
        <source>Show the workers as a table</source>
        <translation>ワーカーを表で表示します</translation>
    </message>
    <message>
        <source>Workers as tiles</source>
        <translation>ワーカーのタイル</translation>
    </message>
    <message>
        <source>Workers as a table</source>
        <translation>ワーカーの表</translation>
    </message>
    <message>
        <source>Filter workers by state</source>
        <translation>ワーカーを状態で絞り込む</translation>
    </message>
    <message>
        <source>Show only these workers</source>
        <translation>このワーカーだけを表示します</translation>
    </message>
    <message>
        <source>Hanging %1</source>
        <translation>ハング中 %1</translation>
    </message>
    <message>
        <source>Waiting %1</source>
        <translation>待機中 %1</translation>
    </message>
    <message>
        <source>Slow %1</source>
        <translation>低速 %1</translation>
    </message>
    <message>
        <source>Lost %1</source>
        <translation>消失 %1</translation>
    </message>
    <message>
        <source>as attempt %1 ended</source>
        <translation>試行 %1 の終了時点</translation>
    </message>
    <message>
        <source>Recorded %1</source>
        <translation>記録のみ %1</translation>
    </message>
    <message>
        <source>Stopped %1</source>
        <comment>by a signal</comment>
        <translation>停止（シグナル） %1</translation>
    </message>
    <message>
        <source>Ended %1</source>
        <comment>because another rank failed</comment>
        <translation>打ち切り %1</translation>
    </message>
    <message>
        <source>Stopped by you %1</source>
        <translation>ユーザーが停止 %1</translation>
    </message>
    <message>
        <source>those of this attempt aren&apos;t kept any more</source>
        <translation>この試行のワーカーはもう保持されていません</translation>
    </message>
</context>
</TS>
