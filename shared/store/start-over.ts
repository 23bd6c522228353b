import { WriteConflict } from '#shared/platform/ports.ts'
import type { Work } from './work.ts'

/** How often work that loses races starts over before it gives up with the conflict. */
const TRIES_MAX = 5

/** The same once an operation is out at the acquirer, since its outcome has to be recorded. */
const SETTLING_TRIES_MAX = 300

/** Does what reads and commits; when someone else was faster, forgets what was read and does it again, `tries_max` times in all. */
export async function startingOver<T>(work: Work, act: () => Promise<T>, tries_max = TRIES_MAX): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries >= (work.begun ? SETTLING_TRIES_MAX : tries_max)) throw error
      work.forget()
    }
  }
}
