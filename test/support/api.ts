import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalPlatform, openLocalPlatform } from '#infra/local/local-platform.ts'
import { localService } from '#infra/local/server.ts'
import type { Workers } from '#infra/local/workers.ts'
import type { LogEntry, Platform } from '#shared/platform/ports.ts'
import { type NewMerchant, newMerchants } from '#shared/store/merchants.ts'

/** When tests begin, unless they say otherwise: noon of a Wednesday in Japan. */
export const START = Date.parse('2030-01-02T03:00:00Z')

/** What came back for a request. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  readonly body: any
}

export interface RequestOptions {
  /** The API key; null sends no credentials. */
  readonly key?: string | null
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent form-encoded. */
  readonly form?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  /** Sent as multipart. */
  readonly parts?: FormData
  /** `manual` answers a redirect as it is. */
  readonly redirect?: 'manual'
  readonly headers?: Readonly<Record<string, string>>
}

/** The service over real HTTP, on whatever platform. */
export interface Service {
  readonly url: string
  readonly platform: Platform
  readonly test: NewMerchant
  readonly live: NewMerchant
  newMerchants(): Promise<{ test: NewMerchant; live: NewMerchant }>
  /** `route` is a method and a path behind `/api/v1`, or a whole path such as `/_local/health`. */
  request(route: string, options?: RequestOptions): Promise<Reply>
  close(): Promise<void>
}

/** The service on the local platform, on a clock that only moves when it is turned. */
export interface Api extends Service {
  readonly platform: LocalPlatform
  readonly workers: Workers
  readonly logs: readonly LogEntry[]
  readonly data_dir: string
  advance(seconds: number): Promise<void>
}

export interface ApiOptions {
  readonly frozen_at?: number
  /** Lets a test put something between the service and its platform. */
  readonly around?: (platform: LocalPlatform) => LocalPlatform
  /** The addresses of host names; without, no name has any, so that no test depends on a network. */
  readonly names?: Platform['resolve']
}

/** No host name has an address. */
export const nameless: Platform['resolve'] = async () => {
  throw new Error('there are no names in tests')
}

/** Opens a service of its own in a new folder; `close` removes it. */
export async function openApi(options: ApiOptions = {}): Promise<Api> {
  const { frozen_at = START, around = (platform) => platform, names = nameless } = options
  const data_dir = mkdtempSync(join(tmpdir(), 'payments-'))
  const logs: LogEntry[] = []
  const platform = openLocalPlatform({ data_dir, frozen_at, names, log: (entry) => logs.push(entry) })
  const { server, workers } = localService(around(platform))
  return apiOf(await serve(server, platform), { platform, workers, logs, data_dir })
}

/** A service on the local platform as an API whose clock can be turned; `close` removes its folder. */
export function apiOf(service: Service, parts: Pick<Api, 'platform' | 'workers' | 'logs' | 'data_dir'>): Api {
  const { platform, workers, data_dir } = parts
  return {
    ...service,
    ...parts,
    advance: (seconds) => workers.advanceTo(platform.clock.now() + seconds * 1000),
    async close() {
      await service.close()
      platform.table.close()
      rmSync(data_dir, { recursive: true })
    },
  }
}

/** Lets a server listen on a free port, and makes two merchants on its platform; `close` ends the server alone. */
export async function serve(server: Server, platform: Platform): Promise<Service> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const make = async () => {
    const { merchants, writes } = newMerchants(platform.clock.now())
    await platform.table.write(writes)
    return merchants
  }
  const { test, live } = await make()
  return {
    url,
    platform,
    test,
    live,
    newMerchants: make,
    request: (route, options) => request(url, route, { key: test.secret_key, ...options }),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** One request to a service at `url`. */
export async function request(url: string, route: string, options: RequestOptions = {}): Promise<Reply> {
  const { key, json, form, raw, parts, redirect, headers = {} } = options
  const [method = 'GET', path = '/'] = route.split(' ')
  const sent: Record<string, string> = { ...headers }
  if (key) sent.authorization ??= `Basic ${btoa(`${key}:`)}`
  if (json !== undefined) sent['content-type'] ??= 'application/json'
  if (form !== undefined) sent['content-type'] ??= 'application/x-www-form-urlencoded'
  const body = json !== undefined ? JSON.stringify(json) : form !== undefined ? formText(form) : (raw ?? parts)
  const target = path.startsWith('/_local') ? path : `/api/v1${path}`
  const response = await fetch(url + target, { method, headers: sent, body, redirect })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  }
}

const formText = (form: NonNullable<RequestOptions['form']>): string =>
  new URLSearchParams((Array.isArray(form) ? form : Object.entries(form)) as [string, string][]).toString()

/** Details of a card that succeeds; another `number` for another outcome. */
export const card = (number = '4111111111111111') => ({
  type: 'credit_card',
  number,
  month: 12,
  year: 2035,
  verification_value: '123',
  name: 'Taro Yamada',
})

export const konbini = { type: 'konbini', store: 'lawson', email: 'taro@example.com', phone: '0312345678' }
