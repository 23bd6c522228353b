import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import { receive_webhooks_by_body } from '../../samples/webhook-body-receivers.ts'
import { receive_webhooks } from '../../samples/webhook-receivers.ts'
import * as samples from '../../samples/webhooks.ts'

/** The guide `webhooks` in Japanese. */
export const webhooks: Guide = {
  slug: 'webhooks',
  title: 'Webhook',
  summary: 'すべてのイベントをサーバーで受信し、署名を検証し、重複なく処理する方法を説明します。',
  sections: [
    {
      id: 'overview',
      title: 'Webhookの役割',
      body: ({ event, guide }) => html`
<p>このページを読み終えると、${event('payment.captured')}などのイベントを、サーバーでHTTP POSTとして受信できるようになります。リクエストが本物であることを検証し、各イベントを1回だけ処理し、障害の間に届かなかったイベントもあとから受信できます。</p>
<p>コンビニや決済ページでの支払い、3Dセキュアの本人認証、サブスクリプションの更新など、自社がリクエストを送っていない間の出来事は、Webhookで知ります。すべてのイベントタイプは${guide('events')}にあります。</p>`,
    },
    {
      id: 'create',
      title: '1. Webhookを作成する',
      body: ({ sample, event, note }) => html`
<p>シークレットを作成し、サーバーのほかの秘密情報と同じ場所に保管します。</p>
${sample(samples.make_secret)}
<p>このシークレットと必要なイベントを指定して、Webhookを作成します。ローカル環境で試すときは、<code>http://127.0.0.1:8080/webhooks</code>を使います。</p>
<pre tabindex="0"><code>export WEBHOOK_URL=https://shop.example.com/webhooks</code></pre>
${sample(samples.create_webhook)}
<pre tabindex="0"><code>{
  "id": "whk_…",
  "url": "https://shop.example.com/webhooks",
  "active": true,
  "event_list": ["payment.captured", "payment.failed", "payment.refund.created"]
}</code></pre>
<p>作成直後に${event('ping')}が送られます。シークレットは、レスポンスに含まれません。Webhookは、モードごとに100件まで作成できます。処理するイベントだけを指定してください。</p>
${note(html`URLには、公開されたアドレスを指定してください。本番モードでは、有効な証明書のあるhttpsのURLだけを使えます。リダイレクトは追跡されません。`)}`,
    },
    {
      id: 'receive',
      title: '2. 受信して検証する',
      body: ({ sample, table }) => html`
<p>配信は、次のようなリクエストです。</p>
<pre tabindex="0"><code>POST /webhooks HTTP/1.1
Content-Type: application/json
User-Agent: Service-Webhook
X-Service-ID: dlv_…
X-Service-Event: payment.captured
X-Service-Sequence: 3
X-Service-Signature: 5e0c…
webhook-id: dlv_…
webhook-timestamp: 1893553200
webhook-signature: v1,K5oZ…

{"id":"evt_…","type":"payment.captured","resource":"event","data":{"id":"pay_…", …},"created_at":"2030-01-02T03:00:00Z"}</code></pre>
<p>このURLには誰でもPOSTを送れるため、ボディの内容を使う前に署名を検証してください。<a href="https://www.standardwebhooks.com">Standard Webhooks</a>のヘッダーによる方法を推奨します。</p>
<ol>
<li>ボディを、受信したままのバイト列で読み込みます。パースして書き直すと、署名が一致しません。</li>
<li><code>webhook-timestamp</code>と現在時刻の差が5分を超える配信は、拒否します。記録した配信をあとで送り直す攻撃を防ぐためです。</li>
<li><code>webhook-id</code>、<code>webhook-timestamp</code>、ボディをこの順にピリオドでつなげ、そのHMAC-SHA256を計算します。鍵は、シークレットの<code>whsec_</code>に続く部分をbase64でデコードした値です。この接頭辞のないシークレットは、文字列全体が鍵です。</li>
<li><code>webhook-signature</code>に含まれる署名のいずれかが、<code>v1,</code>にこのHMACのbase64を続けた値と一致すれば、配信を受け付けます。シークレットのローテーション中は、署名が2つ入ります。比較には、所要時間が一定の関数を使ってください。</li>
</ol>
<p>次のプログラムは、標準ライブラリーだけで検証します。<code>PORT</code>と<code>WEBHOOK_SECRET</code>を読み込み、本物の配信に200を、それ以外に400を返します。</p>
<pre tabindex="0"><code>export PORT=8080</code></pre>
${sample(receive_webhooks)}
${table(
  ['フレームワーク', '受信したままのボディ'],
  [
    ['Express', html`<code>express.raw({ type: 'application/json' })</code>のあと、<code>request.body</code>`],
    ['Django、Flask', html`<code>request.body</code>、<code>request.get_data()</code>`],
    ['Laravel', html`<code>$request->getContent()</code>`],
    ['Rails', html`<code>request.raw_post</code>`],
  ],
)}
<p>Standard Webhooksのライブラリーでも、同じヘッダーを検証できます。</p>`,
    },
    {
      id: 'body-signature',
      title: '別の方法：ボディの署名を検証する',
      body: ({ sample, note }) => html`
<p><code>X-Service-Signature</code>は、受信したままのボディのHMAC-SHA256を16進数で表したものです。鍵は、<code>whsec_</code>を含むシークレット全体の文字列です。シークレットには、1～255文字の任意の文字列を使えます。</p>
${sample(receive_webhooks_by_body)}
${note(html`この署名には時刻が含まれず、ローテーションするとすぐに新しいシークレットで作られます。先に、両方のシークレットを受け付ける受信側をデプロイしてください。記録された配信の送り直しを拒否でき、両方の署名が入るStandard Webhooksのヘッダーを優先してください。`)}`,
    },
    {
      id: 'process',
      title: '3. すぐに応答し、1回だけ順序どおりに処理する',
      body: ({ table }) => html`
${table(
  ['配信の性質', '受信側の処理'],
  [
    [
      '2xxのレスポンスはすべて成功です。それ以外と、15秒以内に応答しない場合は失敗とみなされ、再試行されます。',
      'イベントを保存して200を返し、あとで処理します。',
    ],
    [
      '同じイベントが2回以上届くことがあります。',
      html`イベントの<code>id</code>を一意制約付きで保存し、保存済みなら処理しません。同じURLの2つのWebhookからは、<code>id</code>が同じで<code>webhook-id</code>が異なる配信が届きます。`,
    ],
    [
      'イベントが、発生した順に届かないことがあります。',
      html`リソースのバージョンである<code>X-Service-Sequence</code>が保存済みの値より大きいときだけ、その状態を保存します。どのイベントによるものでも、保存した状態が<code>captured</code>になったら1回だけ発送します。同じ変更のイベントは、同じ値を持ちます。`,
    ],
    [html`<code>data</code>は、イベントが発生した時点のリソースです。`, '現在の状態が必要なときは、GETで参照します。'],
  ],
)}
<p>手順2のTypeScriptとPythonのプログラムは、データベース<code>shop.db</code>の1つのトランザクションで重複と順序を確認します。</p>`,
    },
    {
      id: 'retries',
      title: '再試行',
      body: ({ guide }) => html`
<p>失敗した配信は、25日の間に最大25回再試行されます（試行は合計26回）。間隔は、4秒から100時間まで徐々に長くなります（${guide('events', 'retries')}）。最後の再試行も失敗すると、配信は<code>failed</code>になります。応答の遅い受信側があっても、ほかへの配信は遅れません。</p>`,
    },
    {
      id: 'recover',
      title: '障害から復旧する',
      body: ({ sample, table, error }) => html`
<p>まだ届いていない配信を、各試行へのレスポンスとともに一覧で取得します。</p>
<pre tabindex="0"><code>export WEBHOOK=whk_…</code></pre>
${sample(samples.list_deliveries)}
<pre tabindex="0"><code>{
  "id": "dlv_…",
  "event_type": "payment.captured",
  "status": "pending",
  "next_attempt_at": "2030-01-02T03:00:04Z",
  "attempts": [
    { "attempted_at": "2030-01-02T03:00:00Z", "status_code": 503, "latency_ms": 12, "response_body": "", "error": null, "after_unrecorded": false }
  ]
}</code></pre>
${table(
  ['試行のerror', '原因'],
  [
    ['null（status_codeに値がある）', 'サーバーが、2xx以外のステータスを返しました。'],
    ['timeout', 'サーバーが、15秒以内に応答しませんでした。'],
    ['connection_failed、name_not_resolved', 'サーバーに接続できないか、DNSで名前を解決できませんでした。'],
    ['tls_failed', '証明書が無効か、期限切れです。'],
    ['blocked_address', 'ホスト名が、公開されていないアドレスに解決されました。'],
    ['invalid_response', 'レスポンスがHTTPではありません。'],
    ['webhook_inactive、webhook_deleted', '試行の前に、Webhookが無効化または削除されました。'],
  ],
)}
<p>サーバーが復旧したら、再試行を待つ必要はありません。指定した時刻以降に最後の試行が失敗した配信を、1回のリクエストですべて再配信できます。並行して配信されるため、古い順に届くとは限りません。</p>
<pre tabindex="0"><code>export SINCE=2026-01-02T00:00:00Z</code></pre>
${sample(samples.recover_webhook)}
<p>レスポンスは配信より先に返ります。一覧が空になるまで、もう一度取得してください。届いたものも含め、1件だけの再配信もできます。</p>
<pre tabindex="0"><code>export DELIVERY=dlv_…</code></pre>
${sample(samples.redeliver)}
<p>どちらも、Webhookが削除済みまたは無効であれば${error('unprocessable_entity')}を返します。無効な間のイベントは、配信されません。次の一覧では、すべてのイベントを新しい順に取得できます。</p>
${sample(samples.list_events)}`,
    },
    {
      id: 'rotate',
      title: 'シークレットをローテーションする',
      body: ({ sample }) => html`
<ol>
<li>シークレットをローテーションします。<code>grace_seconds</code>の間（既定値は1日、最長30日）は、<code>webhook-signature</code>に新旧両方のシークレットによる署名が入り、受信側は、そのどちらでもすべての配信を検証できます。</li>
<li>その間に、新しいシークレットを設定した受信側をデプロイします。終了前にもう一度ローテーションすると、最初のシークレットは無効になります。</li>
</ol>
<pre tabindex="0"><code>export NEW_WEBHOOK_SECRET=whsec_…</code></pre>
${sample(samples.rotate_secret)}
<p>シークレットが漏えいした場合は、<code>grace_seconds</code>に0を指定し、古いシークレットをすぐに無効にしてください。</p>`,
    },
    {
      id: 'per-payment',
      title: '1つの決済だけのWebhook',
      body: ({ sample, reference }) => html`
<p>決済の作成時に、その決済専用のWebhookを10件まで指定できます。手順1のWebhookと並行して、同じヘッダーで配信されます。事前の設定は不要です。<code>events</code>に指定できるのは、決済のイベントだけです。</p>
${sample(samples.payment_with_webhook)}
<p>セッションでは、<code>payment_data[webhooks]</code>に指定します。フィールドはリファレンスの${reference('payments')}にあります。</p>`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ error, table }) => html`
${table(
  ['症状', '原因', '対応'],
  [
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>url</code>`,
      'URLが公開されていないか、本番モードでhttpsではない',
      '公開されたhttpsのURLを使ってください。',
    ],
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>secret_token</code>`,
      'シークレットのwhsec_に続く部分がbase64ではない。多くは、フォーム形式で+が空白に変わったためです。',
      'フォームの値をエンコードするか、JSONで送ってください。',
    ],
    [
      'どの署名も一致しない',
      '検証前にボディをパースしているか、別のWebhookまたはモードのシークレットを使っている',
      '受信したままのボディを読み込んでください。シークレットはWebhookごとに異なります。',
    ],
    [
      '時刻が常に古すぎると判定される',
      '受信側の時計がずれているか、検証前にイベントをキューに入れている',
      '時計を同期し、キューに入れる前に検証してください。',
    ],
    [
      'webhook-signatureヘッダーがない',
      'Webhookにシークレットがない',
      html`<code>PATCH /webhooks/:id</code>で設定してください。`,
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ sample, event }) => html`
<p>${event('ping')}は、これを指定していないWebhookにも、いつでも送れます。</p>
${sample(samples.ping_webhook)}
<ul>
<li>ローカル環境は、テストモードのWebhookを<code>http://127.0.0.1</code>にも配信するため、このページの受信用プログラムを同じマシンで動かせます。<code>created_at</code>は進めた時計に、<code>webhook-timestamp</code>は実際の時刻に従います。</li>
<li>それ以外では、トンネルで、手元のマシンに公開のhttpsアドレスを割り当ててください。</li>
<li>本物の配信に200を、1バイトだけ変えた同じ配信に400を返すことを確認してください。</li>
<li>一度500を返し、再試行が同じ<code>webhook-id</code>で届くことを確認してください。</li>
</ul>`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide, reference }) => html`
<ul>
<li>すべてのイベントタイプとその例：${guide('events')}</li>
<li>すべてのパラメーター：${reference('webhooks')}と${reference('deliveries')}</li>
<li>自社から送るリクエストの重複を防ぐ：${guide('idempotency')}</li>
</ul>`,
    },
  ],
}
