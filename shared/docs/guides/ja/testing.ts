import { html } from 'hono/html'
import type { Guide, GuideParts, Html } from '../../guide.ts'
import { create_token } from '../../samples/cards.ts'
import { pay_as_customer } from '../../samples/cash.ts'
import {
  advance_clock,
  advance_test_clock,
  create_merchant,
  ignored_parameter,
  lost_answer,
  show_test_clock,
  type TestCard,
  test_cards,
} from '../../samples/testing.ts'
import { localRun } from '../local-run.ts'

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  master: 'Mastercard',
  jcb: 'JCB',
  american_express: 'American Express',
  diners_club: 'Diners Club',
}

function resultOf({ result }: TestCard, { error }: GuideParts): string | Html {
  switch (result) {
    case 'succeeds':
      return '成功'
    case 'needs_3d_secure':
      return '3Dセキュアが必要'
    case 'pays_once':
      return '各サブスクリプションの初回の請求は成功し、2回目以降は拒否'
    case 'fraudulent':
      return html`422 ${error(result)}`
    default:
      return html`402 ${error(result)}`
  }
}

/** The guide `testing` in Japanese. */
export const testing: Guide = {
  slug: 'testing',
  title: 'テスト',
  summary:
    '拒否、3Dセキュア、現金決済、タイムアウト、時間の経過など、あらゆる結果を本番利用の前に試す方法を説明します。',
  sections: [
    {
      id: 'modes',
      title: 'テストモードとローカル環境',
      body: ({ table, guide }) => html`
<p>このページの方法を使うと、コードで対応すべきあらゆる状況を、実際のお金を動かさずに再現できます。</p>
${table(
  ['環境', 'キー', '用途'],
  [
    [
      'ローカル環境',
      html`初回の<code>npm start</code>で表示される<code>sk_test_…</code>と<code>pk_test_…</code>`,
      '手元のマシンでの開発と自動テスト。アカウントは不要で、レート制限もなく、時計を進められます。',
    ],
    [
      'デプロイ済みのサービスのテストモード',
      html`サービスの運営者から受け取る<code>sk_test_…</code>と<code>pk_test_…</code>`,
      'Webhook用の公開URLを使う結合テスト。上限は、キーごとに毎分1,500リクエストです。',
    ],
  ],
)}
<p>テストモードと本番モードは、データを一切共有しません。一方のモードのIDは、もう一方のモードのキーでは参照できません。リクエストとレスポンスの形式はすべて同じです。そのため、本番利用を始めるにはキーを変えるだけで済みます。ローカル環境で開発を始めた場合は、ベースURLも変えます（${guide('live')}を参照）。</p>`,
    },
    {
      id: 'cards',
      title: 'カード番号',
      body: (parts) => html`
<p>有効期限は未来の日付、名義とセキュリティコードは任意の値でかまいません。結果は番号によって決まります。</p>
${parts.table(
  ['番号', 'ブランド', '結果'],
  test_cards.map((card) => [
    html`<code>${card.number}</code>`,
    brands[card.brand] ?? card.brand,
    resultOf(card, parts),
  ]),
)}
<p>ほかの有効な番号は、すべて成功します。有効期限の月が過ぎたカードは、${parts.error('invalid_parameter')}で拒否されます。登録後に有効期限の月が過ぎたカードは、請求時に${parts.error('card_expired')}で拒否されます。</p>
<p>テストモードでは、カードを登録してもカード会社への照会は行われません。どの番号でもトークンを作成でき、顧客のカードとして登録できます。拒否されるのは、請求したときです。表の番号を使うには、次のサンプルの番号を置き換えてください。</p>
${parts.sample(create_token)}`,
    },
    {
      id: '3d-secure',
      title: '3Dセキュアとウォレット',
      body: ({ base_url, table, event, sample }) => html`
<p>テストモードの<code>redirect_url</code>と<code>authentication_url</code>は、カード会社やウォレットの代わりとなるサンドボックスのページです。ブラウザーで開き、結果を選んでください。</p>
${table(
  ['ボタン', '決済', 'イベント'],
  [
    [
      html`<em>認証する</em>（3Dセキュア）、<em>承認する</em>（ウォレット）`,
      html`<code>captured</code>`,
      event('payment.captured'),
    ],
    [
      html`<em>認証に失敗する</em>、<em>拒否する</em>`,
      html`<code>failed</code>。<code>failure_code</code>は<code>failed_authentication</code>または<code>refused_by_customer</code>です。`,
      event('payment.failed'),
    ],
    [
      html`<em>認証せずに閉じる</em>、またはページを離れる`,
      html`<code>pending</code>。期限を過ぎると<code>expired</code>になります。`,
      event('payment.expired'),
    ],
  ],
)}
<p>ローカル環境では、ブラウザーを使わずに、自動テストから決済を承認できます。</p>
<pre tabindex="0"><code>export LOCAL_RUN=${localRun(base_url)}
export PAYMENT=pay_…</code></pre>
${sample(pay_as_customer)}`,
    },
    {
      id: 'cash',
      title: '現金決済',
      body: ({ event, guide }) => html`
<p>現金決済は、支払われるまで<code>authorized</code>です。<code>payment_details.instructions_url</code>を開いて<em>お支払いをシミュレートする</em>を押すか、ローカル環境で前のサンプルを実行してください。決済は<code>captured</code>になり、${event('payment.captured')}が届きます。${event('payment.expired')}を確認するには、期限が過ぎるまで時計を進めます。詳しくは${guide('cash')}をご覧ください。</p>`,
    },
    {
      id: 'scenarios',
      title: 'タイムアウトと遅いレスポンス',
      body: ({ table, error, sample, guide }) => html`
<p>カード番号では再現できない状況もあります。テストモードでは、<code>X-Service-Scenario</code>ヘッダーでそうした状況を再現できます。対象は、アクワイアラーに届くすべてのリクエスト、つまり決済、売上確定、返金、取消です。</p>
${table(
  ['シナリオ', '起きること', 'コードで必要な対応'],
  [
    [
      html`<code>timeout_before_charge</code>`,
      html`504 ${error('gateway_timeout')}。請求は行われていません。1分後に決済は<code>failed</code>になり、<code>failure_code</code>は<code>never_arrived</code>になります。`,
      html`同じ<code>Idempotency-Key</code>でリクエストを再送します。1分を過ぎると402 ${error('other_error')}が返るため、同じカードの新しいトークンと新しいキーを使います。`,
    ],
    [
      html`<code>timeout_after_charge</code>`,
      html`504 ${error('gateway_timeout')}。カードへの請求は完了しています。1分後に決済は<code>captured</code>になります。`,
      html`同じ<code>Idempotency-Key</code>でリクエストを再送します。新しいキーを使うと、二重に請求されます。`,
    ],
    [
      html`<code>duplicate_answer</code>`,
      'アクワイアラーが、注文の重複を報告します。これは決済サービスが解決し、通常のレスポンスが返ります。',
      '何も必要ありません。',
    ],
    [html`<code>slow</code>`, 'レスポンスが3秒遅れます。', '待ちます。タイムアウトは30秒以上に設定してください。'],
  ],
)}
<p>次のサンプルは、請求へのレスポンスが失われた状況を再現し、ヘッダーを外して同じリクエストを再送します。先に新しいトークンを作成し、<code>TOKEN</code>に設定してください。</p>
${sample(lost_answer)}
<p>1回目のレスポンスは504で、<code>details.payment</code>が決済のIDです。2回目は200で、同じ決済が返ります。請求は1回だけです。存在しないシナリオを指定すると、${error('invalid_parameter')}が返ります。本番モードでは、このヘッダーは無視されます。詳しくは${guide('idempotency')}をご覧ください。</p>`,
    },
    {
      id: 'ignored-parameters',
      title: '入力ミスを見つける',
      body: ({ sample }) => html`
<p>新旧のクライアントがどちらも動作するように、未知のパラメーターは無視されます。テストモードでは、無視されたパラメーターの名前が、レスポンスの<code>X-Service-Ignored-Parameters</code>ヘッダーに入ります。開発中は、このヘッダーをログに残してください。次の例では、<code>return_url</code>のつづりが間違っています。</p>
${sample(ignored_parameter)}
<p>一覧の取得で未知の絞り込み条件を送った場合も、その名前がこのヘッダーに入ります。</p>`,
    },
    {
      id: 'test-clock',
      title: 'テストモードの時間を進める',
      body: ({ sample, reference, error, note }) => html`
<p>デプロイ済みのサービスでは、加盟店ごとにテストモードの時計があります。時計を進めると、サブスクリプションの更新、決済の期限切れ、Webhookの再配信を、待たずに確認できます。ほかの加盟店の時間は進みません。次の例は、時計を31日進めます。</p>
${sample(advance_test_clock)}
<p>レスポンスはすぐに返り、<code>now</code>は時計が進み終わる時刻です。その後、サービスはこの間に予定されていた処理を順に行います。予定の時刻ごとに数秒かかり、はじめて進めるときは、さらに1分ほどかかります。終わるまでは、次に進めるリクエストは409 ${error('conflict')}で拒否されます。<code>advance</code>に0を指定すると、到達した時刻が返ります。終わりの時刻になるまで、次のリクエストを繰り返してください。</p>
${sample(show_test_clock)}
<p>1回のリクエストで進められるのは、最大で1年（31,622,400秒）です。ローカル環境では、同じリクエストが環境全体の時計を進め、処理がすべて終わってからレスポンスが返ります。本番モードには、このエンドポイントはありません。詳しくは${reference('test_clock')}のリファレンスをご覧ください。</p>
${note(html`時計は前にだけ進み、そのあとは実際の時間とともに進みます。トークンとセッションも期限切れになるため、時計を進めたあとで作成してください。ID、一覧の<code>start_time</code>と<code>end_time</code>、APIキー、冪等キー、<code>webhook-timestamp</code>は、実際の時間のままです。`)}`,
    },
    {
      id: 'clock',
      title: 'ローカル環境の時計を進める',
      body: ({ base_url, sample, guide, note }) => html`
<p>ローカル環境は、独自の時計を持っています。時計を進めると、その間に予定されていた処理がすべて順に行われ、そのあとでレスポンスが返ります。たとえば、決済は期限切れになり、サブスクリプションは請求され、Webhookは再配信され、精算が作成されます。次の例は、時計を4日進めます。</p>
<pre tabindex="0"><code>export LOCAL_RUN=${localRun(base_url)}</code></pre>
${sample(advance_clock)}
<p>レスポンスは<code>{"now": …}</code>です。たとえば、カード<code>4123111111112008</code>で毎週のサブスクリプションを作成し、7日進めると、2回目の請求が失敗します（${guide('subscriptions')}を参照）。</p>
${note(html`時計は前にだけ進み、ローカル環境のすべての加盟店に影響します。トークンとセッションも期限切れになるため、時計を進めたあとで作成してください。最初からやり直すには、ローカル環境を停止し、<code>DATA_DIR=.data2 npm start</code>のように別のフォルダーを指定して起動します。`)}`,
    },
    {
      id: 'local-run',
      title: 'ローカル環境だけの機能',
      body: ({ table, sample, guide }) => html`
<p>次のアドレスは、キーを必要とせず、手元のマシンからのリクエストにだけ応答します。デプロイ済みのサービスにはありません。</p>
${table(
  ['リクエスト', '動作'],
  [
    [html`ブラウザーで<code>GET /</code>`, 'セッションを作成してすぐに支払えるページを表示します。'],
    [html`<code>POST /_local/payments/:id/pay</code>`, 'お客様として現金で支払うか、外部サイトでの決済を承認します。'],
    [
      html`<code>status</code>を付けた<code>POST /_local/refund_requests/:id</code>`,
      html`返金依頼を完了（<code>completed</code>）または却下（<code>rejected</code>）します。`,
    ],
    [html`<code>advance</code>を付けた<code>POST /_local/clock</code>`, '指定した秒数だけ時計を進めます。'],
    [html`<code>name</code>を付けた<code>POST /_local/merchants</code>`, '加盟店を作成し、そのキーを返します。'],
    [html`<code>GET /_local/health</code>`, 'サービスが動作していることと、時計の時刻を返します。'],
  ],
)}
<p>キーを紛失した場合や、テストの実行ごとに別の加盟店を使いたい場合は、加盟店を作成してください。</p>
${sample(create_merchant)}
<p>ローカル環境では、テストモードのWebhookを<code>http://localhost</code>に送ることもできます（${guide('webhooks')}を参照）。</p>`,
    },
    {
      id: 'checklist',
      title: '本番利用の前にテストすること',
      body: ({ guide }) => html`
<ul>
<li>成功する決済、拒否される決済、別のカードでの再試行。</li>
<li>3Dセキュア：認証の成功、認証の失敗、お客様が画面を閉じた場合。</li>
<li>支払いを終えたお客様が、サイトに戻ってこない場合。</li>
<li>現金決済：1日後に支払われた場合と、期限切れになった場合。</li>
<li>504のあと、同じ<code>Idempotency-Key</code>での再送。</li>
<li>同じWebhookが2回届いた場合と、署名が正しくないWebhookが届いた場合。</li>
<li>一部返金と全額返金。</li>
</ul>
<p>続けて${guide('live')}をご覧ください。</p>`,
    },
  ],
}
