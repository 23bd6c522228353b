import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import {
  cancel_session,
  create_session,
  create_session_of_items,
  new_session,
  show_session,
  store_card,
} from '../../samples/sessions.ts'
import { codes, payment_type_groups } from '../payment-types.ts'

/** The guide `sessions` in Japanese. */
export const sessions: Guide = {
  slug: 'sessions',
  title: 'セッション：ホスト型の決済ページ',
  summary:
    'すべての支払い方法、3Dセキュア、3つの言語に対応した完成済みの決済ページへ、1つのリクエストでお客様を案内する方法を説明します。',
  sections: [
    {
      id: 'overview',
      title: 'セッションの流れ',
      body: ({ guide }) => html`
<p>このページを読み終えると、お客様を決済サービスの決済ページへ案内し、支払いの完了を確認できるようになります。カード番号は自社サイトを通らないため、PCI DSSの自己問診票は一般に最も短いもの（SAQ A）で済みます。</p>
<ol>
<li>サーバーが、注文に対するセッションを作成します。</li>
<li>お客様を<code>session_url</code>へリダイレクトします。お客様はそこで支払い方法を選びます。拒否された場合は、もう一度試すことができます。</li>
<li>決済ページが、お客様を<code>return_url</code>に戻します。</li>
<li>注文が支払われたことが、Webhookでサーバーに通知されます。</li>
</ol>
<p>支払いフォームを自社で作る場合は、${guide('cards')}をご覧ください。</p>`,
    },
    {
      id: 'create',
      title: '1. セッションを作成する',
      body: ({ sample, reference }) => html`
${sample(create_session)}
<pre tabindex="0"><code>${new_session}</code></pre>
<p><code>amount</code>は、通貨の最小単位で表します。JPYの<code>2500</code>は2,500円、USDの<code>2500</code>は25ドルです。<code>external_order_num</code>、<code>metadata</code>、<code>payment_data[webhooks]</code>は、決済に引き継がれます。<code>email</code>は決済ページに入力済みで表示され、お客様が変更できます。<code>default_locale</code>は<code>ja</code>（既定値）、<code>en</code>、<code>ko</code>のいずれかです。すべてのパラメーターは、リファレンスの${reference('sessions')}にあります。</p>
<p><code>metadata</code>の上限は、40文字以内のキーが50個です。値は、2,000文字以内の文字列、<code>true</code>、<code>false</code>、15桁以内の数値のいずれかで、オブジェクトや配列は含められません。</p>
<p>セッションの<code>id</code>を、注文とともに保存してください。</p>`,
    },
    {
      id: 'redirect',
      title: '2. お客様をリダイレクトする',
      body: () => html`
<p>お客様のブラウザーからのリクエストに、ステータス303と<code>Location: &lt;session_url&gt;</code>で応答します。決済ページは、スマートフォンでも、JavaScriptなしでも動作します。セッションで支払える時間は24時間です。<code>expires_in_seconds</code>を指定した場合は、その秒数になります。</p>`,
    },
    {
      id: 'return',
      title: '3. 戻ってきたお客様を迎える',
      body: ({ sample, note }) => html`
<p>お客様は、末尾に<code>session_id=ses_…</code>が付いた<code>return_url</code>に戻ります。シークレットキーでセッションを参照し、注文の現在の状態を表示してください。</p>
<pre tabindex="0"><code>export SESSION=ses_…</code></pre>
${sample(show_session)}
${note(html`お客様が戻ってきたことは、支払いの証明になりません。<code>return_url</code>は誰でも開けます。支払いを終えたお客様が、戻る前にブラウザーを閉じることもあります。現金で支払うセッションは、実際に支払われる前に<code>completed</code>になります。支払われたかどうかは、手順4で判断してください。`)}`,
    },
    {
      id: 'paid',
      title: '4. Webhookが届いたら発送する',
      body: ({ table, event, guide }) => html`
<p>${event('payment.captured')}を受信した時点で、注文は支払い済みです。このイベントの<code>data</code>は決済で、<code>session</code>と<code>external_order_num</code>が含まれます。受信用エンドポイントを用意し、署名を検証してください（${guide('webhooks')}を参照）。</p>
${table(
  ['セッション', '決済', '状況', '対応'],
  [
    [html`<code>pending</code>`, 'null', 'お客様がまだ支払いを試していない', '待ちます。'],
    [
      html`<code>pending</code>`,
      html`<code>failed</code>`,
      '直前の試行が拒否された',
      '待ちます。お客様はもう一度試せます。',
    ],
    [
      html`<code>pending</code>`,
      html`<code>pending</code>`,
      'お客様が3Dセキュアまたはウォレットの手続き中か、結果がまだ不明',
      '待ちます。',
    ],
    [html`<code>completed</code>`, html`<code>captured</code>`, '支払い済み', '発送します。'],
    [
      html`<code>completed</code>`,
      html`<code>authorized</code>`,
      html`現金決済が予約されたか、<code>payment_data[capture]=manual</code>によりカードの与信枠が確保された`,
      html`現金決済では、${event('payment.captured')}または${event('payment.expired')}を待ちます。カードでは、売上を確定します。`,
    ],
    [
      html`<code>cancelled</code>`,
      '問わない',
      '自社またはお客様がセッションを取り消した',
      '商品の取り置きを解除します。',
    ],
    [
      html`<code>pending</code>、<code>expired</code>がtrue`,
      '問わない',
      '有効期限が過ぎた',
      '商品の取り置きを解除するか、新しいセッションを作成します。',
    ],
  ],
)}`,
    },
    {
      id: 'payment-types',
      title: '支払い方法を選ぶ',
      body: ({ table }) => html`
<p><code>payment_types</code>を省略すると、決済ページは、通貨に対応するすべての支払い方法を表示します。タイプを指定すると、その支払い方法だけを、指定した順に表示します。</p>
${table(
  ['タイプ', '通貨', '決済の結果', '返金に使うリクエスト'],
  [
    [
      codes(payment_type_groups.card, '、'),
      '任意',
      html`<code>captured</code>。必要な場合は、その前に3Dセキュアの本人認証を行います。`,
      'refund',
    ],
    [
      codes(payment_type_groups.cash, '、'),
      'JPY',
      html`<code>authorized</code>。お客様が支払うと<code>captured</code>になります。`,
      'refund_request',
    ],
    [
      codes(payment_type_groups.wallet, '、'),
      '任意',
      html`ウォレットでの手続き中は<code>pending</code>、その後<code>captured</code>`,
      'refund',
    ],
    [
      codes(payment_type_groups.other_off_site, '、'),
      '任意',
      html`支払い先のサービスでの手続き中は<code>pending</code>、その後<code>captured</code>`,
      'refund_request',
    ],
    [codes(payment_type_groups.prepaid, '、'), '任意', html`すぐに<code>captured</code>`, 'refund_request'],
  ],
)}
<p>本番モードの決済ページに表示されるのは、決済サービスのアクワイアラーが対応している支払い方法だけです。お客様が選べる支払い方法と、それぞれの金額と手数料は、セッションの<code>payment_methods</code>で確認できます。</p>`,
    },
    {
      id: 'line-items',
      title: '購入内容を表示する',
      body: ({ sample }) => html`
<p>決済ページは<code>line_items</code>を一覧で表示します。明細の<code>amount</code>は単価です。セッションの<code>amount</code>を省略すると、明細の合計を請求します。次の例では34ドルです。</p>
${sample(create_session_of_items)}`,
    },
    {
      id: 'store-card',
      title: '支払いなしでカードを登録する',
      body: ({ sample, event, guide }) => html`
<p><code>mode=customer</code>を指定すると、決済ページでカードを受け付け、顧客として登録します。</p>
${sample(store_card)}
<p>セッションが<code>completed</code>になると、<code>customer_id</code>に新しい顧客のIDが入り、${event('customer.created')}が届きます。あとからこの顧客に請求できます（${guide('subscriptions')}を参照）。</p>
<p>お客様が次に購入するときは、<code>customer</code>に顧客のIDを指定してセッションを作成します。決済ページには、登録済みのカードもブランドと下4桁で表示され、そのセッションの決済はすべてこの顧客のものになります。自社のフォームで支払う場合は、<code>payment_details</code>の代わりに<code>customer</code>を<code>POST /sessions/:id/pay</code>に送ります。</p>`,
    },
    {
      id: 'cancel',
      title: 'セッションを取り消す',
      body: ({ sample, error }) => html`
<p>商品が売り切れたときなどにセッションを取り消すと、そのセッションでは支払えなくなります。</p>
${sample(cancel_session)}
<p>完了したセッションを取り消そうとすると、${error('not_cancellable')}が返ります。その場合は、決済を返金してください。決済が<code>authorized</code>であれば、決済を取り消してください。</p>`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ table, error }) => html`
${table(
  ['症状', '原因', '対応'],
  [
    [
      error('invalid_payment_type'),
      html`<code>payment_types</code>に、通貨に対応するタイプがない`,
      '現金決済にはJPYを指定してください。',
    ],
    [error('invalid_parameter'), html`<code>amount</code>が10.50になっているなど`, '1050を送ってください。'],
    [
      html`<code>POST /sessions/:id/pay</code>の${error('unprocessable_entity')}`,
      'セッションが期限切れ、取消済み、または20回試行済み',
      '新しいセッションを作成してください。',
    ],
    [
      html`取消時の${error('conflict')}`,
      'ちょうど請求を処理中である',
      '数秒待ってから、セッションをもう一度参照してください。',
    ],
    [
      html`<code>POST /sessions/:id/pay</code>の200に<code>error</code>がある`,
      html`支払いが拒否された。理由は<code>payment.failure_code</code>で確認できます。`,
      'お客様にもう一度試してもらってください。',
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ guide }) => html`
<p>テストキーで作成したセッションの<code>session_url</code>を、ブラウザーで開きます。<code>4111111111111111</code>で支払いの成功を、<code>4123111111111059</code>で拒否を、<code>4100000000000100</code>で3Dセキュアを確認できます。現金決済では、支払い手順のページで<em>お支払いをシミュレートする</em>を押します。英語で表示された場合は、画面上部で日本語に切り替えてください。<code>return_url</code>にはlocalhostのURLも指定できます。ページのフォームを送信できるのは、ブラウザーだけです。自動テストでは、代わりに<code>POST /sessions/:id/pay</code>を送ります。ローカル環境では、現金での支払いや承認に<code>POST /_local/payments/:id/pay</code>を使います。ローカル環境では、<code>/</code>のページでセッションを作成し、すぐに支払えます。詳しくは${guide('testing')}をご覧ください。</p>`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide, reference }) => html`
<ul>
<li>イベントを受信する：${guide('webhooks')}</li>
<li>現金での支払い：${guide('cash')}</li>
<li>返金する：${guide('refunds')}</li>
<li><code>POST /sessions/:id/pay</code>と公開可能キーを使い、セッションのフォームを自社で作る：${reference('sessions')}</li>
</ul>`,
    },
  ],
}
