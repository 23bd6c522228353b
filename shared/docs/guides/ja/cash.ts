import { html } from 'hono/html'
import { payment_type_rows } from '#shared/domain/payment-details.ts'
import { konbini_stores } from '#shared/domain/session-methods.ts'
import type { Guide } from '../../guide.ts'
import { cancel_payment } from '../../samples/cards.ts'
import { pay_as_customer, pay_at_konbini, pay_by_bank_transfer, reserved_payment } from '../../samples/cash.ts'
import { advance_clock } from '../../samples/testing.ts'
import { localRun } from '../local-run.ts'
import { codes } from '../payment-types.ts'

/** The guide `cash` in Japanese. */
export const cash: Guide = {
  slug: 'cash',
  title: '現金決済',
  summary:
    'コンビニ、Pay-easy（ペイジー）、銀行振込での支払いを受け付け、支払いを確認してから発送する方法を説明します。',
  sections: [
    {
      id: 'choose',
      title: '現金決済の流れと種類',
      body: ({ table, guide }) => html`
<p>このページを読み終えると、お客様がサイトで注文し、後日現金で支払い、その支払いを確認してから発送する流れを作れるようになります。</p>
<p>まず、決済を予約します。お客様は、発行された番号を使い、期限までの都合のよいときに支払います。支払いが終わると、Webhookが届きます。現金決済で使える通貨はJPYだけです。</p>
${table(
  ['タイプ', 'お客様が支払う場所', 'お客様が負担する手数料', '支払い期限までの日数'],
  [
    [
      html`<code>konbini</code>`,
      'コンビニ',
      `${payment_type_rows.konbini.fee}円`,
      html`<code>expiry_days</code>で0～59日、省略時は3日`,
    ],
    [html`<code>pay_easy</code>`, 'ATMまたはネットバンキング', `${payment_type_rows.pay_easy.fee}円`, '3日'],
    [
      html`<code>bank_transfer</code>`,
      '銀行口座への振込',
      'なし',
      html`<code>expiry_days</code>で1～59日、省略時は3日`,
    ],
  ],
)}
<p>期限は、最終日の日本時間23:59:59です。<code>expiry_days=0</code>なら、当日の終わりまでです。お客様が支払う金額は<code>total</code>で、金額、税額、手数料の合計です。</p>
<p>お客様の情報の入力を、決済サービスがホストする決済ページに任せることもできます（${guide('sessions')}を参照）。</p>`,
    },
    {
      id: 'reserve',
      title: '1. 決済を予約する',
      body: ({ sample, table }) => html`
<p>次の例は、コンビニで支払う3,000円の決済を予約します。</p>
${sample(pay_at_konbini)}
<pre tabindex="0"><code>${reserved_payment}</code></pre>
<p><code>authorized</code>は、予約済み（支払い待ち）という意味です。まだ支払われていません。</p>
<p><code>payment_details</code>に必要なフィールドは、タイプによって異なります。</p>
${table(
  ['タイプ', 'フィールド'],
  [
    [
      html`<code>konbini</code>`,
      html`<code>store</code>と<code>email</code>。<code>phone</code>と<code>expiry_days</code>は任意です。指定できるコンビニ：${codes(konbini_stores, '、')}`,
    ],
    [
      html`<code>pay_easy</code>`,
      html`<code>email</code>、<code>phone</code>、<code>family_name</code>、<code>given_name</code>と、カタカナの姓名<code>family_name_kana</code>、<code>given_name_kana</code>`,
    ],
    [html`<code>bank_transfer</code>`, html`<code>pay_easy</code>と同じ。<code>expiry_days</code>は任意です。`],
  ],
)}
<p>次の例は、銀行振込の決済を予約します。</p>
${sample(pay_by_bank_transfer)}`,
    },
    {
      id: 'instructions',
      title: '2. お客様に支払い方を案内する',
      body: ({ table }) => html`
<p>最も簡単なのは、お客様を<code>payment_details.instructions_url</code>へ案内し、そのリンクをメールにも記載する方法です。このページは、支払いに必要な番号、期限、コンビニごとの手順を、決済の<code>locale</code>に応じて日本語、英語、韓国語のいずれかで表示します。印刷することもでき、あとから開くと、支払い済みか期限切れかも確認できます。</p>
<p>自社のページに番号を表示する場合は、<code>payment_details</code>の次のフィールドを使います。</p>
${table(
  ['タイプ', 'お客様に必要な情報'],
  [
    [html`<code>konbini</code>`, html`<code>store</code>、<code>receipt</code>、<code>confirmation_code</code>`],
    [html`<code>pay_easy</code>`, html`<code>bank_id</code>、<code>customer_id</code>、<code>confirmation_id</code>`],
    [
      html`<code>bank_transfer</code>`,
      html`<code>bank_name</code>、<code>account_branch_name</code>、<code>account_type</code>、<code>account_number</code>、<code>account_name</code>、<code>order_id</code>`,
    ],
  ],
)}
<p>支払い金額として<code>total</code>を、期限として<code>payment_deadline</code>を表示してください。</p>`,
    },
    {
      id: 'paid',
      title: '3. Webhookが届いたら発送する',
      body: ({ table, event, guide, note }) => html`
${table(
  ['イベント', '決済', '対応'],
  [
    [event('payment.authorized'), html`<code>authorized</code>`, '商品を取り置き、支払い方の案内を送ります。'],
    [event('payment.captured'), html`<code>captured</code>`, '支払い済みです。商品を発送します。'],
    [
      event('payment.expired'),
      html`<code>expired</code>`,
      '期限が過ぎました。取り置きを解除し、必要であれば新しい決済を案内します。',
    ],
    [
      event('payment.cancelled'),
      html`<code>cancelled</code>`,
      '自社が決済を取り消しました。発送するものはありません。',
    ],
  ],
)}
${note(html`お客様が支払うのは、サイトを離れてから数日後のこともあります。そのため、リダイレクトでは支払いを確認できません。注文が支払われたことを示すのは${event('payment.captured')}だけです。先に受信用エンドポイントを用意してください（${guide('webhooks')}を参照）。`)}
<p>注文は<code>external_order_num</code>で特定します。イベントには、リクエストで送った値がそのまま入ります。</p>`,
    },
    {
      id: 'cancel',
      title: '支払い前の決済を取り消す',
      body: ({ sample, error, guide }) => html`
<p>お客様が購入をやめた場合は、以後支払われないように決済を取り消します。</p>
<pre tabindex="0"><code>export PAYMENT=pay_…</code></pre>
${sample(cancel_payment)}
<p>すでに支払われた決済を取り消そうとすると、${error('not_cancellable')}が返ります。その場合は、返金依頼で返金してください（${guide('refunds', 'cash')}を参照）。</p>`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ table, error }) => html`
${table(
  ['コード', '原因', '対応'],
  [
    [error('invalid_currency'), '通貨がJPYではない', '現金決済は、日本円の注文にだけ案内してください。'],
    [
      error('missing_parameter'),
      'タイプに必要なフィールドがない',
      html`<code>details.errors</code>で、不足しているフィールドをすべて確認できます。`,
    ],
    [
      error('invalid_parameter'),
      '未対応のコンビニを指定したなど',
      html`<code>message</code>で、指定できる値を確認できます。`,
    ],
    [
      error('not_capturable'),
      '現金決済の売上を確定しようとした',
      'お客様が支払うと自動的に売上が確定します。支払いを待ってください。',
    ],
    [
      error('not_refundable'),
      '現金決済に通常の返金を行おうとした',
      html`<code>POST /payments/:id/refund_request</code>を使ってください。`,
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ base_url, sample }) => html`
<p>テストモードでは、ブラウザーで<code>instructions_url</code>を開き、<em>お支払いをシミュレートする</em>を押します。英語で表示された場合は、画面上部で日本語に切り替えてください。ローカル環境では、ターミナルから支払うこともできます。</p>
<pre tabindex="0"><code>export LOCAL_RUN=${localRun(base_url)}
export PAYMENT=pay_…</code></pre>
${sample(pay_as_customer)}
<p>期限切れを確認するには、別の決済を予約し、ローカル環境の時計を4日進めます。</p>
${sample(advance_clock)}`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide, reference }) => html`
<ul>
<li>イベントを受信して検証する：${guide('webhooks')}</li>
<li>現金で支払われた決済を返金する：${guide('refunds')}</li>
<li>すべてのフィールド：${reference('payments')}</li>
</ul>
<p>プリペイド番号（<code>bit_cash</code>、<code>net_cash</code>、<code>web_money</code>）では、支払いを待つ必要はありません。レスポンスはすぐに<code>captured</code>になるか、402になります。</p>`,
    },
  ],
}
