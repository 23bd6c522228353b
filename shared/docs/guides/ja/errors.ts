import { html } from 'hono/html'
import { sentenceOf } from '#shared/domain/errors.ts'
import type { Guide } from '../../guide.ts'
import { declined_payment, handle_errors, invalid_payment } from '../../samples/errors.ts'

/** The guide `errors` in Japanese. */
export const errors: Guide = {
  slug: 'errors',
  title: 'エラー',
  summary: 'エラーを読み取り、お客様、プログラム、再試行のどれで対応すべきかを判断する方法を説明します。',
  sections: [
    {
      id: 'overview',
      title: 'エラーの形式',
      body: ({ sample, table }) => html`
<p>リクエストが成功すると、200が返ります。ただし、ファイルの内容を取得したときは、302でリダイレクトされます。それ以外のレスポンスのボディは、すべて同じ形式です。次のリクエストには、誤りが3つあります。</p>
${sample(invalid_payment)}
<pre tabindex="0"><code>HTTP/1.1 422 Unprocessable Entity
X-Request-Id: 88dd6d7f-8872-44b2-b6f3-bd0b2d517b16

{
  "error": {
    "code": "invalid_parameter",
    "message": "amount must be an integer from 1 to 9999999999 in the smallest unit of the currency (10.50 USD is …",
    "param": "amount",
    "details": {
      "errors": [
        { "code": "invalid_parameter", "message": "amount must be an integer …", "param": "amount" },
        { "code": "invalid_currency", "message": "currency must be an active ISO 4217 …", "param": "currency" },
        { "code": "missing_parameter", "message": "payment_details is required, …", "param": "payment_details" }
      ]
    },
    "request_id": "88dd6d7f-8872-44b2-b6f3-bd0b2d517b16",
    "doc_url": "https://…/docs/errors#invalid_parameter"
  }
}</code></pre>
${table(
  ['フィールド', '用途'],
  [
    ['code', 'プログラムの分岐に使います。コードは変わりません。'],
    [
      'message',
      '対処方法を確認します。開発者向けの文で、文言は変わることがあるため、文字列の比較には使わないでください。',
    ],
    [
      'param',
      '誤りのあるパラメーターを特定します。payment_details[number]のような、フォーム形式の表記です。パラメーターに誤りがなければnullです。',
    ],
    [
      'details.errors',
      '422の誤りを一度に、最大100件確認します。カード番号の誤りが期限切れの日付を隠すように、ほかの誤りが隠れることもあります。paramとmessageは、最初の誤りについてのものです。',
    ],
    ['details.payment', '拒否された決済、または結果が不明な決済を特定します。'],
    ['request_id', 'ログに残し、問い合わせの際に伝えてください。同じ値がX-Request-Idにも入ります。'],
    ['doc_url', 'このページにある、コードの説明を開きます。'],
  ],
)}`,
    },
    {
      id: 'decide',
      title: '対応を判断する',
      body: ({ sample, table, error, guide }) => html`
${table(
  ['ステータス', '対応の主体', '対応'],
  [
    ['402', 'お客様', '別のカードまたは別の支払い方法を案内します。'],
    [
      html`504のあとの402 ${error('other_error')}`,
      '自社のページ',
      html`決済の<code>failure_code</code>が<code>never_arrived</code>なら、請求されていません。同じカードで新しいトークンを作成し、新しいキーを使います。`,
    ],
    [html`422 ${error('fraudulent')}`, 'お客様', '別の支払い方法を案内します。そのカードは再試行しないでください。'],
    [html`422 ${error('invalid_token')}`, '自社のページ', 'ブラウザーで新しいトークンを作成します。'],
    [
      'その他の422、400、404、405、413、415',
      '開発者',
      'リクエストを修正します。再試行しても同じレスポンスが返ります。',
    ],
    ['401、403', '開発者', '正しい種類とモードのキーを使います。'],
    ['409、429、500、503、504', 'プログラム', html`同じキーで再送します：${guide('idempotency', 'retry')}`],
  ],
)}
<p>ショップに必要な分岐はわずかです。</p>
<pre tabindex="0"><code>export ORDER=1004
export TOKEN=tok_…</code></pre>
${sample(handle_errors)}`,
    },
    {
      id: 'declines',
      title: '決済が拒否されたとき',
      body: ({ sample, table, error, event }) => html`
${sample(declined_payment)}
<pre tabindex="0"><code>HTTP/1.1 402 Payment Required

{
  "error": {
    "code": "card_declined",
    "message": "${sentenceOf('card_declined')}",
    "param": null,
    "details": { "payment": "pay_…" },
    …
  }
}</code></pre>
<p>拒否された決済は、<code>status</code>が<code>failed</code>の状態で保存され、${event('payment.failed')}が送られます。この決済は<code>failed</code>のまま変わりません。もう一度試すときは、新しい決済を作成します。</p>
${table(
  ['コード', 'お客様に伝える内容'],
  [
    [
      html`${error('card_declined')}、${error('restricted_account')}、${error('other_error')}（504のあとを除く）`,
      'このお支払いはカード会社に承認されませんでした。別のカードをお使いいただくか、カード会社へお問い合わせください。',
    ],
    [html`${error('insufficient_funds')}、${error('exceeds_limit')}`, '別のカードをお使いください。'],
    [
      html`${error('invalid_number')}、${error('card_expired')}、${error('bad_verification_value')}`,
      'カード番号、有効期限、セキュリティコードをご確認ください。',
    ],
    [
      html`${error('invalid_account')}、${error('used_number')}`,
      '番号をご確認いただくか、別のお支払い方法をお使いください。',
    ],
    ['failed_authentication（下記）', 'カード会社による本人認証が完了しませんでした。もう一度お試しください。'],
    [
      error('fraudulent'),
      '「このお支払いは承認されませんでした。」とだけ伝えます。理由は不正利用者の手がかりになるため、伝えないでください。',
    ],
  ],
)}
<p>拒否の理由は、決済の<code>failure_code</code>と<code>failure_message</code>に入ります。リクエストを送ったときではなく、あとから失敗した決済では、次のコードも入ります。</p>
${table(
  ['failure_code', '意味'],
  [
    ['failed_authentication', '3Dセキュアの本人認証が完了しませんでした。'],
    ['refused_by_customer', 'お客様が、ウォレットまたは銀行の画面で支払いを承認しませんでした。'],
    [
      'never_arrived',
      '請求がアクワイアラーに届かず、お客様には請求されていません。新しいトークンと新しいキーで、同じカードに請求してください。',
    ],
    ['no_payment_details', 'サブスクリプションのlast_failureだけに現れます。顧客にカードが登録されていません。'],
    ['cancelled', 'サブスクリプションのlast_failureだけに現れます。売上の確定前に、決済が取り消されました。'],
  ],
)}`,
    },
    {
      id: 'surprises',
      title: '迷いやすいレスポンス',
      body: ({ table, error }) => html`
${table(
  ['レスポンス', 'よくある原因'],
  [
    [
      html`存在するIDに対する${error('not_found')}`,
      'キーが、もう一方のモードまたは別の加盟店のものです。テストモードと本番モードは、データを一切共有しません。',
    ],
    [
      html`ボディに含まれる存在しないIDに対する${error('invalid_parameter')}`,
      '404が返るのは、パスに含まれるIDが存在しないときだけです。',
    ],
    [
      html`正しいキーに対する${error('unauthorized')}`,
      'キーが失効しているか、Basic認証のパスワードが空ではありません。curlでは、キーのあとにコロンが必要です。',
    ],
    [error('forbidden'), 'サーバーで公開可能キー（pk_）を使っています。シークレットキー（sk_）を使ってください。'],
    [
      '200が返るのに、パラメーターが反映されない',
      html`パラメーター名のつづりが間違っています。未知の名前は無視されます。テストモードでは、無視された名前が、レスポンスの<code>X-Service-Ignored-Parameters</code>ヘッダーに入ります。`,
    ],
    [
      html`セッションが200と<code>error</code>を返す`,
      html`<code>POST /sessions/:id/pay</code>は、拒否をこの形式で返します。セッションでは引き続き支払えます。`,
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ table, guide }) => html`
${table(
  ['確認するコード', 'テストモードで送るもの'],
  [
    ['card_declined', 'カード4123111111111059'],
    ['insufficient_funds', 'カード4123111111111000'],
    ['bad_verification_value', 'カード4123111111111034'],
    ['card_expired', 'カード4123111111111042'],
    ['fraudulent', 'カード4123111111111083'],
    ['gateway_timeout', html`<code>X-Service-Scenario: timeout_after_charge</code>ヘッダー`],
    ['unauthorized', '1文字だけ変えたキー'],
  ],
)}
<p>すべてのテスト用カードは${guide('testing')}にあります。すべてのコードは、このあとの一覧にあります。</p>`,
    },
  ],
}
