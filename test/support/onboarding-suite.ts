import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi, type Reply } from './api.ts'
import { type FieldKind, onboarding_tables, type RecordPath, samples_of, unsetOf } from './onboarding-tables.ts'

/** A file of a few bytes that is a PDF. */
const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'

interface Applying {
  readonly api: Api
  /** A merchant who has sent nothing of its application yet. */
  key: string
  send(method: 'POST' | 'GET' | 'PATCH', fields?: object, as?: 'json' | 'form'): Promise<Reply>
  /** Puts ids of files in the place of `file` and `stranger`. */
  named(value: unknown): unknown
}

/** Uploads a file as the merchant of a key and answers its id. */
export async function aFile(api: Api, key: string): Promise<string> {
  const form = new FormData()
  form.set('paper', new Blob([PDF]), 'proof.pdf')
  const sent = new Request(api.url, { method: 'POST', body: form })
  const headers = { 'content-type': sent.headers.get('content-type')! }
  const raw = new Uint8Array(await sent.arrayBuffer())
  return (await api.request('POST /files', { key, raw, headers })).body.id
}

/** Opens a service and, before each test that asks for it, a merchant with a file. */
function applying(record: RecordPath): { state: Applying; anew(): Promise<void> } {
  const state = {} as Applying & { api: Api }
  let files: Record<string, string> = {}
  beforeAll(async () => {
    state.api = await openApi()
    const { test: stranger } = await state.api.newMerchants()
    files = { stranger: await aFile(state.api, stranger.secret_key) }
  })
  afterAll(() => state.api.close())
  state.send = (method, fields = {}, as = 'json') =>
    state.api.request(`${method} /live_application/${record}`, {
      key: state.key,
      ...(method !== 'GET' && (as === 'json' ? { json: fields } : { form: pairs(fields) })),
    })
  state.named = (value) =>
    Array.isArray(value) ? value.map(state.named) : typeof value === 'string' ? (files[value] ?? value) : value
  return {
    state,
    async anew() {
      state.key = (await state.api.newMerchants()).test.secret_key
      files.file = await aFile(state.api, state.key)
    },
  }
}

const pairs = (fields: object): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map((one) => [`${name}[]`, String(one)]) : [[name, String(value)]],
  )

/** The whole numbers of a body as text, for they may be longer than a number holds. */
const exactly = (text: string): Record<string, unknown> =>
  JSON.parse(text, ((_name: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? source : value) as never)

const fieldsOf = (record: RecordPath) => Object.entries(onboarding_tables[record]) as [string, FieldKind][]

const shown = (record: RecordPath, others: object) => ({
  ...Object.fromEntries(
    fieldsOf(record)
      .map(([name, kind]) => [name, unsetOf(record, kind)] as const)
      .filter(([, value]) => value !== undefined),
  ),
  ...(!record.startsWith('payment_methods/') && {
    resource: record,
    status: 'pending',
    created_at: '2030-01-02T12:00:00.000+09:00',
    updated_at: '2030-01-02T12:00:00.000+09:00',
  }),
  ...(record === 'site_information' && { sales_permit_required: false }),
  ...(record === 'company_information' && { id: expect.stringMatching(/^com_/) }),
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
})

/** Tests what begins a record: each field by itself, in each form, taken and refused. */
export function testsOfCreating(record: RecordPath): void {
  describe(`POST /live_application/${record}`, () => {
    const { state, anew } = applying(record)

    test.each(fieldsOf(record))('%s is returned in its type, sent as a form and as JSON', async (name, kind) => {
      await anew()
      for (const [sent, returned] of samples_of[kind].taken)
        for (const as of ['form', 'json'] as const) {
          const { status, text } = await state.send('POST', { [name]: state.named(sent) }, as)
          expect(status, text).toBe(200)
          const id = record === 'company_information' ? { id: expect.any(String) } : {}
          expect(exactly(text)).toEqual(shown(record, { [name]: state.named(returned), ...id }))
        }
    })

    test.each(fieldsOf(record))('%s is refused by its own name when it is malformed', async (name, kind) => {
      await anew()
      for (const wrong of samples_of[kind].refused) {
        const { status, body } = await state.send('POST', { [name]: state.named(wrong) })
        expect(status, JSON.stringify(wrong)).toBe(422)
        expect(body.error).toMatchObject({
          code: expect.stringMatching(/^invalid_/),
          param: expect.stringContaining(name),
        })
      }
      if (!record.startsWith('payment_methods/')) expect((await state.send('GET')).status).toBe(404)
    })

    test('numbers and booleans may be JSON of their own, and keep every digit', async () => {
      await anew()
      for (const [name, kind] of fieldsOf(record)) {
        if (!['integer', 'integer_as_text', 'boolean'].includes(kind)) continue
        for (const [sent, returned] of samples_of[kind].taken) {
          const { text } = await state.api.request(`POST /live_application/${record}`, {
            key: state.key,
            raw: `{"${name}":${sent}}`,
            headers: { 'content-type': 'application/json' },
          })
          expect(exactly(text)[name]).toBe(returned)
          if (kind === 'integer')
            expect(
              (
                await state.api.request(`POST /live_application/${record}`, {
                  key: state.key,
                  raw: `{"${name}":9007199254740992.5}`,
                  headers: { 'content-type': 'application/json' },
                })
              ).status,
            ).toBe(422)
          if (kind === 'integer') expect(text).toContain(`"${name}":${sent}`)
        }
      }
    })

    test('of nothing is a record with nothing set, and unknown fields are none', async () => {
      await anew()
      expect((await state.send('POST', { surprise: 1 })).body).toEqual(shown(record, {}))
    })

    test('once more, it replaces what it names and keeps the rest', async () => {
      await anew()
      const [first, second = first] = fieldsOf(record)
      const value = ([, kind]: [string, FieldKind]) => state.named(samples_of[kind].taken[0]![0])
      const { body: before } = await state.send('POST', { [first![0]]: value(first!) })
      const { body: after } = await state.send('POST', { [second![0]]: value(second!) })
      expect(after).toMatchObject({ [first![0]]: before[first![0]] })
      expect(after.id).toBe(before.id)
    })

    test('is served at its short path as well, and a live key has an application of its own', async () => {
      await anew()
      const [[name, kind]] = fieldsOf(record) as [[string, FieldKind]]
      const json = { [name]: state.named(samples_of[kind].taken[0]![0]) }
      const short = await state.api.request(`POST /${record}`, { key: state.key, json })
      expect(short.status).toBe(200)
      const live = await state.api.request(`PATCH /${record}`, { key: state.api.live.secret_key, json: {} })
      expect(live.status).toBe(404)
    })
  })
}

/** Tests what shows a record. */
export function testsOfShowing(record: RecordPath): void {
  describe(`GET /live_application/${record}`, () => {
    const { state, anew } = applying(record)

    test('is a 404 until the record was begun, and then what the write has answered', async () => {
      await anew()
      expect((await state.send('GET')).status).toBe(404)
      const all = fieldsOf(record).map(([name, kind]) => [name, state.named(samples_of[kind].taken[0]![0])])
      const { text } = await state.send('POST', Object.fromEntries(all))
      expect((await state.send('GET')).text).toBe(text)
      expect((await state.api.request(`GET /${record}`, { key: state.key })).text).toBe(text)
    })
  })
}

/** Tests what changes a record: every other field stays as it was. */
export function testsOfUpdating(record: RecordPath): void {
  describe(`PATCH /live_application/${record}`, () => {
    const { state, anew } = applying(record)

    test('is a 404 until the record was begun', async () => {
      await anew()
      expect((await state.send('PATCH')).status).toBe(404)
    })

    test('of each field keeps all others, and null unsets it', async () => {
      await anew()
      const all = fieldsOf(record).map(([name, kind]) => [name, state.named(samples_of[kind].taken[0]![0])])
      const { text } = await state.send('POST', Object.fromEntries(all))
      let before = exactly(text)
      for (const [name, kind] of fieldsOf(record)) {
        const [sent, returned] = samples_of[kind].taken.at(-1)!
        const { text: changed } = await state.send('PATCH', { [name]: state.named(sent) }, 'form')
        before = { ...before, ...(returned !== undefined && { [name]: state.named(returned) }) }
        expect(exactly(changed)).toEqual(before)
        const { [name]: _, ...others } = before
        const unset = unsetOf(record, kind)
        before = { ...others, ...(unset !== undefined && { [name]: unset }) }
        expect(exactly((await state.send('PATCH', { [name]: null })).text)).toEqual(before)
      }
    })

    test('refuses what is malformed and changes nothing', async () => {
      await anew()
      const { text } = await state.send('POST', {})
      for (const [name, kind] of fieldsOf(record)) {
        const wrong = state.named(samples_of[kind].refused[0])
        expect((await state.send('PATCH', { [name]: wrong })).body.error.param).toContain(name)
      }
      expect((await state.send('PATCH', {})).text).toBe(text)
    })
  })
}
