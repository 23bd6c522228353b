import { html } from 'hono/html'
import { sentenceOf } from '#shared/domain/errors.ts'
import type { Guide } from '../../guide.ts'
import * as samples from '../../samples/subscriptions.ts'

/** The guide `subscriptions` in Japanese. */
export const subscriptions: Guide = {
  slug: 'subscriptions',
  title: '顧客とサブスクリプション',
  summary: 'お客様のカードを登録し、毎週、毎月、または毎年、自動的に請求する方法を説明します。',
  sections: [
    {
      id: 'overview',
      title: '顧客とサブスクリプションの役割',
      body: ({ reference }) => html`
<p>このページを読み終えると、お客様のカードを顧客として登録し、そのカードに自動的に請求するサブスクリプションを作成できるようになります。請求が失敗したときの動作と、お客様に有効なカードを登録し直してもらう方法もわかります。</p>
<ul>
<li><strong>顧客</strong>は、支払い情報を保存するリソースです。トークンを使えば、カード番号は自社のサーバーには届きません。フィールドはリファレンスの${reference('customers')}にあります。</li>
<li><strong>サブスクリプション</strong>は、請求周期ごとに1回、顧客に請求するリソースです。フィールドはリファレンスの${reference('subscriptions')}にあります。</li>
</ul>
<p>サブスクリプションを使わずに、登録済みのカードに請求することもできます。決済を作成するときに、<code>payment_details</code>の代わりに<code>customer</code>を送ってください。</p>`,
    },
    {
      id: 'store-a-card',
      title: '1. カードを登録する',
      body: ({ sample, guide, table }) => html`
<p>ブラウザーが、公開可能キーを使ってカードをトークンにします。トークンは1回だけ使え、有効期間は60分です。ブラウザー用のフォームは${guide('cards')}にあります。次のリクエストは、初回の請求が成功し、2回目以降は拒否されるテスト用カードのトークンを作成します。</p>
${sample(samples.create_token)}
<p>サーバーは、シークレットキーを使って、トークンから顧客を作成します。</p>
<pre tabindex="0"><code>export TOKEN=tok_…</code></pre>
${sample(samples.create_customer)}
<pre tabindex="0"><code>{
  "id": "cus_…",
  "email": "taro@example.com",
  "source": { "type": "credit_card", "brand": "visa", "last_four_digits": "2008", "month": 12, "year": 2035 }
}</code></pre>
<p><code>id</code>を、自社のデータベースのお客様の情報とともに保存してください。<code>payment_details</code>には、次の値を指定できます。</p>
${table(
  ['値', '使う場面'],
  [
    ['トークン（tok_…）', 'お客様がブラウザーでカードを入力する場合。通常はこの方法を使います。'],
    ['本人認証済みのセキュアトークン', 'カードを登録する前に、お客様に3Dセキュアの本人認証を行ってもらう場合'],
    ['カード情報そのもの', '自社のサーバーで、カード番号の取り扱いが認められている場合（PCI DSS）'],
  ],
)}`,
    },
    {
      id: 'subscribe',
      title: '2. サブスクリプションを作成する',
      body: ({ sample, table }) => html`
<pre tabindex="0"><code>export CUSTOMER=cus_…</code></pre>
${sample(samples.create_subscription)}
<pre tabindex="0"><code>{
  "id": "sub_…",
  "status": "active",
  "amount": 10.5,
  "currency": "USD",
  "customer": { "id": 235023523943055, "uuid": "cus_…", … },
  "period": "weekly",
  "retry_count": 0,
  "retry_at": null,
  "next_capture_at": "2030-01-09T03:00:00Z",
  "payments": ["pay_…"],
  "last_failure": null
}</code></pre>
<p>このリクエストは、初回分をその場で請求し、その結果を返します。リクエストに使う顧客のIDは、数値の<code>id</code>ではなく<code>uuid</code>です。毎月1,000円の場合は、<code>1000</code>、<code>JPY</code>、<code>monthly</code>を送ります。</p>
${table(
  ['初回の請求', 'status', '対応'],
  [
    ['成功', 'active', 'お客様がサービスを利用できるようにします。'],
    [
      '拒否',
      'suspended',
      'last_failureで理由を確認します。別のカードの入力を求め、新しいサブスクリプションを作成します。',
    ],
    [
      '結果が不明',
      'pending',
      'イベントを待つか、時間をおいてサブスクリプションを参照します。結果は自動的に反映されます。',
    ],
  ],
)}
<p><strong>金額の表し方が、決済とは異なります。</strong>サブスクリプションの金額は通貨の単位で表し、小数点にはピリオドを使います。サブスクリプションによる決済の金額は、ほかの決済と同じく、通貨の最小単位で表します。その<code>tax</code>は0です。</p>
${table(
  ['価格', 'サブスクリプションのamount', '各決済のamount'],
  [
    ['10ドル50セント', '10.50（レスポンスでは10.5）', '1050'],
    ['1,000円', '1000', '1000'],
    ['無料', '0', '0。請求せずにcapturedになります。'],
  ],
)}`,
    },
    {
      id: 'intervals',
      title: '3. 請求周期ごとの動作',
      body: ({ event, guide, table }) => html`
<p><code>next_capture_at</code>になると、決済サービスが登録済みのカードに請求します。リクエストを送る必要はありません。請求のたびに、<code>customer</code>と<code>subscription</code>が設定された決済が1つ作成されます。<code>payments</code>には、売上が確定した決済のIDが並びます。</p>
${table(
  ['period', '次の請求日'],
  [
    ['weekly', '同じ曜日の同じ時刻'],
    ['monthly', '同じ日。その日がない月では、月の最終日です。'],
    ['yearly', '同じ月日。2月29日は、うるう年以外では2月28日になります。'],
  ],
)}
<p>日付と時刻は、初回の請求の日本時間に基づきます。</p>
<p>${event('subscription.captured')}は、その請求周期の支払いが完了したことを示します。${event('payment.captured')}には、その決済が含まれます。イベントを受信したら、お客様の利用期間を延長してください。受信方法は${guide('webhooks')}をご覧ください。</p>`,
    },
    {
      id: 'failures',
      title: '4. 更新の請求が失敗したとき',
      body: ({ sample, event, table }) => html`
<p>拒否された更新の請求は、24時間ごとに再試行されます。4回続けて失敗すると、サブスクリプションは停止します。</p>
${table(
  ['失敗', 'status', 'retry_count', 'イベント'],
  [
    ['初回の請求', 'suspended', '1', html`${event('subscription.failed')}、${event('subscription.suspended')}`],
    ['更新の1回目', 'retrying', '1', event('subscription.failed')],
    ['2回目、3回目', 'retrying', '2、3', event('subscription.failed')],
    ['4回目', 'suspended', '4', html`${event('subscription.failed')}、${event('subscription.suspended')}`],
  ],
)}
<p>失敗のたびに、${event('payment.failed')}も送られます。直前の失敗の内容は、サブスクリプションで確認できます。</p>
<pre tabindex="0"><code>export SUBSCRIPTION=sub_…</code></pre>
${sample(samples.show_subscription)}
<pre tabindex="0"><code>{
  "status": "retrying",
  "retry_count": 1,
  "retry_at": "2030-01-10T03:00:00Z",
  "next_capture_at": "2030-01-16T03:00:00Z",
  "last_failure": {
    "code": "card_declined",
    "message": "${sentenceOf('card_declined')}",
    "payment": "pay_…",
    "failed_at": "2030-01-09T03:00:00Z"
  }
}</code></pre>
<p>失敗した請求は、<code>status</code>が<code>failed</code>で、<code>failure_code</code>を持つ決済として残ります。</p>
${sample(samples.list_failed_payments)}
<p>再試行が成功すると、サブスクリプションは<code>active</code>に戻り、<code>retry_count</code>は0になります。その後の請求日は変わりません。<code>last_failure</code>は残るため、<code>status</code>で判断してください。</p>`,
    },
    {
      id: 'replace-a-card',
      title: '5. カードを変更する',
      body: ({ sample, event, note }) => html`
<p>${event('subscription.failed')}が届いたら、新しいトークンを作成する自社のページへのリンクを、お客様に送ります。トークンが作成されたら、顧客<code>data.customer.uuid</code>のカードを変更します。</p>
${sample(samples.replace_card)}
<p>次の再試行では、新しいカードに請求されます。この顧客のほかのサブスクリプションも、すべて新しいカードへの請求に変わります。変更した時点では、請求は行われません。</p>
${note(html`停止したサブスクリプションは、カードを変更しても停止したままです。先にカードを変更し、そのあとで新しいサブスクリプションを作成してください。初回分はその場で請求されます。`)}`,
    },
    {
      id: 'end',
      title: '6. サブスクリプションを終了する',
      body: ({ sample, event }) => html`
${sample(samples.delete_subscription)}
<pre tabindex="0"><code>{ "id": "sub_…", "status": "deleted", "ended_at": "2030-01-10T03:00:00Z", "next_capture_at": null }</code></pre>
<p>以後の請求は行われず、${event('subscription.deleted')}が1回送られます。同じリクエストをもう一度送っても、同じサブスクリプションが返ります。過去の決済は残り、返金もできます。顧客を削除すると、その顧客のすべてのサブスクリプションが終了し、カードは完全に消去されます。</p>
<p>サブスクリプションの内容は変更できません。価格や請求周期を変えるには、<code>next_capture_at</code>より前に削除し、新しいサブスクリプションを作成します。新しいサブスクリプションの初回分は、その場で請求されます。</p>`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ error, table }) => html`
${table(
  ['レスポンス', '原因', '対応'],
  [
    [
      html`顧客を作成したときの${error('invalid_token')}`,
      'トークンが使用済みか、作成から60分を過ぎているか、もう一方のモードのものである',
      '試行ごとに新しいトークンを作成してください。',
    ],
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>amount</code>`,
      '10.505 USDや10.50 JPYのように、金額の小数部の桁数が通貨に合っていない',
      '金額を、通貨の小数部の桁数に丸めてください。',
    ],
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>customer</code>`,
      '顧客が存在しないか、削除済みか、もう一方のモードのものである',
      '同じモードのキーで作成した顧客のIDを送ってください。',
    ],
    [
      html`${error('unprocessable_entity')}、<code>param</code>は<code>customer</code>`,
      '登録済みの支払い情報が、繰り返しの請求に対応していない。繰り返し請求できるのはカードだけです。',
      '先にカードを登録してください。',
    ],
    [
      html`200で、<code>status</code>が<code>suspended</code>`,
      '初回の請求が拒否された。これはエラーではなく、請求の結果です。',
      'last_failureで理由を確認し、別のカードの入力を求め、新しいサブスクリプションを作成してください。',
    ],
    [
      html`3Dセキュアが必要なカードで、<code>last_failure.code</code>が<code>card_declined</code>になる`,
      'サブスクリプションはお客様の操作なしで請求するため、3Dセキュアの本人認証を行えない',
      '別のカードの入力を求めてください。',
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ sample, table, guide }) => html`
${table(
  ['テスト用カード', '動作'],
  [
    ['4111111111111111', 'すべての請求が成功します。'],
    ['4123111111112008', '各サブスクリプションの初回の請求だけが成功し、2回目以降はすべて拒否されます。'],
    ['4123111111111059', '拒否されます。サブスクリプションは、作成した時点でsuspendedになります。'],
  ],
)}
<p>ローカル環境では、請求日を待つ代わりに時計を進めます。その間に予定されていた処理がすべて行われ、そのあとでレスポンスが返ります。</p>
${sample(samples.advance_clock)}
<p>初回だけ成功するカードを使うと、毎週のサブスクリプションは、1週間後に<code>retrying</code>になります。時計をさらに<code>86400</code>秒ずつ3回進めると、<code>suspended</code>になります。デプロイ済みのサービスのテストモードでは、<code>POST /test_clock</code>で時計を進めます（${guide('testing')}を参照）。</p>`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide }) => html`
<ul>
<li>更新のイベントを受信する：${guide('webhooks')}</li>
<li>サブスクリプションの二重作成を防ぐ：${guide('idempotency')}</li>
<li>請求した分を返金する：${guide('refunds')}</li>
</ul>`,
    },
  ],
}
