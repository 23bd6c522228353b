import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handler as listPaymentMethods } from '#functions/payment-methods/list.ts'
import type { Credential } from '#shared/store/api-keys.ts'
import { apiKeyKey, hashOfKey, merchantKey } from '#shared/store/keys.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { countsOf, type FirewallRule, insertedHeaders, transformed } from '#test/fixtures/firewall-model.ts'
import { stacksOf } from '#test/fixtures/stage-stacks.ts'
import { stageOf } from '#test/fixtures/stages.ts'
import { type Spelling, spellingsOf } from '#test/infra/credential-spellings.ts'

const rulesOf = (stage: string): FirewallRule[] => {
  const [acl] = Object.values(stacksOf(stageOf(stage)).api.findResources('AWS::WAFv2::WebACL'))
  return acl!.Properties.Rules
}
const rules = rulesOf('prod')

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** Creates two merchants as the account of a key, and returns their ids. */
async function subMerchantsOf(key: string, mode: 'test' | 'live'): Promise<string[]> {
  const [row] = await api.platform.table.get([apiKeyKey(hashOfKey(key))])
  const { account } = row as unknown as Credential
  const ids = [1, 2].map((n) => `mer_${mode}${key.slice(0, 2)}${n}`.padEnd(30, '0'))
  const made = ids.map((id) => ({ version: 1, id, account: `acc_${id}`, mode, created_by: account }))
  await api.platform.table.write(made.map((row) => ({ put: { ...merchantKey(row.id), ...row } })))
  return ids
}

const headersOf = ({ authorization, before = [] }: Spelling) => [
  ...before,
  ...authorization.map((value) => ['authorization', value] as const),
]

/** Whether the function accepts the credential in a request that has passed the firewall. */
async function isAccepted(spelling: Spelling): Promise<boolean> {
  const headers = headersOf(spelling)
  const inserted = insertedHeaders(rules, { path: '/prod/api/v1/payment_methods', headers })
  const all = [...headers, ...Object.entries(inserted)]
  const event = {
    httpMethod: 'GET',
    path: '/api/v1/payment_methods',
    headers: Object.fromEntries(all),
    multiValueHeaders: Object.fromEntries(
      Map.groupBy(all, ([name]) => name)
        .entries()
        .map(([name, lines]) => [name, lines.map(([, value]) => value)]),
    ),
    multiValueQueryStringParameters: null,
    pathParameters: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: 'req_1', path: '/api/v1/payment_methods' },
  }
  const answer = await listPaymentMethods(event as never, { platform: api.platform } as never, undefined as never)
  expect([200, 400, 401], spelling.name).toContain(answer?.statusCode)
  return answer?.statusCode === 200
}

const kinds = [
  ['live', 'secret_key'],
  ['live', 'publishable_key'],
  ['test', 'secret_key'],
  ['test', 'publishable_key'],
] as const

describe.each(kinds)('the rate limit of a %s %s', (mode, kind) => {
  let accepted: Spelling[]
  let tried: number
  beforeAll(async () => {
    const key = api[mode][kind]
    const spellings = spellingsOf(key, await subMerchantsOf(key, mode), api[mode === 'live' ? 'test' : 'live'][kind])
    tried = spellings.length
    accepted = []
    for (const spelling of spellings) if (await isAccepted(spelling)) accepted.push(spelling)
  })

  test('counts every spelling that the function accepts once by the rule of its mode and once by address', () => {
    for (const spelling of accepted) {
      // AWS does not document whether WAF sees the white space that HTTP strips.
      for (const edge of ['', ' ', '\t']) {
        const headers = headersOf(spelling).map(([name, value]) => [name, edge + value + edge] as const)
        const counts = countsOf(rules, { path: '/prod/api/v1/payments', headers })
        const names = counts.map(({ rule }) => rule)
        expect(names, spelling.name).toEqual([`${mode}-keys`, 'addresses'])
      }
    }
  })

  test('counts accepted spellings separately only if their credential text or its padding differs', () => {
    expect(tried).toBeGreaterThan(1500)
    const table = Map.groupBy(accepted, (spelling) => credentialIn(spelling, api[mode][kind]))
    const lines = [...table].map(([credential, spellings]) => {
      const values = new Set(spellings.map(({ authorization }) => authorization[0]))
      const counts = new Set(spellings.map(bucketOf))
      return `${credential.padEnd(24)} ${values.size} headers  ${counts.size} count`
    })
    expect(`\n${lines.sort().join('\n')}\n`).toBe(`
key padded               35 headers  1 count
key unpadded             34 headers  1 count
key: padded              35 headers  1 count
key: unpadded            34 headers  1 count
key:merchant 1 padded    35 headers  1 count
key:merchant 1 unpadded  34 headers  1 count
key:merchant 2 padded    35 headers  1 count
key:merchant 2 unpadded  34 headers  1 count
`)
    expect(new Set(accepted.map(bucketOf)).size).toBe(lines.length)
  })
})

/** The decoded credential of a spelling, and whether its base64 is padded. */
function credentialIn({ authorization: [value = ''] }: Spelling, key: string): string {
  const encoded = value.split(' ').at(-1) ?? ''
  const text = Buffer.from(encoded, 'base64').toString().replace(key, 'key')
  return `${text.replace(/mer_.{6}(.)0*$/, 'merchant $1')} ${encoded.endsWith('=') ? 'padded' : 'unpadded'}`
}

const bucketOf = (spelling: Spelling) =>
  countsOf(rules, { path: '/prod/api/v1/payments', headers: headersOf(spelling) }).find(({ rule }) =>
    rule.endsWith('-keys'),
  )?.bucket

test('infra/README.md lists the spellings that the rate limit counts separately', () => {
  const readme = readFileSync(new URL('../../infra/README.md', import.meta.url), 'utf8')
  const [line = ''] = readme.split('\n').filter((text) => text.startsWith('| Rate limits |'))
  for (const said of ['6,000', '1,500', '12,000', '4 spellings', '2 more for each merchant'])
    expect(line, said).toContain(said)
})

test('staging and prod have the same rate limits of keys', () => {
  const limits = (stage: string) =>
    rulesOf(stage)
      .filter(({ Name }) => Name.endsWith('-keys'))
      .map(({ Statement }) => Statement)
  expect(limits('staging')).toEqual(limits('prod'))
})

describe('the text transformations of the rule live-keys', () => {
  const letters = [...'0123456789abcdefghijklmnopqrstuvwxyz_:']
  const transformations = rules.find(({ Name }) => Name === 'live-keys')!.Statement.RateBasedStatement.CustomKeys[0]
    .Header.TextTransformations

  test.each([1, 2, 3])('keep the base64 of different texts of %i letters different', (length) => {
    let texts = ['']
    for (let n = 0; n < length; n++) texts = texts.flatMap((text) => letters.map((letter) => text + letter))
    const values = texts.map((text) => transformed(Buffer.from(text).toString('base64'), transformations))
    expect(new Set(values).size).toBe(letters.length ** length)
  })
})
