import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import { captured_payment, create_token, pay_with_token } from '../../samples/cards.ts'
import { refund_payment } from '../../samples/refunds.ts'
import { decline, declined_payment, show_payment } from '../../samples/start.ts'

/** The guide `start` in Japanese. */
export const start: Guide = {
  slug: 'start',
  title: '5分で始める',
  summary: 'テストキーとターミナルだけで、決済を受け付け、拒否される例を確認し、返金するまでを試します。',
  sections: [
    {
      id: 'keys',
      title: '1. テストキーを用意する',
      body: ({ base_url, table, guide }) => html`
<p>このページでは、カード決済を1件受け付け、カードが拒否される例を確認し、返金するところまでを体験します。テストキーで使えるのはサンドボックスだけで、実際のお金は動きません。</p>
<p>キーを用意する方法は2つあります。</p>
<ul>
<li><strong>手元のマシンで動かす場合</strong>：必要なものはNode 20以降（TypeScriptのサンプルには22.18以降）とnpmだけで、アカウントの登録は不要です。ソースコードのフォルダーで<code>npm ci</code>を実行し、続けて<code>npm start</code>を実行します。初回の起動時に一度だけ、デモ用の加盟店のキーが表示されます。キーを紛失した場合は、別の加盟店を作成してください（${guide('testing', 'local-run')}を参照）。</li>
<li><strong>デプロイ済みのサービスを使う場合</strong>：サービスの運営者から、自社のショップのテストキーを受け取ってください。</li>
</ul>
${table(
  ['キー', '使う場所', 'できること'],
  [
    [html`シークレットキー、<code>sk_test_…</code>`, '自社のサーバーだけ', 'すべての操作'],
    [
      html`公開可能キー、<code>pk_test_…</code>`,
      'ブラウザー（誰に見られてもかまいません）',
      'トークンの作成とセッションの支払い。トークンへの請求、決済の参照や返金はできません。',
    ],
  ],
)}
<p>APIのベースURLは<code>${base_url}</code>です。次のようにキーをターミナルに設定すると、このドキュメントのサンプルをそのままコピーして実行できます。</p>
<pre tabindex="0"><code>export SECRET_KEY=sk_test_…
export PUBLISHABLE_KEY=pk_test_…</code></pre>
<p>キーは、HTTP Basic認証のユーザー名として送ります。パスワードは空です。curlでは<code>-u "$SECRET_KEY:"</code>がこれに当たります。TypeScriptのサンプルは、<code>sample.ts</code>として保存し、<code>node sample.ts</code>を実行してください。</p>`,
    },
    {
      id: 'token',
      title: '2. カードをトークンにする',
      body: ({ sample, guide }) => html`
<p>実際のショップでは、お客様のブラウザーが公開可能キーを使ってこの手順を行います。カード番号は決済サービスへ直接送られ、自社のサーバーには届きません。自社のサーバーが受け取るのは、カードの代わりとなるトークンです。トークンは1回だけ使え、有効期間は60分です。ここでは、ブラウザーの代わりにターミナルを使います。</p>
${sample(create_token)}
<p>curl版は、トークンを<code>TOKEN</code>に設定します。TypeScript版を実行した場合は、表示されたトークンを使って<code>export TOKEN=tok_…</code>を実行してください。ブラウザー用のフォームは${guide('cards')}にあります。</p>`,
    },
    {
      id: 'pay',
      title: '3. 決済を受け付ける',
      body: ({ sample, reference }) => html`
<p>サーバーは、シークレットキーを使ってトークンに請求します。</p>
${sample(pay_with_token)}
<p>200のレスポンスで、決済が返ります。<code>status</code>は<code>captured</code>で、支払いが完了しています。</p>
<pre tabindex="0"><code>${captured_payment}</code></pre>
<p>金額は、通貨の最小単位の整数で表します。JPYの<code>1000</code>は1,000円、USDの<code>1050</code>は10ドル50セントです。</p>
<p><code>Idempotency-Key</code>は冪等キーで、リクエストに自分で付ける名前です。ここでは、注文番号とトークンから作ります。同じコマンドをもう一度実行すると、同じ決済が<code>Idempotent-Replayed: true</code>ヘッダーとともに返り、二重には請求されません。そのため、タイムアウトしたリクエストも安全に再送できます。</p>
<p>すべてのフィールドは、リファレンスの${reference('payments')}にあります。</p>`,
    },
    {
      id: 'decline',
      title: '4. 拒否される例を確認する',
      body: ({ sample, guide, error }) => html`
<p>サンドボックスでは、カード番号によって結果が決まります。<code>4123111111111059</code>は必ず拒否されます。</p>
${sample(declined_payment)}
<p>レスポンスは402で、コードは${error('card_declined')}です。決済は、<code>status</code>が<code>failed</code>の状態で保存され、そのIDが<code>details.payment</code>に入ります。</p>
<pre tabindex="0"><code>${decline}</code></pre>
<p>エラーはすべてこの形式です。処理の分岐には<code>code</code>を使ってください。<code>message</code>は対処方法を開発者に伝えるもので、お客様に見せるものではありません。ほかのテスト用カードは${guide('testing')}にあります。</p>`,
    },
    {
      id: 'refund',
      title: '5. 返金する',
      body: ({ sample, guide }) => html`
<p>手順3の決済の<code>id</code>をコピーし、300円を返金します。</p>
<pre tabindex="0"><code>export PAYMENT=pay_…</code></pre>
${sample(refund_payment)}
<p>レスポンスでは、決済が返ります。<code>amount_refunded</code>は300になります。<code>status</code>は、全額が返金されるまで<code>captured</code>のままです。決済はいつでも参照できます。</p>
${sample(show_payment)}
<p>現金で支払われた決済の返金については、${guide('refunds')}をご覧ください。</p>`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ error, table }) => html`
${table(
  ['症状', '対応'],
  [
    [
      html`401 ${error('unauthorized')}`,
      html`<code>SECRET_KEY</code>の値と、<code>-u "$SECRET_KEY:"</code>のように末尾にコロンがあることを確認してください。ローカル環境のキーは、デプロイ済みのサービスでは使えません。`,
    ],
    [
      html`403 ${error('forbidden')}`,
      'シークレットキーが必要なところで、公開可能キーを使っています。シークレットキーを使ってください。',
    ],
    [
      html`422 ${error('invalid_token')}`,
      'トークンが使用済みか、作成から60分を過ぎています。手順2をやり直してください。',
    ],
    [
      html`422 ${error('idempotency_mismatch')}`,
      html`同じ<code>Idempotency-Key</code>で、内容の異なるリクエストを送っています。新しいリクエストには、新しいキーを使ってください。`,
    ],
    [
      html`<code>curl: (7) Failed to connect</code>`,
      html`ローカル環境が停止しています。<code>npm start</code>をもう一度実行してください。`,
    ],
  ],
)}`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide, table }) => html`
${table(
  ['やりたいこと', 'ガイド'],
  [
    [
      '完成済みの決済ページにお客様を案内し、すべての支払い方法を受け付ける。本番利用への最短の方法です。',
      guide('sessions'),
    ],
    ['自社のページで、3Dセキュアに対応したカード決済を受け付ける', guide('cards')],
    ['コンビニや銀行振込での支払いを受け付ける', guide('cash')],
    ['注文が支払われたことを知る', guide('webhooks')],
    ['お客様に毎月請求する', guide('subscriptions')],
    ['本番利用を始める前に、あらゆるケースを試す', guide('testing')],
  ],
)}`,
    },
  ],
}
