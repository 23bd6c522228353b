import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import { receive_webhooks_by_body } from '../../samples/webhook-body-receivers.ts'
import { receive_webhooks } from '../../samples/webhook-receivers.ts'
import * as samples from '../../samples/webhooks.ts'

export const webhooks: Guide = {
  slug: 'webhooks',
  title: 'Webhook',
  summary: 'すべてのイベントを自社のサーバーで受信し、署名を検証し、重複なく処理する方法を説明します。',
  sections: [
    {
      id: 'overview',
      title: 'Webhookの役割',
      body: ({ event, guide }) => html`
<p>このページを読み終えると、${event('payment.captured')}などのイベントを、自社のサーバーでHTTPのPOSTとして受信できるようになります。受信したリクエストが本物であることを検証し、各イベントを1回だけ処理し、障害のあとに未受信のイベントを取り戻せるようになります。</p>
<p>自社がリクエストを送っていない間に起きたことは、Webhookで知ります。たとえば、お客様がコンビニで支払ったとき、3Dセキュアの本人認証を終えたとき、決済ページで支払ったとき、サブスクリプションが更新されたときです。すべてのイベントタイプは、イベント一覧（${guide('events')}）にあります。</p>`,
    },
    {
      id: 'create',
      title: '1. Webhookを作成する',
      body: ({ sample, event, note }) => html`
<p>シークレットを作成し、サーバーのほかの秘密情報と同じ場所に保管します。</p>
${sample(samples.make_secret)}
<p>このシークレットと必要なイベントを指定して、Webhookを作成します。</p>
${sample(samples.create_webhook)}
<pre tabindex="0"><code>{
  "id": "whk_…",
  "url": "https://shop.example.com/webhooks",
  "active": true,
  "event_list": ["payment.captured", "payment.failed", "payment.refund.created"]
}</code></pre>
<p>作成するとすぐに、${event('ping')}が送られます。シークレットがレスポンスに含まれることはありません。Webhookは、モードごとに100件まで作成できます。イベントは、処理するものだけを指定してください。</p>
${note(html`URLは、公開されたアドレスにつながる必要があります。本番モードでは、有効な証明書を備えたhttpsのURLだけを使えます。リダイレクトには対応していません。`)}`,
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
<p>このURLには誰でもPOSTを送れます。そのため、ボディの内容を使う前に署名を検証してください。<a href="https://www.standardwebhooks.com">Standard Webhooks</a>のヘッダーを使う方法を推奨します。</p>
<ol>
<li>ボディを、受信したままのバイト列で読み込みます。一度パースして書き出したボディでは、署名が一致しません。</li>
<li><code>webhook-timestamp</code>が自社の時計から5分を超えてずれている場合は、拒否します。こうすると、攻撃者が記録した配信をあとで再送しても受け付けられません。</li>
<li><code>webhook-id</code>、ピリオド、<code>webhook-timestamp</code>、ピリオド、ボディをこの順につなげ、そのHMAC-SHA256を計算します。鍵は、シークレットの<code>whsec_</code>より後ろの部分をbase64でデコードした値です。</li>
<li><code>webhook-signature</code>に含まれる署名のいずれかが、<code>v1,</code>にこのHMACのbase64を続けた値と一致すれば、配信を受け付けます。シークレットのローテーション中は、このヘッダーに署名が2つ入ります。比較は、一定時間で終わる方法で行ってください。</li>
</ol>
<p>次のプログラムは、各言語の標準ライブラリーだけでこの検証を行います。<code>PORT</code>と<code>WEBHOOK_SECRET</code>を読み込み、本物の配信には200を、それ以外には400を返します。</p>
${sample(receive_webhooks)}
${table(
  ['使用しているもの', '受信したままのボディ'],
  [
    [
      'Express',
      html`<code>express.raw({ type: 'application/json' })</code>を設定したうえで、<code>request.body</code>`,
    ],
    ['Django、Flask', html`それぞれ<code>request.body</code>、<code>request.get_data()</code>`],
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
${note(html`この署名には時刻が含まれず、現在のシークレットだけで作られます。Standard Webhooksのヘッダーを優先して使ってください。記録された配信の再送を拒否でき、シークレットのローテーション中も配信を失いません。`)}`,
    },
    {
      id: 'process',
      title: '3. すぐに応答し、1回だけ、順序を守って処理する',
      body: ({ sample, table }) => html`
${table(
  ['配信の性質', '受信側の処理'],
  [
    [
      '2xxのレスポンスはすべて成功です。それ以外のレスポンスと、15秒を過ぎたレスポンスは失敗とみなされ、再試行されます。',
      'イベントを保存して200を返し、そのあとで処理します。',
    ],
    [
      '同じイベントが複数回届くことがあります。',
      html`<code>webhook-id</code>を一意制約付きで保存し、保存済みのIDは処理しません。<code>X-Service-ID</code>も同じ値です。この値は、再試行や再配信でも変わりません。`,
    ],
    [
      'イベントが、発生した順序と異なる順序で届くことがあります。',
      html`リソースのバージョンである<code>X-Service-Sequence</code>を比較し、そのリソースについて保存済みの値より小さければ無視します。`,
    ],
    [
      html`<code>data</code>は、イベントが発生した時点のリソースです。`,
      '現在の状態が必要なときは、GETでリソースを参照します。',
    ],
  ],
)}
<p>データベースを使うと、この2つの確認を1つのトランザクションで行えます。次のプログラムは、各配信を1回だけ保存し、決済ごとに最新の状態を保持します。</p>
${sample(samples.store_once)}`,
    },
    {
      id: 'retries',
      title: '再試行',
      body: ({ guide }) => html`
<p>失敗した配信は、25日の間に最大25回再試行されます。再試行までの間隔は、4秒から100時間まで徐々に長くなります。各回の間隔は、イベント一覧（${guide('events', 'retries')}）にあります。最後の再試行も失敗すると、配信は<code>failed</code>になります。応答の遅い受信側が、ほかの受信側への配信を遅らせることはありません。</p>`,
    },
    {
      id: 'recover',
      title: '障害から復旧する',
      body: ({ sample, table, error }) => html`
<p>まだ届いていない配信を一覧で取得します。一覧には、各試行に対する自社のサーバーのレスポンスも含まれます。</p>
${sample(samples.list_deliveries)}
<pre tabindex="0"><code>{
  "id": "dlv_…",
  "event_type": "payment.captured",
  "status": "pending",
  "next_attempt_at": "2030-01-02T03:00:04Z",
  "attempts": [
    { "attempted_at": "2030-01-02T03:00:00Z", "status_code": 503, "latency_ms": 12, "response_body": "", "error": null }
  ]
}</code></pre>
${table(
  ['試行のerror', '原因'],
  [
    ['null（status_codeに値がある）', '自社のサーバーが、2xx以外のステータスを返しました。'],
    ['timeout', '自社のサーバーが、15秒以内に応答しませんでした。'],
    ['connection_failed、name_not_resolved', 'サーバーに接続できないか、DNSで名前を解決できませんでした。'],
    ['tls_failed', '証明書が無効か、期限切れです。'],
    ['blocked_address', '名前が、公開されていないアドレスにつながっています。'],
    ['invalid_response', 'レスポンスがHTTPではありません。'],
    ['webhook_inactive、webhook_deleted', '試行の前に、Webhookが無効にされたか、削除されました。'],
  ],
)}
<p>自社のサーバーが復旧したら、再試行を待つ必要はありません。1つのリクエストで、指定した時刻以降に最後の試行が失敗した配信を、古い順にすべて再配信できます。</p>
${sample(samples.recover_webhook)}
<p>配信を1件だけ再配信することもできます。すでに届いた配信にも使えます。</p>
${sample(samples.redeliver)}
<p>どちらのリクエストも、Webhookが削除済みまたは無効であれば${error('unprocessable_entity')}を返します。<code>GET /events</code>では、Webhookで指定していないものも含めて、すべてのイベントを取得できます。</p>`,
    },
    {
      id: 'rotate',
      title: 'シークレットをローテーションする',
      body: ({ sample }) => html`
<ol>
<li>シークレットをローテーションします。<code>grace_seconds</code>の間（既定では1日、最長30日）は、<code>webhook-signature</code>に新旧両方のシークレットによる署名が入ります。このため、受信側は、どちらのシークレットでもすべての配信を検証できます。</li>
<li>この期間のうちに、新しいシークレットを設定した受信側をデプロイします。</li>
</ol>
${sample(samples.rotate_secret)}
<p>シークレットが漏えいした場合は、<code>grace_seconds</code>に0を指定してください。古いシークレットはすぐに無効になります。</p>`,
    },
    {
      id: 'per-payment',
      title: '1つの決済だけのWebhook',
      body: ({ sample, reference }) => html`
<p>決済を作成するときに、その決済専用のWebhookを10件まで指定できます。手順1のように作成したWebhookと並行して配信され、同じヘッダーが付きます。事前の設定は不要です。<code>events</code>に指定できるのは、決済のイベントだけです。</p>
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
      'シークレットの先頭がwhsec_で、それに続く部分がbase64ではない。フォーム形式で送ったときに+が空白に変わった場合によく起こります。',
      'フォームの値をエンコードするか、JSONで送ってください。',
    ],
    [
      'どの署名も一致しない',
      '検証の前にボディをパースしているか、別のWebhookまたはもう一方のモードのシークレットを使っている',
      '受信したままのボディを読み込んでください。シークレットはWebhookごとに異なります。',
    ],
    [
      '常に時刻が古すぎると判定される',
      '受信側の時計がずれているか、検証の前にイベントがキューで待っている',
      '時計を同期してください。キューに入れる前に検証してください。',
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
<p>${event('ping')}はいつでも送れます。指定したイベントに含まれていないWebhookにも送れます。</p>
${sample(samples.ping_webhook)}
<ul>
<li>ローカル環境は、テストモードのWebhookを<code>http://127.0.0.1</code>にも配信します。そのため、このページの受信用プログラムを同じマシンで動かせます。</li>
<li>ローカル環境以外では、トンネルを使って、手元のマシンに公開されたhttpsのアドレスを割り当ててください。</li>
<li>成功と失敗の両方を確認してください。本物の配信には200が返り、1バイトだけ変えた同じ配信には400が返ります。</li>
<li>受信側から一度500を返し、再試行が同じ<code>webhook-id</code>で届くことを確認してください。</li>
</ul>`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide, reference }) => html`
<ul>
<li>すべてのイベントタイプとその例：イベント一覧（${guide('events')}）</li>
<li>すべてのパラメーター：${reference('webhooks')}と${reference('deliveries')}</li>
<li>自社から送るリクエストも重複なく処理する：${guide('idempotency')}</li>
</ul>`,
    },
  ],
}
