import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import {
  authorize_card,
  cancel_payment,
  capture_payment,
  card_form,
  create_secure_token,
  create_token,
  pay_with_3d_secure,
  pay_with_secure_token,
  pay_with_token,
  pending_payment,
} from '../../samples/cards.ts'

/** The guide `cards` in Japanese. */
export const cards: Guide = {
  slug: 'cards',
  title: 'カードと3Dセキュア',
  summary:
    '自社のページでカード決済を受け付け、3Dセキュアの本人認証を行い、与信枠を確保してあとから売上を確定する方法を説明します。',
  sections: [
    {
      id: 'ways',
      title: 'カード番号の扱い方を選ぶ',
      body: ({ guide, table, note }) => html`
<p>このページを読み終えると、自社の購入ページでカードを受け付け、サーバーから請求し、カード会社が求める場合に3Dセキュアの本人認証を行えるようになります。</p>
<p>カード番号を扱う事業者は、国際カードブランドが定めるセキュリティ基準のPCI DSSに従う必要があります。適用される範囲は、カード番号の扱い方によって変わります。</p>
${table(
  ['方法', 'カード番号に触れる範囲', '一般に必要なPCI DSSの自己問診票'],
  [
    [html`決済サービスがホストする決済ページ：${guide('sessions')}`, '決済サービスだけ', 'SAQ A（最も短いもの）'],
    [
      'トークンを作成する自社のフォーム（このページ）',
      'ブラウザー上の自社のページ（サーバーは触れません）',
      'SAQ A-EP',
    ],
    [
      '自社のサーバーからのリクエストにカード番号を含める',
      '自社のサーバーと、そのログやバックアップ',
      'SAQ D（基準のすべての要件）',
    ],
  ],
)}
${note(html`APIは、サーバーからの<code>payment_details[number]</code>も受け付けます。ただし、サービスによっては、カード番号を一切受け付けないこともあります。この方法は、自社がPCI DSSの審査を受けている場合にだけ選んでください。どの自己問診票が適用されるかは、サービスの運営者に確認してください。`)}`,
    },
    {
      id: 'token',
      title: '1. ブラウザーでトークンを作成する',
      body: ({ base_url, sample }) => html`
<p>次のフォームは、公開可能キーを使って、カード情報をブラウザーから決済サービスへ直接送ります。自社のサーバーが受け取るのはトークンだけです。</p>
<pre tabindex="0"><code>${card_form.replace('{base_url}', base_url).replace('{publishable_key}', 'pk_test_…')}</code></pre>
<p>入力欄の名前は、APIのパラメーター名と同じです。自社のサーバーへ送るフォームには、カードの入力欄を含めないでください。トークンは1回だけ使え、有効期間は60分です。</p>
<p>ページを用意せずに次の手順を試すには、ターミナルでトークンを作成します。決済ごとに新しいトークンを作成してください。</p>
${sample(create_token)}`,
    },
    {
      id: 'pay',
      title: '2. サーバーからトークンに請求する',
      body: ({ sample, table, error, event, guide }) => html`
${sample(pay_with_token)}
<p>金額は必ず自社の注文データから取得し、ブラウザーから受け取った値は使わないでください。サンプルの<code>Idempotency-Key</code>は、注文番号とトークンから作ります。レスポンスを受け取れなかったときは、同じキーで同じリクエストを再送します。お客様が別のカードを入力すると、トークンが新しくなり、キーも新しくなります。</p>
${table(
  ['レスポンス', '意味', '対応'],
  [
    [html`200、<code>captured</code>`, '支払い済み', html`商品を発送します。${event('payment.captured')}も届きます。`],
    [
      html`200、<code>pending</code>（<code>payment_details.redirect_url</code>あり）`,
      'カードに3Dセキュアが必要',
      'お客様をリダイレクトします（手順3）。',
    ],
    [
      html`200、<code>authorized</code>`,
      html`<code>capture=false</code>により、与信枠を確保した状態`,
      '期限までに売上を確定します。',
    ],
    [
      html`402、たとえば${error('card_declined')}`,
      html`拒否。<code>details.payment</code>の決済は<code>failed</code>です。`,
      '別のカードの入力を求め、新しいトークンを作成します。',
    ],
    [
      html`422 ${error('fraudulent')}`,
      '不正利用の疑いによる拒否',
      'そのカードで再試行しないでください。理由もお客様に伝えないでください。',
    ],
    [
      html`504 ${error('gateway_timeout')}`,
      '結果がまだ不明',
      html`同じ<code>Idempotency-Key</code>で同じリクエストを再送します（${guide('idempotency', 'unknown')}を参照）。`,
    ],
  ],
)}`,
    },
    {
      id: '3d-secure',
      title: '3. 3Dセキュアの本人認証を行う',
      body: ({ sample, event, guide, table, note }) => html`
<p>3Dセキュア（3Dセキュア2.0）は、カード会員本人による操作であることを、カード会社が確認する仕組みです。どのカードで必要になるかは事前にわからないため、<code>return_url</code>を必ず送ってください。サンドボックスでは<code>4100000000000100</code>で必要になります。手順1のサンプルの番号をこの番号に置き換え、新しいトークンに請求してください。</p>
${sample(pay_with_3d_secure)}
<p>3Dセキュアが必要なカードの場合、決済は本人認証を待つ状態になります。</p>
<pre tabindex="0"><code>${pending_payment}</code></pre>
<ol>
<li>303レスポンスで、お客様を<code>redirect_url</code>へリダイレクトします。</li>
<li>お客様は、カード会社の画面で本人認証を行い、<code>return_url</code>に戻ります。このURLには何も追加されないため、注文番号をあらかじめ含めておいてください。</li>
<li>決済サービスが請求を行い、結果をWebhookで通知します。</li>
</ol>
${table(
  ['イベント', '意味', '対応'],
  [
    [event('payment.captured'), '支払い済み', '商品を発送します。'],
    [
      event('payment.failed'),
      html`<code>failure_code</code>は<code>failed_authentication</code>または拒否コード`,
      '別のカードの入力を求めます。',
    ],
    [event('payment.expired'), 'お客様が1日以内に手続きを終えなかった', '在庫の引き当てを解除します。'],
  ],
)}
${note(html`<code>return_url</code>に戻ったお客様が、支払いを終えているとは限りません。支払いを終えたお客様が戻ってこないこともあります。注文が支払われたかどうかは、Webhookで判断してください（${guide('webhooks')}を参照）。<code>return_url</code>のページでは、注文の現在の状態を表示するか、<code>GET /payments/:id</code>で決済を参照します。`)}
<p>ウォレットも同じ流れです。<code>payment_details[type]=paypay</code>の決済は<code>pending</code>になり、<code>redirect_url</code>が返ります。</p>`,
    },
    {
      id: 'secure-token',
      title: '別の方法：決済前の3Dセキュア',
      body: ({ sample, table, error, reference }) => html`
<p>セキュアトークンを使うと、先に3Dセキュアの本人認証を行い、60分以内であればあとから請求できます。本人認証のあとで、請求するかどうかをサーバーで判断したいときに使います。金額と通貨には、あとで作成する決済と同じ値を指定してください。</p>
${sample(create_secure_token)}
<p>お客様を<code>authentication_url</code>へリダイレクトします。お客様は、末尾に<code>secure_token=tok_…</code>が付いた<code>return_url</code>に戻ります。セキュアトークンを参照し、請求できるステータスであれば請求します。</p>
<pre tabindex="0"><code>export SECURE_TOKEN=tok_…</code></pre>
${sample(pay_with_secure_token)}
${table(
  ['verification_status', '意味', '対応'],
  [
    [html`<code>OK</code>`, '本人認証に成功した', '請求します。'],
    [html`<code>SKIPPED</code>`, 'カードに3Dセキュアが不要', '請求します。'],
    [
      html`<code>NEEDS_VERIFY</code>`,
      'お客様の本人認証がまだ終わっていない',
      html`お客様をもう一度<code>authentication_url</code>へ案内します。`,
    ],
    [html`<code>ERRORED</code>`, '本人認証に失敗した', '別のカードの入力を求めます。'],
  ],
)}
<p>セキュアトークンは1回だけ使えます。使用済みの場合や、請求できないステータスの場合は、${error('invalid_token')}が返ります。フィールドはリファレンスの${reference('secure_tokens')}にあります。</p>`,
    },
    {
      id: 'hold',
      title: '与信枠を確保し、あとから売上を確定する',
      body: ({ sample, event, error }) => html`
<p><code>capture=false</code>を指定すると、カードのオーソリだけを行います。与信枠は確保されますが、まだ請求されません。商品を発送するときに売上確定（キャプチャ）を行います。次の例は、新しいトークンで25ドルの与信枠を確保します。</p>
${sample(authorize_card)}
<p><code>status</code>は<code>authorized</code>になり、${event('payment.authorized')}が届きます。与信枠は<code>payment_deadline</code>まで確保されます。この期限は30日後ですが、カード会社の指定によって早まることもあります。期限を過ぎると決済は期限切れになり、${event('payment.expired')}が届きます。</p>
<p>売上確定は、全額でも一部でも行えます。残りの与信枠は解放されるため、2回目の売上確定はできません。次の例は20ドルの売上を確定します。</p>
<pre tabindex="0"><code>export PAYMENT=pay_…</code></pre>
${sample(capture_payment)}
<p>オーソリ済みの合計を超える金額を指定すると${error('invalid_parameter')}が、与信枠を確保していない決済の売上を確定しようとすると${error('not_capturable')}が返ります。カード会社が売上確定を拒否した場合は402が返り、決済は<code>authorized</code>のままです。</p>
<p>与信枠の全額を解放するには、決済を取り消します。</p>
${sample(cancel_payment)}
<p>売上が確定した決済は取り消せません（${error('not_cancellable')}）。返金してください。</p>`,
    },
    {
      id: 'declines',
      title: '拒否されたときにお客様へ伝えること',
      body: ({ guide, event }) => html`
<p>コードごとの文は${guide('errors', 'declines')}にあります。コードは、レスポンスの<code>error.code</code>に入ります。失敗した決済と${event('payment.failed')}では、<code>failure_code</code>に入ります。</p>`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ guide }) => html`
<p>テストキーを使う場合、<code>4111111111111111</code>は成功し、<code>4123111111111059</code>は拒否されます。<code>4100000000000100</code>では3Dセキュアが必要になり、<code>redirect_url</code>は<em>認証する</em>、<em>認証に失敗する</em>、<em>認証せずに閉じる</em>のボタンがあるページです。有効期限は未来の日付、名義とセキュリティコードは任意の値でかまいません。すべての番号は${guide('testing')}にあります。</p>`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide }) => html`
<ul>
<li>注文が支払われたことをWebhookで判断する：${guide('webhooks')}</li>
<li>返金する：${guide('refunds')}</li>
<li>カードを登録し、繰り返し請求する：${guide('subscriptions')}</li>
<li>リクエストを安全に再送する：${guide('idempotency')}</li>
</ul>`,
    },
  ],
}
