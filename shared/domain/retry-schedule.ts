/**
 * The waits between the attempts of a delivery, in seconds. Each is longer than the one before, the last is 100 hours,
 * and all of them add up to 25 days.
 */
export const RETRY_WAITS = [
  4, 45, 192, 533, 1178, 2253, 3898, 6266, 9524, 13852, 19439, 26487, 35206, 45819, 58556, 73658, 91375, 111965, 135695,
  162840, 193685, 228520, 267645, 311365, 360000,
] as const

/** The number of all attempts: the first attempt and 25 retries. */
export const ATTEMPTS_MAX = RETRY_WAITS.length + 1

/** Returns how long after the first attempt a retry (numbered from 1) is due, in milliseconds. */
export function retryOffset(retry: number): number {
  return RETRY_WAITS.slice(0, retry).reduce((sum, wait) => sum + wait, 0) * 1000
}
