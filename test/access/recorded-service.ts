import type { AccessWay } from '#infra/access/function-access.ts'
import type { Invoke } from '#infra/local/due-work.ts'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { invoker } from '#infra/local/server.ts'
import type { Bucket, Queue, Table, Vault, Write } from '#shared/platform/ports.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

/** What each called function did, by its file, as a set of pairs such as `gets payment` and `seals payment_details`. */
export type Recording = ReadonlyMap<string, ReadonlySet<string>>

/** Records one use of the platform. `reads_due` is a query of the due index, which is not part of `FunctionAccess`. */
type Note = (way: AccessWay | 'reads_due', what: string) => void

/** Opens a service that records what each function does with the table, the queues, the vault and the bucket. */
export async function openRecorded(): Promise<{ api: Api; recording: Recording }> {
  const recording = new Map<string, Set<string>>()
  const invokers = new Map<string, Invoke>()
  const invoke: Invoke = (file, event) => {
    let known = invokers.get(file)
    if (!known) {
      const uses = new Set<string>()
      recording.set(file, uses)
      known = invoker(recorded(api.platform, (way, what) => uses.add(`${way} ${what}`)))
      invokers.set(file, known)
    }
    return known(file, event)
  }
  const api = await openApi({ invoke })
  return { api, recording }
}

/** Returns the platform of one function. Every call of this platform is recorded by `note`. */
function recorded(platform: LocalPlatform, note: Note): LocalPlatform {
  const { table, queues, vault, bucket } = platform
  const queue = (name: keyof typeof queues) =>
    noted<Queue, LocalPlatform['queues'][typeof name]>(queues[name], {
      send: (messages) => messages.length > 0 && note('sends', name),
    })
  return {
    ...platform,
    table: noted<Table, LocalPlatform['table']>(table, {
      get(keys) {
        for (const { pk } of keys) note('gets', kindOf(pk))
      },
      query: ({ pk }) => note('queries', kindOf(pk)),
      count: ({ pk }) => note('queries', kindOf(pk)),
      due: ({ shard }) => note('reads_due', kindOf(shard)),
      write(writes) {
        for (const write of writes) noteWrite(write, note)
      },
    }),
    queues: {
      deliveries: queue('deliveries'),
      captures: queue('captures'),
      chores: queue('chores'),
      clocks: queue('clocks'),
    },
    vault: noted<Vault, LocalPlatform['vault']>(vault, {
      seal: (_, { purpose }) => note('seals', purpose!),
      open: (_, { purpose }) => note('opens', purpose!),
    }),
    bucket: noted<Bucket, LocalPlatform['bucket']>(bucket, {
      put: (name) => note(wayTo(name), 'PutObject'),
      get: (name) => note(wayTo(name), 'GetObject'),
      link: (name) => note(wayTo(name), 'GetObject'),
      remove: (name) => note(wayTo(name), 'DeleteObject'),
    }),
  }
}

/** The names of the copies of logos begin with `logos/`, and those of files with the id of a merchant. */
const wayTo = (object: string): AccessWay => (object.startsWith('logos/') ? 'logos' : 'objects')

function noteWrite(write: Write, note: Note): void {
  if ('put' in write) note('puts', kindOf(write.put.pk))
  else if ('delete' in write) note('deletes', kindOf(write.delete.pk))
  else note('checks', kindOf(write.check.pk))
}

/**
 * The kind that a key begins with. The kind of a list or of a shard of the due index includes the kind of its items.
 */
function kindOf(pk: string): string {
  const [first = '', second = ''] = pk.split('#')
  return first === 'list' || first === 'due' ? `${first}#${second}` : first
}

/** For each method of a port, a function that records a call with its arguments. */
type Notes<Port> = {
  [Call in keyof Port]: Port[Call] extends (...args: infer Args) => unknown ? (...args: Args) => unknown : never
}

/** Returns the adapter of a port such that `notes` records every call of a method of the port. */
function noted<Port extends object, Adapter extends Port>(adapter: Adapter, notes: Notes<Port>): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const note = notes[name as keyof Port] as ((...args: unknown[]) => unknown) | undefined
      return (...args: unknown[]) => {
        note?.(...args)
        return value.apply(target, args)
      }
    },
  })
}
