import { namesOf } from '#infra/names.ts'
import { recoveryWindow } from '#shared/platform/aws/operating.ts'
import { copyFolder, restoreFolder } from './folder-copy.ts'
import { backupSteps, restoreSteps } from './recovery-steps.ts'
import { type Call, UsageError, type Verb } from './verb.ts'

/**
 * `operate backup` copies a data folder. For a stage, it prints what AWS stores by itself and the steps to store more.
 */
export const backup: Verb = {
  does: 'copies a data folder while it may be in use; of a stage says what AWS keeps and how to keep more',
  args: [],
  options: { to: 'a new folder for the copy' },
  async run(call) {
    if (call.stage !== undefined) return walkThrough(call, backupSteps(call.stage))
    const { to } = call.options
    if (to === undefined) throw new UsageError('Say where to: --to <folder>.')
    call.out(
      `${await copyFolder(call.data_dir, to)} items and their files are kept in ${to}, with the key that opens them.`,
    )
    return 0
  },
}

/** `operate restore` restores a data folder into a new one. For a stage, it prints the steps. */
export const restore: Verb = {
  does: 'brings a data folder back into a new one; of a stage prints the steps, with its own names',
  args: [],
  options: { from: 'the folder that backup made', at: 'the moment to go back to, such as 2030-01-31T09:00:00Z' },
  async run(call) {
    const { from, at } = call.options
    if (call.stage !== undefined) {
      if (at !== undefined && Number.isNaN(Date.parse(at))) throw new UsageError('--at is a moment in ISO 8601.')
      return walkThrough(call, restoreSteps(call.stage, at ?? '<moment>'))
    }
    if (from === undefined) throw new UsageError('Say what from: --from <folder>.')
    call.out(`${await restoreFolder(from, call.data_dir)} items and their files are back in ${call.data_dir}.`)
    return 0
  },
}

/**
 * Prints the recovery window of a stage's table, and the steps. It changes nothing on AWS, because a person takes each
 * step of a restore. Returns the exit code, which is 1 if point-in-time recovery is off.
 */
async function walkThrough({ stage, out }: Call, steps: readonly string[]): Promise<number> {
  const { table } = namesOf(stage!)
  const window = await recoveryWindow(table)
  out(
    window
      ? `${table} can be brought back as it was at any second from ${window.from?.toISOString()} to ${window.to?.toISOString()}.`
      : `Point-in-time recovery of ${table} is switched off: deploy its data stack.`,
  )
  for (const step of steps) out(step)
  return window ? 0 : 1
}
