import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import {
  complete_refund_request,
  refund_payment,
  refund_rest,
  refunded_in_part,
  request_refund,
  requested_refund,
} from '../../samples/refunds.ts'
import { show_payment } from '../../samples/start.ts'
import { localRun } from '../local-run.ts'
import { codes, payment_type_groups } from '../payment-types.ts'

/** The guide `refunds` in Japanese. */
export const refunds: Guide = {
  slug: 'refunds',
  title: '返金',
  summary: '現金で支払われたものを含め、決済の全額または一部をお客様に返金する方法を説明します。',
  sections: [
    {
      id: 'choose',
      title: '返金に使うリクエストを選ぶ',
      body: ({ table, event }) => html`
<p>このページを読み終えると、どの支払い方法の決済でも返金できるようになります。返金の方法は、決済のステータスとタイプによって決まります。</p>
${table(
  ['決済', 'リクエスト', 'お客様にお金が戻る時期'],
  [
    [
      html`<code>pending</code>または<code>authorized</code>（まだ支払われていない）`,
      html`<code>POST /payments/:id/cancel</code>`,
      html`まだ請求されていません。カードの与信枠は解放され、${event('payment.cancelled')}が届きます。`,
    ],
    [
      html`<code>captured</code>、カードまたはウォレット`,
      html`<code>POST /payments/:id/refund</code>`,
      html`返金はすぐに行われ、${event('payment.refund.created')}が届きます。カード会社の明細に反映されるまでには、数日かかります。`,
    ],
    [
      html`<code>captured</code>、その他のタイプ`,
      html`<code>POST /payments/:id/refund_request</code>`,
      html`サービスの運営者がお客様の銀行口座に振り込んだあとです。${event('payment.refund.created')}が届きます。`,
    ],
  ],
)}
<p>ウォレットに当たるタイプは、${codes(payment_type_groups.wallet, '、')}です。</p>`,
    },
    {
      id: 'cards-and-wallets',
      title: 'カードまたはウォレットの決済を返金する',
      body: ({ sample, event }) => html`
<p>売上が確定した決済は、1回で、または何回かに分けて返金できます。金額は、通貨の最小単位で表します。JPYの<code>300</code>は300円、USDの<code>300</code>は3ドルです。</p>
<pre tabindex="0"><code>export PAYMENT=pay_…</code></pre>
${sample(refund_payment)}
<p>レスポンスの決済には、すべての返金が含まれます。</p>
<pre tabindex="0"><code>${refunded_in_part}</code></pre>
<p>返金ごとに、別の<code>Idempotency-Key</code>を付けてください。付けない場合、接続が切れたリクエストを再送すると、二重に返金されます。</p>
<p><code>amount</code>を省略すると、残りの全額を返金します。</p>
${sample(refund_rest)}
<p>返金の合計が<code>total</code>に達すると、<code>status</code>は<code>refunded</code>になります。返金のたびに${event('payment.refund.created')}が送られ、最後の返金では${event('payment.refunded')}も送られます。</p>`,
    },
    {
      id: 'cash',
      title: '現金で支払われた決済を返金する',
      body: ({ sample, table, event }) => html`
<p>コンビニなどで支払われたお金は、自動的には戻せません。お客様に銀行口座を確認し、振込による返金を依頼します。</p>
${sample(request_refund)}
<pre tabindex="0"><code>${requested_refund}</code></pre>
<p><code>account_type</code>は、<code>normal</code>（普通）、<code>checking</code>（当座）、<code>savings</code>（貯蓄）のいずれかです。口座番号は、末尾の3桁だけが表示されます。返金と処理待ちの返金依頼を合わせた金額は、<code>total</code>を超えられません。<code>total</code>には、お客様が支払った手数料が含まれます。そのため、手数料のある決済で<code>amount</code>の分だけを返金すると、決済は<code>captured</code>のままになります。</p>
${table(
  ['返金依頼', '意味', 'イベント'],
  [
    [html`<code>pending</code>`, 'サービスの運営者がこれから振り込む', event('payment.updated')],
    [
      html`<code>completed</code>`,
      html`振込が完了した。<code>refunds</code>に返金が追加されます。`,
      event('payment.refund.created'),
    ],
    [
      html`<code>rejected</code>`,
      '口座の誤りなどにより、振り込めなかった。もう一度依頼してください。',
      event('payment.updated'),
    ],
  ],
)}`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ table, error, sample }) => html`
${table(
  ['コード', '原因', '対応'],
  [
    [
      html`422 ${error('not_refundable')}`,
      '決済の売上が確定していないか、タイプに合わないリクエストを使っている',
      html`<code>message</code>で、決済のステータス、または使うべきリクエストを確認できます。`,
    ],
    [
      html`422 ${error('invalid_parameter')}`,
      '金額が、返金できる残額を超えている',
      html`<code>message</code>で残額を確認できます。`,
    ],
    [
      html`504 ${error('gateway_timeout')}`,
      '結果がまだ不明。金額は返金用に確保されています。',
      html`同じ<code>Idempotency-Key</code>で同じリクエストを再送するか、そのまま待ちます。結果がわかると、決済に返金が現れます。`,
    ],
    [
      html`409 ${error('idempotency_in_flight')}`,
      '同じリクエストがまだ処理中',
      html`<code>Retry-After</code>の秒数だけ待ってから再送してください。`,
    ],
  ],
)}
<p>返金の内容を確認するには、決済を参照します。</p>
${sample(show_payment)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ base_url, sample }) => html`
<p>サンドボックスでは、返金は必ず成功します。ローカル環境では、自分が運営者として返金依頼を完了させます。<code>status=rejected</code>を送ると、返金依頼を却下できます。</p>
<pre tabindex="0"><code>export LOCAL_RUN=${localRun(base_url)}
export REFUND_REQUEST=rrq_…</code></pre>
${sample(complete_refund_request)}`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide, reference }) => html`
<ul>
<li>返金のイベントを受信する：${guide('webhooks')}</li>
<li>リクエストを安全に再送する：${guide('idempotency')}</li>
<li>すべてのフィールド：${reference('payments')}</li>
</ul>`,
    },
  ],
}
