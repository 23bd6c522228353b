import { html } from 'hono/html'
import { sentenceOf } from '#shared/domain/errors.ts'
import type { Guide } from '../../guide.ts'
import { pay_order, pay_with_retries } from '../../samples/idempotency.ts'

/** The guide `idempotency` in Japanese. */
export const idempotency: Guide = {
  slug: 'idempotency',
  title: '冪等性と再試行',
  summary: 'お客様に二重に請求することなく、どのリクエストも安全に再送する方法を説明します。',
  sections: [
    {
      id: 'overview',
      title: '冪等キーの役割',
      body: () => html`
<p>決済が作成されてから、サーバーがレスポンスを受け取るまでの間に、接続が切れることがあります。このとき、お客様に請求されたかどうかは、サーバーにはわかりません。冪等キーを<code>Idempotency-Key</code>ヘッダーで送っておけば、同じリクエストを再送できます。決済サービスはそのリクエストを1回だけ実行し、同じレスポンスを返します。</p>
<p>再送する可能性があるPOSTとPATCHには、すべてこのヘッダーを付けてください。GETとDELETEは、ヘッダーがなくても安全に再送できます。DELETEを再送すると、404が返ることがあります。</p>`,
    },
    {
      id: 'choose',
      title: '1. キーを決める',
      body: ({ table }) => html`
<p>1つのキーは、「注文1042の支払い」のような1つの操作を表します。キーは印字可能な1～255文字で、24時間保持されます。</p>
${table(
  ['キー', '評価'],
  [
    ['注文番号と操作の組み合わせ：pay-1042', '適切。サーバーが再起動したあとでも、再試行のたびに同じキーになります。'],
    ['リクエストを送る前に、注文とともに保存したランダムなUUID', '適切。'],
    [
      '試行のたびに作り直すランダムなUUID',
      '不適切。再試行が新しいリクエストとみなされ、二重に請求されるおそれがあります。',
    ],
    ['顧客のID', '不適切。その顧客の次の購入でも同じキーになります。'],
  ],
)}
<p>お客様が別のカードで支払い直す場合は、新しい操作になります。<code>pay-1042-2</code>のような新しいキーを使ってください。</p>
<p>ほかのサンプルの多くは、ランダムなキーか、トークンを含むキーを使います。サンプルは、実行するたびに新しいリクエストになるためです。実際のショップでは、注文番号からキーを組み立てるか、キーを保存してください。</p>`,
    },
    {
      id: 'send',
      title: '2. キーを送る',
      body: ({ sample, table, error }) => html`
<pre tabindex="0"><code>export ORDER=1042
export TOKEN=tok_…</code></pre>
${sample(pay_order)}
<p>2回実行してください。2回目のレスポンスには、同じ決済と、<code>Idempotent-Replayed: true</code>ヘッダーが含まれます。</p>
${table(
  ['最初のリクエスト', '同じキーで再送したときのレスポンス'],
  [
    ['成功した', '最初のレスポンスと1バイトも違わないレスポンス'],
    [
      '拒否された（402）、または不正だった（404、413、422）',
      '最初のレスポンス。エラーのボディのrequest_idは、最初のリクエストのものです。',
    ],
    [
      '400、401、403、409、415、429を返した',
      '新しいレスポンス。リクエストは実行されていないため、キーはまだ使えます。',
    ],
    [
      '500、503、504を返した、またはレスポンスを受け取れなかった',
      html`同じ操作のレスポンス。アクワイアラーで二重に実行されることはありません。結果が不明な間は、${error('gateway_timeout')}が返ります。`,
    ],
    ['まだ処理中', html`${error('idempotency_in_flight')}と<code>Retry-After</code>`],
    ['ボディまたはパスが異なっていた', html`${error('idempotency_mismatch')}。何も実行されません。`],
  ],
)}
<p>キーは、加盟店ごと、APIキーの種類ごとに区別されます。ボディの内容が同じであれば、フォーム形式でもJSONでも同じリクエストとみなされます。</p>`,
    },
    {
      id: 'retry',
      title: '3. 成功する見込みのあるリクエストを再送する',
      body: ({ sample, table, error }) => html`
${table(
  ['レスポンス', '同じキーで再送するか'],
  [
    ['レスポンスがない（接続の切断またはタイムアウト）', 'はい。'],
    [html`${error('gateway_timeout')}、${error('internal_server_error')}`, 'はい。'],
    [
      html`${error('service_unavailable')}、${error('rate_limited')}、${error('idempotency_in_flight')}`,
      html`はい。<code>Retry-After</code>の秒数だけ待ってから再送します。`,
    ],
    [
      error('conflict'),
      'はい。別のリクエストが同じリソースを変更しました。再送するかどうかがリソースの状態によって変わる場合は、先にリソースを参照してください。',
    ],
    [
      '拒否などの402',
      html`いいえ。新しいキーを使います。<code>failure_code</code>が<code>never_arrived</code>でなければ、お客様に別のカードの入力を求めます。`,
    ],
    ['その他の4xx', 'いいえ。リクエストを修正し、新しいキーを使います。'],
  ],
)}
<p>再試行までの待ち時間は、回を重ねるごとに長くし、ランダムな幅を持たせてください。多数のクライアントが同時に再送することを防げます。レスポンスは30秒以上待ってください。curlに<code>--retry</code>を付けると、タイムアウト、429、5xxのあとに再送し、<code>Retry-After</code>にも従います。再試行を使い切ったら結果は不明なので、次の節に従ってください。</p>
${sample(pay_with_retries)}`,
    },
    {
      id: 'unknown',
      title: '結果が不明なとき',
      body: ({ error, event, guide }) => html`
<p>${error('gateway_timeout')}は、アクワイアラーが時間内に応答しなかったことを示します。実際には請求されている可能性があります。決済のIDは<code>details.payment</code>に入ります。</p>
<pre tabindex="0"><code>{
  "error": {
    "code": "gateway_timeout",
    "message": "${sentenceOf('gateway_timeout')}",
    "details": { "payment": "pay_…" }
  }
}</code></pre>
<p>別のキーで決済を作成し直さないでください。代わりに、次のいずれかを行います。</p>
<ul>
<li>最終的な結果が返るまで、同じキーでリクエストを再送する。</li>
<li>${event('payment.captured')}または${event('payment.failed')}をWebhookで待つ：${guide('webhooks', 'receive')}</li>
<li>時間をおいて決済を参照する。結果がわかるまでは<code>pending</code>です。</li>
</ul>
<p>決済サービスは、1分後から、アクワイアラーに結果を自動的に照会します。請求がアクワイアラーに届いていなかった場合、決済は<code>failed</code>になり、<code>failure_code</code>は<code>never_arrived</code>になります。同じキーには、402 ${error('other_error')}が返ります。請求されていないため、同じカードで新しいトークンを作成し、新しいキーを使ってください。</p>
<p>返金、売上確定、取消も同じです。結果がわかるまで、その金額は確保されます。</p>`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ error, table }) => html`
${table(
  ['症状', '原因', '対応'],
  [
    [
      error('idempotency_mismatch'),
      '再試行のボディが異なる。新しいトークン、新しい時刻、新しい乱数が含まれている場合によく起こります。',
      'ボディをキーとともに保存し、両方をそのまま再送してください。',
    ],
    [
      html`同じ拒否が、<code>Idempotent-Replayed</code>とともに再び返る`,
      'お客様の2回目の試行で、同じキーと同じトークンを使っている',
      'お客様の試行ごとに、新しいキーを使ってください。',
    ],
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>Idempotency-Key</code>`,
      'キーが空か、255文字を超えているか、印字できない文字を含んでいる',
      '英数字とハイフンだけを使ってください。',
    ],
    [
      '1つの注文に2つの決済がある',
      '試行のたびにキーを作り直しているか、24時間を過ぎてから再試行した',
      html`注文番号からキーを組み立ててください。1日を過ぎた場合は、先に<code>GET /payments?external_order_num=</code>で検索してください。`,
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ table }) => html`
<p>テストモードでは、<code>X-Service-Scenario</code>ヘッダーを使って、アクワイアラーの障害を意図的に起こせます。このヘッダーはリクエストの一部とみなされないため、再試行では外してもかまいません。存在しないシナリオを指定すると422が返り、キーはまだ使えます。</p>
${table(
  ['シナリオ', '起きること', '同じキーで再試行したとき'],
  [
    [
      'timeout_after_charge',
      'お客様への請求は完了し、アクワイアラーの応答だけが失われます。レスポンスは504です。',
      '売上が確定した決済が返ります。',
    ],
    [
      'timeout_before_charge',
      '請求がアクワイアラーに届きません。レスポンスは504です。',
      '1分以内にヘッダーを外して再試行すると、1回だけ請求されます。その後は402 other_errorになり、請求されません。',
    ],
    ['duplicate_answer', 'アクワイアラーが、注文の重複を報告します。', '同じ1つの決済が返ります。'],
    ['slow', 'レスポンスが数秒遅れます。', '最初のリクエストが終わるまで409が返ります。Retry-Afterは最大40秒です。'],
  ],
)}`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide }) => html`
<ul>
<li>各レスポンスの意味を知る：${guide('errors')}</li>
<li>照会せずに結果を知る：${guide('webhooks')}</li>
<li>すべてのテスト用カードとシナリオ：${guide('testing')}</li>
</ul>`,
    },
  ],
}
