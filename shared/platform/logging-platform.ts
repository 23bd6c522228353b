import { systemClock } from './aws/system-clock.ts'
import { writeLog } from './log-line.ts'
import type { Platform } from './ports.ts'

/**
 * The platform of a function that only needs a clock and a log: the one that its caller passes in the context, or the
 * machine's clock and the log of Lambda. Such a function contains no client of the AWS SDK.
 */
export const loggingPlatform = (context: object): Pick<Platform, 'clock' | 'log'> =>
  'platform' in context ? (context.platform as Platform) : { clock: systemClock, log: writeLog }
