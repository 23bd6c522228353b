import { namesOf } from '#infra/names.ts'
import { recoveryWindow } from '#shared/platform/aws/operating.ts'
import { copyFolder, restoreFolder } from './folder-copy.ts'
import { backupSteps, restoreSteps } from './recovery-steps.ts'
import { type Call, UsageError, type Verb } from './verb.ts'

/**
 * `operate backup` copies a data folder. For a stage, it prints what AWS stores by itself and the steps to store more.
 */
export const backup: Verb = {
  does: 'copies a data folder, which may be in use; for a stage, prints what AWS stores and how to store more',
  args: [],
  options: { to: 'the folder for the copy, which must be new or empty' },
  async run(call) {
    if (call.stage !== undefined) return walkThrough(call, backupSteps(call.stage))
    const { to } = call.options
    if (to === undefined) throw new UsageError('The folder for the copy is missing: --to <folder>.')
    call.out(
      `${await copyFolder(call.data_dir, to)} items and their files are copied to ${to}, with the key that decrypts them.`,
    )
    return 0
  },
}

/** `operate restore` restores a data folder into a new one. For a stage, it prints the steps. */
export const restore: Verb = {
  does: 'restores a backup into a new data folder; for a stage, prints the steps',
  args: [],
  options: {
    from: 'the folder that `backup` created',
    at: 'for a stage: the time to restore, such as 2030-01-31T09:00:00Z',
  },
  async run(call) {
    const { from, at } = call.options
    if (call.stage !== undefined) {
      if (at !== undefined && Number.isNaN(Date.parse(at))) throw new UsageError('--at must be a time in ISO 8601.')
      return walkThrough(call, restoreSteps(call.stage, at ?? '<moment>'))
    }
    if (from === undefined) throw new UsageError('The folder of the backup is missing: --from <folder>.')
    call.out(`${await restoreFolder(from, call.data_dir)} items and their files are restored to ${call.data_dir}.`)
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
      ? `${table} can be restored to any second from ${window.from?.toISOString()} to ${window.to?.toISOString()}.`
      : `Point-in-time recovery of ${table} is off. Deploy its data stack to switch it on.`,
  )
  for (const step of steps) out(step)
  return window ? 0 : 1
}
