import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs'
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operate } from '#infra/operate/operate.ts'
import { openFolder } from '#infra/operate/place.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { newApplicant, submitApplication } from '#test/fixtures/applicant.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** Runs the command in the data folder, or on a stage. Returns what it prints and its exit code. */
async function runCommand(...words: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await operate(words.includes('--stage') ? words : [...words, '--local'], {
    openFolder: (dir) => openFolder(dir, START),
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    env: { DATA_DIR: api.data_dir },
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const shown = async (key: string) => (await api.request('GET /live_application', { key })).body

const NOT_SUBMITTED =
  /^The application is not submitted, so you cannot (approve|reject) it\. The merchant submits it first\.$/

describe('operate application', () => {
  test('rejects an application, which the merchant corrects and submits again, and then approves it', async () => {
    const { id, secret_key: key } = await newApplicant(api)
    const reason = 'The bank account is not in the name of the company.'
    const rejected = await runCommand('application', 'reject', id, '--reason', ` ${reason} `)
    expect(rejected).toEqual({ code: 0, out: `${id} is rejected: ${reason}`, err: '' })
    expect(await shown(key)).toMatchObject({ status: 'rejected', rejection_reason: reason })

    const json = { zengin_account_number: '7654321' }
    await api.request('PATCH /live_application/bank_account_information', { key, json })
    expect(await shown(key)).toMatchObject({ status: 'rejected', rejection_reason: reason, submitted_at: null })
    expect(await runCommand('application', 'approve', id)).toMatchObject({
      code: 1,
      err: expect.stringMatching(NOT_SUBMITTED),
    })

    const { body: again } = await api.request('POST /live_application/submit', { key, json: {} })
    expect(again).toMatchObject({ status: 'pending', rejection_reason: null })
    const approved = await runCommand('application', 'approve', id)
    expect(approved).toEqual({ code: 0, out: `${id} is approved.`, err: '' })
    expect(await shown(key)).toEqual({ ...again, status: 'approved' })
    expect((await api.request('GET /bank_account_information', { key })).body.status).toBe('approved')
    expect(await runCommand('application', 'approve', id)).toEqual(approved)
  })

  test('shows the status, the missing fields, the reason and every field of the records', async () => {
    const { id, secret_key: key } = await newApplicant(api)
    await runCommand('application', 'reject', id, '--reason', 'No imprint.')
    const controls = '\u001b]0;title\u0007\u009b31m\u202e'
    await api.request('PATCH /site_information', { key, json: { site_name: controls, site_url: null } })
    const { code, out } = await runCommand('application', 'show', id)
    expect(code).toBe(0)
    const [summary, ...records] = out.split('\n\n')
    const documents = records.pop()!
    expect(summary!.split('\n').map((line) => line.split(/ +/, 1)[0])).toEqual([
      ...['merchant', 'mode', 'name', 'status', 'submitted_at', 'rejection_reason', 'requested_fields'],
    ])
    expect(summary).toMatch(/^status +rejected$/m)
    expect(summary).toMatch(/^submitted_at +not submitted$/m)
    expect(summary).toMatch(/^rejection_reason +No imprint\.$/m)
    expect(summary).toMatch(/^requested_fields +site_information\[site_url\]$/m)
    expect(records.map((lines) => lines.split('  ', 2).join(' '))).toEqual([
      ...['site_information pending', 'company_information rejected'],
      ...['personal_information rejected', 'bank_account_information rejected'],
    ])
    expect(out).toMatch(/^ {2}incorporation_certificates +\["fil_\w+"\]$/m)
    expect(out).toMatch(/^ {2}zengin_account_type +"ordinary"$/m)
    const [, file] = /identity_front +"(fil_\w+)"/.exec(out)!
    expect(documents.split('\n')).toEqual([
      'documents',
      `  ${file}  application/pdf  16 bytes  "paper.pdf"  company_information[incorporation_certificates]`,
      `  ${file}  application/pdf  16 bytes  "paper.pdf"  personal_information[identity_front]`,
    ])
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  test('shows a merchant without an application, and a test merchant', async () => {
    const { live } = await api.newMerchants()
    const { code, out } = await runCommand('application', 'show', live.id)
    expect([code, out]).toEqual([0, expect.stringMatching(/^status +pending\nsubmitted_at +not submitted$/m)])
    expect((await runCommand('application', 'show', api.test.id)).out).toMatch(/^mode +test$/m)
  })

  test('lists the applications that wait for an examination, oldest first', async () => {
    const [first, second, withdrawn] = [await newApplicant(api), await newApplicant(api), await newApplicant(api)]
    await runCommand('application', 'approve', first.id)
    await api.request('PATCH /site_information', { key: withdrawn.secret_key, json: { site_name: 'Other' } })
    await submitApplication(api, api.test.secret_key)
    const waiting = (await runCommand('application', 'list', '--status', 'submitted')).out.split('\n')
    const [line] = waiting.filter((text) => text.startsWith(second.id))
    expect(line).toMatch(/^mer_\w+ {2}submitted {2}\d{4}-\d\d-\d\dT[\d:]+Z {2}Test shop$/)
    expect(waiting.join()).not.toMatch(new RegExp([first.id, withdrawn.id, api.test.id].join('|')))
    const all = (await runCommand('application', 'list')).out
    expect(all).toMatch(new RegExp(`^${first.id} {2}approved {3}\\d{4}`, 'm'))
    expect(all).toMatch(new RegExp(`^${withdrawn.id} {2}draft {6}not submitted {2}Test shop$`, 'm'))
  })

  test('says that no application has the status', async () => {
    const other = await openApi()
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    const terminal = { out: print, err: print, env: { DATA_DIR: other.data_dir } }
    expect(await operate(['application', 'list', '--status', 'submitted', '--local'], terminal)).toBe(0)
    await other.close()
    expect(lines).toEqual(['There is no submitted application.'])
  })

  test('saves a document into a new file that only the operator can read', async () => {
    const { id } = await newApplicant(api)
    const [file = ''] = /fil_\w+/.exec((await runCommand('application', 'show', id)).out) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'documents-'))
    const to = join(folder, 'paper.pdf')
    const save = (merchant: string, document: string) =>
      runCommand('application', 'document', merchant, document, '--to', to)
    const refusals = [await save(api.test.id, file), await save(id, 'fil_1'), await save(id, '../vault.key')]
    expect(readdirSync(folder)).toEqual([])
    const saved = await save(id, file)
    const [text, mode] = [readFileSync(to, 'utf8'), statSync(to).mode & 0o777]
    const again = await save(id, file)
    await api.platform.bucket.remove(`${id}/${file}`)
    const lost = await save(id, file)
    rmSync(folder, { recursive: true })
    expect(saved).toEqual({ code: 0, out: `${file} is saved as ${to}: application/pdf, 16 bytes.`, err: '' })
    expect([text, mode]).toEqual(['%PDF-1.4 a paper', 0o600])
    expect(lost.err).toMatch(/^The folder \S+ lacks the bytes of mer_\w+\/fil_\w+\.$/)
    expect(again).toMatchObject({ code: 1, err: `${to} already exists. Name a new file with --to.` })
    for (const { code, err } of refusals)
      expect([code, err]).toEqual([1, expect.stringMatching(/^mer_\w+ has no file /)])
  })

  test('approves only the submission that was shown', async () => {
    const { id } = await newApplicant(api)
    const [, submitted] = /^submitted_at +(\S+)$/m.exec((await runCommand('application', 'show', id)).out)!
    const other = await runCommand('application', 'approve', id, '--submitted', '2029-01-01T00:00:00Z')
    expect(other.err).toBe(
      `The application was submitted at ${submitted}, not at 2029-01-01T00:00:00Z. Show it again before you decide.`,
    )
    expect((await runCommand('application', 'approve', id, '--submitted', submitted!)).code).toBe(0)
    expect((await runCommand('application', 'approve', id, '--submitted', submitted!)).code).toBe(0)
  })

  test('refuses an application that is not submitted, a test merchant and an unknown merchant', async () => {
    const { live } = await api.newMerchants()
    for (const words of [
      ['approve', live.id],
      ['reject', live.id, '--reason', 'No.'],
    ]) {
      const { code, err } = await runCommand('application', ...words)
      expect([code, err]).toEqual([1, expect.stringMatching(NOT_SUBMITTED)])
    }
    await submitApplication(api, api.test.secret_key)
    expect(await runCommand('application', 'approve', api.test.id)).toMatchObject({
      code: 1,
      err: `${api.test.id} is a test merchant. Its result comes from simulate_status of POST /live_application/submit.`,
    })
    expect((await shown(api.test.secret_key)).status).toBe('pending')
    expect((await runCommand('application', 'document', 'mer_none', 'fil_1', '--to', 'x')).err).toBe(
      'There is no merchant mer_none.',
    )
    for (const verb of ['show', 'approve'])
      expect((await runCommand('application', verb, 'mer_none')).err).toBe('There is no merchant mer_none.')
  })

  test.each([
    [['reject', 'mer_1'], 'A rejection needs a reason, which the merchant reads: --reason <text>.'],
    [['reject', 'mer_1', '--reason', '  '], 'A rejection needs a reason, which the merchant reads: --reason <text>.'],
    [['reject', 'mer_1', '--reason', 'x'.repeat(1001)], 'A reason has at most 1000 characters, on one line.'],
    [['reject', 'mer_1', '--reason', 'a\nb'], 'A reason has at most 1000 characters, on one line.'],
    [['approve', 'mer_1', '--reason', 'x'], "Unknown option '--reason'."],
    [['list', '--status', 'pending'], '--status must be one of draft, submitted, approved, rejected, corrected.'],
    [['document', 'mer_1', 'fil_1'], 'The path of the new file is missing: --to <path>.'],
    [['document', 'mer_1', '--to', 'x'], 'The arguments of this command: <merchant> <file>.'],
    [['approve'], 'The arguments of this command: <merchant>.'],
    [['aprove', 'mer_1'], 'There is no command "application aprove".'],
    [[], 'There is no command "application".'],
  ])('exits with 2 and prints one sentence for: %j', async (words, sentence) => {
    const { code, out, err } = await runCommand('application', ...words)
    expect([code, out, err.split('\n')[0]]).toEqual([2, '', sentence])
  })
})

describe('operate application --stage', () => {
  test('approves in one transaction, which checks the version of the application and of each record', async () => {
    const { id } = await newApplicant(api)
    const stored = [...api.platform.table.items()].filter(({ pk }) => pk.includes(id))
    const find = ({ pk }: Record<string, string>) => stored.find((item) => item.pk === pk)
    const documents = mockClient(DynamoDBDocumentClient)
    const sqs = mockClient(SQSClient)
    sqs.on(GetQueueUrlCommand).resolves({ QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/123456789012/queue' })
    documents.on(GetCommand).callsFake(({ Key }) => ({ Item: find(Key) }))
    documents.on(BatchGetCommand).callsFake(({ RequestItems }) => {
      const [[table, { Keys }]] = Object.entries(RequestItems) as [[string, { Keys: Record<string, string>[] }]]
      return { Responses: { [table]: Keys.flatMap((key) => find(key) ?? []) } }
    })
    documents.on(TransactWriteCommand).resolves({})
    expect(await runCommand('application', 'approve', id, '--stage', 'dev')).toMatchObject({
      code: 0,
      out: `${id} is approved.`,
    })
    const [sent] = documents.commandCalls(TransactWriteCommand)
    const puts = sent!.args[0].input.TransactItems!.map(({ Put }) => Put!)
    expect(puts.map(({ TableName, Item }) => [TableName, Item!.pk, Item!.status])).toEqual(
      [
        'live_application',
        'site_information',
        'company_information',
        'personal_information',
        'bank_account_information',
      ].map((name) => ['payment-service-dev-table', `application#${id}#${name}`, 'approved']),
    )
    expect(puts.every(({ ConditionExpression }) => ConditionExpression)).toBe(true)
    documents.restore()
    sqs.restore()
  })
})
