import { access_ways, type FunctionAccess } from '#infra/access/function-access.ts'
import { backgroundFiles } from '#shared/background.ts'
import { servedFiles } from '#shared/routes.ts'
import { useEverything } from './recorded-flows.ts'
import { openRecorded, type Recording } from './recorded-service.ts'

/** The access of every function, by its file. */
export type AccessTable = Readonly<Record<string, FunctionAccess>>

/**
 * Uses the whole service and returns what each function did, and which kinds of the due index each function read.
 * Throws if a function was never called, because its access would be recorded as none.
 */
export async function recordAccess(): Promise<{ access: AccessTable; due: readonly string[] }> {
  const { api, recording } = await openRecorded()
  try {
    await useEverything(api)
  } finally {
    await api.close()
  }
  const files = [...servedFiles(), ...backgroundFiles].sort()
  const uncalled = files.filter((file) => !recording.has(file))
  if (uncalled.length > 0)
    throw new Error(
      `Nothing called ${uncalled.join(', ')}. An endpoint needs an example request in test/fixtures/route-requests.ts, ` +
        'a page or a background function needs a flow in test/access/recorded-flows.ts.',
    )
  return {
    access: Object.fromEntries(files.map((file) => [file, accessIn(recording.get(file)!)])),
    due: dueIn(recording),
  }
}

function accessIn(uses: ReadonlySet<string>): FunctionAccess {
  const pairs = [...uses].sort().map((use) => use.split(' ') as [way: string, what: string])
  const entries = access_ways.map(
    (way) => [way, pairs.filter((pair) => pair[0] === way).map(([, what]) => what)] as const,
  )
  return Object.fromEntries(entries.filter(([, all]) => all.length > 0))
}

/** One line for each kind of the due index that a function read: `background/sweep reads due#payment`. */
const dueIn = (recording: Recording): string[] =>
  [...recording].flatMap(([file, uses]) =>
    [...uses].filter((use) => use.startsWith('reads_due ')).map((use) => use.replace('reads_due', `${file} reads`)),
  )
