import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import * as samples from '../../samples/platforms.ts'

/** The guide `platforms` in Japanese. */
export const platforms: Guide = {
  slug: 'platforms',
  title: 'プラットフォームとアカウント',
  summary:
    'プラットフォームのショップのためにアカウントを開設し、ショップとしてリクエストを送り、キーを管理する方法を説明します。',
  sections: [
    {
      id: 'overview',
      title: 'アカウントと加盟店の関係',
      body: ({ note }) => html`
<p>このページを読み終えると、プラットフォームの各ショップのアカウントを開設し、ショップのために決済を受け付け、ショップのキーを発行し、交換できるようになります。</p>
<p><strong>アカウント</strong>は1つの事業者を表し、テストモードと本番モードに1つずつ、合わせて2つの<strong>加盟店</strong>を持ちます。決済、顧客、Webhook、精算は、加盟店に属します。プラットフォーム自体も1つのアカウントです。</p>
${note(html`アカウントの機能は正式公開前です。フィールドが変わることがあります。`)}`,
    },
    {
      id: 'create',
      title: '1. アカウントを開設する',
      body: ({ sample, table }) => html`
<pre tabindex="0"><code>export ACCOUNT_NAME=blue-shop</code></pre>
${sample(samples.create_account)}
<pre tabindex="0"><code>{
  "id": "acc_…",
  "name": "blue-shop",
  "default_currency": "JPY",
  "time_zone": "Asia/Tokyo",
  "test_merchant": "mer_…",
  "live_merchant": "mer_…",
  "accepted_service_agreement_at": null,
  "accepted_service_agreement_ip": null
}</code></pre>
<p>アカウントと2つの加盟店のIDを保存してください。<code>name</code>は、決済サービス全体で一意です。あとから変更することはできません。<code>default_currency</code>、<code>time_zone</code>、お客様に表示されるショップの情報は、PATCHで変更できます。</p>
<p>アカウントを管理できるリクエストは、キーのモードによって決まります。</p>
${table(
  ['アカウントの開設に使うキー', '参照、規約への同意、キーの管理に使うキー', 'アカウントに発行されるキー', '用途'],
  [
    ['自社のテストキー', '自社のテストキー', 'test_merchantのキー', '開発'],
    ['自社の本番キー', '自社の本番キー', 'live_merchantのキー', 'プラットフォームのショップ'],
  ],
)}
<p>アカウントの加盟店も、自身のキーで、またはプラットフォームが加盟店として送るリクエストで、アカウントを参照し、変更できます。それ以外のキーでアカウントを操作すると、404が返ります。</p>`,
    },
    {
      id: 'agreement',
      title: '2. 利用規約への同意を記録する',
      body: ({ sample }) => html`
<p>アカウントの所有者に、決済サービスの利用規約を表示します。所有者が同意したら、UTCとのオフセットを含む日時と、所有者のIPアドレスを送ります。</p>
<pre tabindex="0"><code>export ACCOUNT=acc_…</code></pre>
${sample(samples.accept_agreement)}
<pre tabindex="0"><code>{
  "accepted_service_agreement_at": "2026-01-31T03:00:00Z",
  "accepted_service_agreement_ip": "203.0.113.7"
}</code></pre>
<p>この2つの値は、同意の証拠になります。規約を表示する責任は、プラットフォームにあります。もう一度送ると、両方の値が置き換わります。</p>`,
    },
    {
      id: 'act',
      title: '3. 加盟店としてリクエストを送る',
      body: ({ sample, table }) => html`
<p>Basic認証のユーザー名に自社のシークレットキーを、パスワードに加盟店のIDを指定します。そのリクエストは、加盟店が自身のキーで送った場合と同じように処理されます。</p>
<pre tabindex="0"><code>export MERCHANT=mer_…</code></pre>
${sample(samples.token_as_merchant)}
<pre tabindex="0"><code>export TOKEN=tok_…</code></pre>
${sample(samples.pay_as_merchant)}
<p>リクエストで作成または参照するものは、冪等キーを含めて、すべてその加盟店に属します。</p>
${table(
  ['自社のキー', 'パスワード', 'リクエストの対象'],
  [
    ['sk_test_…', '空', '自社のテストモードの加盟店'],
    ['sk_test_…', 'アカウントのtest_merchant', 'そのアカウントのテストモードの加盟店'],
    ['sk_live_…', 'アカウントのlive_merchant', 'そのアカウントの本番モードの加盟店'],
    ['pk_test_…', 'アカウントのtest_merchant', 'テストモードの加盟店。ブラウザー向けのエンドポイントだけを使えます。'],
    ['任意のキー', 'もう一方のモード、または別のプラットフォームの加盟店', 'なし（401）'],
  ],
)}
<p>アカウントをどちらのキーで開設した場合でも、この方法で両方の加盟店としてリクエストを送れます。本番利用の申請情報は、自社の本番キーと<code>live_merchant</code>で送ってください。</p>`,
    },
    {
      id: 'keys',
      title: '4. キーを発行する',
      body: ({ sample }) => html`
<p>自身のサーバーを持つショップには、専用のキーが必要です。<code>kind</code>には、<code>secret</code>または<code>publishable</code>を指定します。</p>
${sample(samples.create_key)}
<pre tabindex="0"><code>{
  "id": "key_…",
  "resource": "key",
  "merchant": "mer_…",
  "mode": "test",
  "kind": "secret",
  "revoked_at": null,
  "key": "sk_test_…"
}</code></pre>
<p><code>key</code>は、このレスポンスにだけ表示されます。あとでキーをロールしたり失効させたりするために、<code>id</code>を保存してください。キーの一覧は取得できません。<code>id</code>を失った場合は、サービスの運営者がキーを失効させます。1つの加盟店に、複数のキーを発行できます。キーのモードは、自社のキーのモードと同じです。</p>`,
    },
    {
      id: 'roll',
      title: '5. キーをロールする、失効させる',
      body: ({ sample, table }) => html`
<p>キーをロールすると、新しいキーが発行されます。古いキーは、<code>grace_seconds</code>の猶予期間が終わるまで有効です。猶予期間は、既定では1日、最長で30日です。</p>
<pre tabindex="0"><code>export KEY=key_…</code></pre>
${sample(samples.roll_key)}
<p>失効させたキーは、すぐに使えなくなります。</p>
${sample(samples.revoke_key)}
${table(
  ['状況', '対応'],
  [
    ['キーを定期的に交換する', 'デプロイが終わるまでの猶予期間を指定して、キーをロールします。'],
    [
      'キーが漏えいした',
      '新しいキーを発行してデプロイし、そのあとで古いキーを失効させます。すでに悪用されている場合は、先に失効させます。',
    ],
    ['従業員が退職する', 'その従業員が知っていたキーをロールします。'],
  ],
)}`,
    },
    {
      id: 'brand',
      title: 'ショップの名前、色、ロゴ',
      body: ({ sample, table }) => html`
<p>お客様が目にするすべてのページに、支払い先のショップの名前が表示されます。表示する内容は、PATCHで変更します。自社のアカウントも変更できます。</p>
${sample(samples.brand_account)}
${table(
  ['フィールド', 'お客様に表示されるもの', '値'],
  [
    [
      html`<code>display_name</code>`,
      html`ショップの名前。設定しない場合は<code>name</code>が表示されます。`,
      '1～255文字。目に見えない文字は使えません。',
    ],
    [
      html`<code>accent_color</code>`,
      'ボタンとリンクの色。コントラストが足りない色は、暗く、または明るく補正して表示されます。',
      html`<code>#0b5fff</code>のような値`,
    ],
    [
      html`<code>logo</code>`,
      '名前の横に表示される画像。別の画像に変更したあとも、誰でも開けます。',
      html`100 KB以下のPNG、JPEG、WEBPのファイルのID。PATCHを送る加盟店が<code>POST /files</code>でアップロードします。`,
    ],
  ],
)}
<p>変更は、両方のモードに適用されます。nullを送ると、設定が消えます。セッションのページには、セッションを作成したときの名前が表示されます。</p>`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ error, table }) => html`
${table(
  ['レスポンス', '原因', '対応'],
  [
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>name</code>`,
      '同じ名前のアカウントが、決済サービスにすでに存在する。以前の試行やもう一方のモードで、自社が作成したものかもしれません。',
      '別の名前を使ってください。Idempotency-Keyを付けると、再試行では最初に作成したアカウントが返ります。',
    ],
    [
      html`アカウントに対する${error('not_found')}`,
      'もう一方のモードのキーを使っているか、加盟店としてリクエストを送っている。加盟店ができるのは、アカウントの参照と変更だけです。',
      'アカウントの開設に使ったキーと、空のパスワードで送ってください。',
    ],
    [
      html`パスワードを指定したときの${error('unauthorized')}`,
      'もう一方のモードの加盟店か、自社が開設したアカウントのものではない加盟店を指定している',
      'テストキーにはtest_merchantを、本番キーにはlive_merchantを指定してください。',
    ],
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>mode</code>`,
      'もう一方のモードのキーを発行しようとした',
      'modeを省略してください。',
    ],
    [
      html`キーをロールしたときの${error('unprocessable_entity')}`,
      'キーが、すでにロールされたか、失効している',
      '新しいキーを発行してください。',
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ guide }) => html`
<p>このページの操作は、すべてテストキーで試せます。一度使った名前は再び使えないため、時刻を含めるなどして、実行のたびに別の名前を使ってください。あるショップの決済を、別のショップとして参照すると404が返ることを確認します。続けて、<code>test_merchant</code>をパスワードに指定し、ショップの申請を練習してください（${guide('live')}を参照）。</p>`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide, reference }) => html`
<ul>
<li>すべてのパラメーター：${reference('accounts')}</li>
<li>各ショップの申請：${guide('live')}</li>
<li>加盟店ごとのWebhookを、加盟店のIDをパスワードに指定して作成する：${guide('webhooks')}</li>
</ul>`,
    },
  ],
}
