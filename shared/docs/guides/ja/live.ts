import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import * as samples from '../../samples/live.ts'

/** The guide `live` in Japanese. */
export const live: Guide = {
  slug: 'live',
  title: '本番利用の開始',
  summary: '本番利用を申請し、必要に応じて申請内容を修正し、本番キーに切り替える方法を説明します。',
  sections: [
    {
      id: 'overview',
      title: '本番利用までの流れ',
      body: ({ table, note }) => html`
<p>このページを読み終えると、本番利用の申請で承認を受け、本番キーでショップを運用できるようになります。すべての手順をAPIのリクエストで行えます。流れを確認するためだけに読んでもかまいません。</p>
<p>ショップについての申請情報を送り、書類をアップロードして、申請を提出します。サービスの運営者が申請を審査します。差し戻された場合は修正し、承認されたら本番利用を開始します。</p>
${table(
  ['キー', '申請'],
  [
    ['sk_test_…', '練習用の申請。審査は行われず、結果を自分で選べます。'],
    ['sk_live_…', '本番モードの加盟店の申請。サービスの運営者が審査します。'],
  ],
)}
<p>先にテストキーで練習してください。実際の申請では、本番キーで同じリクエストを送ります。テストモードと本番モードは、申請情報もファイルも共有しません。</p>
${note(html`申請とファイルの機能は正式公開前です。フィールドが変わることがあります。`)}`,
    },
    {
      id: 'files',
      title: '1. 書類をアップロードする',
      body: ({ sample, table, error }) => html`
<pre tabindex="0"><code>export CERTIFICATE=certificate.pdf</code></pre>
${sample(samples.upload_file)}
<pre tabindex="0"><code>{ "id": "fil_…", "filename": "certificate.pdf", "size": 48213, "mime_type": "application/pdf" }</code></pre>
<p>アップロードできるファイルは、4MB以下のPDF、PNG、JPEG、HEIC、WEBPです。形式は、ファイル名ではなく内容で判定されます。ファイルを読み取れるのは、アップロードした加盟店だけです。申請情報では、ファイルの<code>id</code>を次のフィールドで送ります。</p>
${table(
  ['書類', 'フィールド'],
  [
    ['法人の場合：登記事項証明書', html`company_informationの<code>incorporation_certificates</code>`],
    ['個人事業主の場合：事業を証明する書類', html`company_informationの<code>sole_proprietor_proofs</code>`],
    [
      '代表者の顔写真付き本人確認書類',
      html`personal_informationの<code>identity_front</code>と<code>identity_back</code>。パスポートの場合は、<code>identity_front</code>に顔写真のページだけを送れば足ります。どちらの値も、レスポンスには含まれません。`,
    ],
    ['PCI DSSの準拠証明書（ある場合）', html`payment_methods/credit_cardの<code>pci_compliance_proofs</code>`],
  ],
)}
<p>上限を超えるファイルには、${error('payload_too_large')}が返ります。<code>GET /files/:id/content</code>は、ファイルをダウンロードできるリンクにリダイレクトします。このリンクの有効期間は5分です。</p>`,
    },
    {
      id: 'records',
      title: '2. 申請情報を送る',
      body: ({ sample }) => html`
<p>申請情報を送る時点では、どのフィールドも任意です。何回かに分けて送ることもできます。POSTとPATCHは、指定したフィールドだけを変更します。次のサンプルは、日本の法人の申請に必要なフィールドをすべて送ります。</p>
<pre tabindex="0"><code>export FILE=fil_…</code></pre>
<h3>サイト</h3>
${sample(samples.send_site)}
<pre tabindex="0"><code>{ "resource": "site_information", "status": "pending", "site_name": "Blue Shop", … }</code></pre>
<p><code>sctl_url</code>は、特定商取引法に基づく表記を掲載したショップのページです。審査の際に確認されます。<code>site_annual_sales</code>は、通貨の最小単位で表します。</p>
<h3>事業者</h3>
${sample(samples.send_company)}
<p>個人事業主の場合は、<code>corporation_type</code>に<code>sole_proprietor</code>を指定し、<code>incorporation_certificates</code>の代わりに<code>sole_proprietor_proofs</code>を送ります。</p>
<h3>代表者</h3>
${sample(samples.send_person)}
<h3>銀行口座</h3>
${sample(samples.send_bank_account)}
<p>日本国外の銀行口座の場合は、<code>transfer_type</code>に、<code>overseas</code>など<code>domestic</code>以外の任意の値を指定し、<code>sepa_</code>または<code>swift_</code>で始まるフィールドのどちらかを送ります。</p>
<h3>支払い方法</h3>
${sample(samples.send_card_record)}
<p>ショップで扱う支払い方法に応じて、<code>convenience_store</code>、<code>chain_store</code>、<code>wallet</code>も同じように送ります。これらは<code>requested_fields</code>に含まれず、送らなくても申請を提出できます。内容が返るのは、POSTとPATCHだけです。</p>`,
    },
    {
      id: 'submit',
      title: '3. 申請を提出する',
      body: ({ sample, error }) => html`
<p>不足しているフィールドを確認します。</p>
${sample(samples.show_application)}
<pre tabindex="0"><code>{
  "resource": "live_application",
  "status": "pending",
  "requested_fields": ["site_information[site_url]", "company_information[contact_phone]"],
  "rejection_reason": null,
  "submitted_at": null
}</code></pre>
<p><code>requested_fields</code>が空になったら、申請を提出します。</p>
${sample(samples.submit_application)}
<p>不足のある申請を提出すると、${error('missing_parameter')}が返ります。誤りが複数あるほかのエラーと同じく、<code>details.errors</code>には、不足しているフィールドごとに<code>code</code>、<code>param</code>、<code>message</code>が1件ずつ入ります。</p>`,
    },
    {
      id: 'examination',
      title: '4. 審査を待つ',
      body: ({ table, note }) => html`
${table(
  ['status', 'submitted_at', '意味'],
  [
    ['pending', 'null', '申請を提出していないか、提出後に申請情報を変更しました。提出してください。'],
    ['pending', '日時', 'サービスの運営者が審査しています。お待ちください。'],
    ['rejected', '日時', '差し戻されました。rejection_reasonを読み、申請情報を修正してください。'],
    ['rejected', 'null', '申請情報を修正しました。すべての修正が終わったら、もう一度提出してください。'],
    ['approved', '日時', '承認されました。本番利用を開始できます。'],
  ],
)}
<p>審査の結果は、イベントでは通知されません。1日に1回程度、申請を参照して確認してください。各申請情報の<code>status</code>は直前の審査の結果を表し、変更すると<code>pending</code>になります。支払い方法の申請情報に<code>status</code>はありません。</p>
${note(html`審査を待つ間は、申請情報を変更しないでください。変更すると、承認後や、同じ値を送った場合でも、提出が取り下げられます。運営者が確認していない内容が承認されることを防ぐためです。`)}`,
    },
    {
      id: 'correct',
      title: '5. 差し戻された申請を修正する',
      body: ({ sample }) => html`
<p><code>rejection_reason</code>には、修正すべき点についての運営者の説明が入ります。該当する申請情報を変更してください。</p>
${sample(samples.correct_record)}
<p>もう一度提出するまで、申請は<code>rejected</code>のままで、理由も残ります。そのため、複数の申請情報を修正する間も、理由を確認できます。</p>`,
    },
    {
      id: 'keys',
      title: '6. 本番キーに切り替える',
      body: ({ table, guide, error }) => html`
<p>サーバーと自社のページの設定で、テストキーを本番キーに置き換えます。コードを変更する必要はありません。</p>
${table(
  ['対象', '本番モードでやり直すか'],
  [
    ['キー', 'はい。サーバーではsk_live_…、ブラウザーではpk_live_…を使います。'],
    ['Webhook', 'はい。本番キーで、httpsのURLと新しいシークレットを指定して作成します。'],
    ['顧客、サブスクリプション、決済', '引き継がれません。テストモードのデータはテストモードに残ります。'],
    ['テスト用カードとX-Service-Scenario', '本番モードでは効果がありません。'],
  ],
)}
<p>シークレットキーを、リポジトリ、ページ、ログに含めないでください。プラットフォームが開設したアカウントのキーは、プラットフォームがサービスを止めずにロールできます（${guide('platforms', 'roll')}を参照）。</p>
<p>少額の決済を実際に1件行い、返金してください。本番モードのアクワイアラーが接続されていない間は、本番モードの決済に${error('service_unavailable')}が返ります。その場合は、サービスの運営者に問い合わせてください。</p>`,
    },
    {
      id: 'checklist',
      title: 'チェックリスト',
      body: ({ guide }) => html`
<ul>
<li>申請が<code>approved</code>である。</li>
<li>カード番号が届くのはお客様のブラウザーと決済サービスだけで、自社のサーバーには届かない：${guide('cards')}</li>
<li>すべてのPOSTに、サーバーを再起動しても失われない<code>Idempotency-Key</code>を付けている：${guide('idempotency')}</li>
<li>Webhookの受信側は、署名を検証し、重複した配信を処理せず、httpsで動作している：${guide('webhooks')}</li>
<li>拒否されたお客様を次の試行に案内し、5xxのレスポンスには再試行で対応している：${guide('errors')}</li>
<li>商品を発送するのは、お客様がショップに戻ったときではなく、決済が<code>captured</code>になったあとである。</li>
<li>現金決済の期限切れと返金を含めて、${guide('testing')}のすべてのケースを試した。</li>
<li>ログには、<code>request_id</code>と決済のIDを残し、カード情報を残していない。</li>
</ul>`,
    },
    {
      id: 'problems',
      title: 'うまくいかないとき',
      body: ({ error, table }) => html`
${table(
  ['レスポンス', '原因', '対応'],
  [
    [
      html`申請情報を参照またはPATCHしたときの${error('not_found')}`,
      'そのモードには、申請情報がまだ存在しない',
      '先にPOSTで送ってください。',
    ],
    [
      html`${error('invalid_parameter')}、<code>param</code>はファイルのフィールド`,
      'ファイルが存在しないか、もう一方のモードのキーでアップロードされている',
      '申請に使うキーで、もう一度アップロードしてください。',
    ],
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>paper</code>`,
      'ファイルが空か、対応していない形式である',
      'PDF、PNG、JPEG、HEIC、WEBPのいずれかを送ってください。',
    ],
    [
      html`${error('invalid_parameter')}、<code>param</code>は<code>simulate_status</code>`,
      '審査の結果を指定できるのは、テストキーだけである',
      '本番キーでは省略してください。',
    ],
  ],
)}`,
    },
    {
      id: 'test',
      title: 'テスト方法',
      body: ({ sample }) => html`
<p>テストキーを使う場合は、<code>simulate_status</code>で審査の結果をその場で指定できます。値は<code>approved</code>、<code>rejected</code>、<code>pending</code>のいずれかです。</p>
${sample(samples.simulate_rejection)}
<pre tabindex="0"><code>{ "status": "rejected", "rejection_reason": "The rejection is simulated.", … }</code></pre>
<p>申請情報を修正してもう一度提出し、ステータスが変わることを確認してください。</p>`,
    },
    {
      id: 'next',
      title: '次のステップ',
      body: ({ guide, reference }) => html`
<ul>
<li>すべてのフィールド：${reference('live_application')}と${reference('files')}</li>
<li>プラットフォームのショップのために申請する：${guide('platforms')}</li>
</ul>`,
    },
  ],
}
