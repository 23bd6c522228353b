import { namesOf } from '#infra/names.ts'
import { queueNames } from '#shared/background.ts'
import { reconcile } from '#shared/operations/reconcile.ts'
import { DynamodbTable } from '#shared/platform/aws/dynamodb-table.ts'
import { startRedrive } from '#shared/platform/aws/operating.ts'
import { systemClock } from '#shared/platform/aws/system-clock.ts'
import { SqliteSpool } from './sqlite-spool.ts'
import { UsageError, type Verb } from './verb.ts'

/** `operate reconcile` checks every invariant of the table. Its exit code is 1 when one is violated. */
export const reconcileVerb: Verb = {
  does: 'checks every invariant of the table; the exit code is 1 if one is violated',
  args: [],
  options: {
    merchant: 'checks only the items of this merchant',
    table: 'for a stage: the name of another table, such as a restored one',
  },
  async run({ open, stage, options: { merchant, table: name }, out, progress }) {
    if (name !== undefined && stage === undefined) throw new UsageError('--table can be used only with --stage.')
    const platform = await open()
    const { clock } = platform
    const table = name === undefined ? platform.table : new DynamodbTable(name, systemClock)
    const openSpool = () => new SqliteSpool()
    const findings = await reconcile({ table, openSpool, now: () => clock.now(), merchant, onProgress: progress })
    const width = Math.max(...findings.map((finding) => finding.name.length))
    for (const { name: check, checked, violations } of findings)
      out(`${check.padEnd(width)}  ${String(checked).padStart(9)} checked  ${violations.length} violations`)
    for (const { name: check, violations } of findings)
      for (const violation of violations) out(`${check}: ${violation}`)
    return findings.some(({ violations }) => violations.length > 0) ? 1 : 0
  },
}

/** The interval at which the progress of a redrive is read. */
const POLL_MS = 2_000

/** `operate redrive` moves the messages of a dead-letter queue back to their queue. */
export const redrive: Verb = {
  does: `moves the messages of a dead-letter queue back to their queue: ${queueNames.join(', ')}`,
  args: ['<queue>'],
  async run({ args: [queue = ''], stage, out, progress }) {
    if (!queueNames.some((name) => name === queue)) throw new UsageError(`The queues are ${queueNames.join(', ')}.`)
    if (stage === undefined) {
      out('A local run has no dead-letter queues. Work that failed stays due and is retried.')
      return 0
    }
    const task = await startRedrive(namesOf(stage).deadLetters(queue))
    if (!task) {
      out(`The dead-letter queue of ${queue} is empty.`)
      return 0
    }
    for (let now = await task.progress(); ; now = await task.progress()) {
      progress(`${now.moved} of ${now.of} moved`)
      if (now.status !== 'RUNNING') {
        out(`${now.moved} messages were moved back to ${queue}: ${now.status}`)
        return now.status === 'COMPLETED' ? 0 : 1
      }
      await systemClock.wait(POLL_MS)
    }
  },
}
