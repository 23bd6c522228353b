import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { control } from '#infra/local/control.ts'
import type { Invoke } from '#infra/local/due-work.ts'
import { type LocalPlatform, openLocalPlatform } from '#infra/local/local-platform.ts'
import { gateway, invoker } from '#infra/local/server.ts'
import { Workers } from '#infra/local/workers.ts'
import type { LogEntry, Write } from '#shared/platform/ports.ts'
import { type Api, apiOf, nameless, START, serve } from '#test/fixtures/api.ts'

/** What was seen of the functions: lines of a file, what it did, and with what. */
export type Seen = ReadonlySet<string>

/** The service, where everything that a function asks of table and queues is written down under the function's name. */
export async function openRecorded(): Promise<{ api: Api; seen: Seen }> {
  const data_dir = mkdtempSync(join(tmpdir(), 'recorded-'))
  const logs: LogEntry[] = []
  const platform = openLocalPlatform({ data_dir, frozen_at: START, names: nameless, log: (entry) => logs.push(entry) })
  const seen = new Set<string>()
  const invokers = new Map<string, Invoke>()
  const invoke: Invoke = (file, event) => {
    const known = invokers.get(file) ?? invoker(recorded(platform, (line) => seen.add(`${file} ${line}`)))
    invokers.set(file, known)
    return known(file, event)
  }
  const workers = new Workers(platform, invoke)
  const service = await serve(
    gateway(invoke, (event) => control(platform, workers, event)),
    platform,
  )
  const api = apiOf(service, { platform, workers, logs, data_dir })
  return { api, seen }
}

/** The kind that a key begins with; of a list and of what is due, with the kind of what it holds. */
function kindOf(pk: string): string {
  const [first = '', second = ''] = pk.split('#')
  return first === 'list' || first === 'due' ? `${first}#${second}` : first
}

function recorded(platform: LocalPlatform, see: (line: string) => void): LocalPlatform {
  const { table, queues } = platform
  const watch = {
    get(keys) {
      for (const { pk } of keys) see(`gets ${kindOf(pk)}`)
    },
    query: ({ pk }) => see(`queries ${kindOf(pk)}`),
    count: ({ pk }) => see(`queries ${kindOf(pk)}`),
    due: ({ shard }) => see(`dues ${kindOf(shard)}`),
    write(writes) {
      for (const write of writes) see(wayOf(write))
    },
  } satisfies {
    [Call in 'get' | 'query' | 'count' | 'due' | 'write']: (asked: Parameters<(typeof table)[Call]>[0]) => void
  }
  const queue = (name: keyof typeof queues) =>
    watched(queues[name], { send: (messages: readonly unknown[]) => messages.length > 0 && see(`sends ${name}`) })
  return {
    ...platform,
    table: watched(table, watch as Record<string, (asked: never) => unknown>),
    queues: { deliveries: queue('deliveries'), captures: queue('captures'), chores: queue('chores') },
  }
}

function wayOf(write: Write): string {
  if ('put' in write) return `puts ${kindOf(write.put.pk)}`
  return 'delete' in write ? `deletes ${kindOf(write.delete.pk)}` : `checks ${kindOf(write.check.pk)}`
}

function watched<T extends object>(port: T, watch: Record<string, (asked: never) => unknown>): T {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...asked: unknown[]) => {
        watch[name as string]?.(asked[0] as never)
        return value.apply(target, asked)
      }
    },
  })
}
