/** The waits between the attempts of a delivery, in seconds: they grow strictly, the last is 100 h, and together they are 25 days. */
export const RETRY_WAITS = [
  4, 45, 192, 533, 1178, 2253, 3898, 6266, 9524, 13852, 19439, 26487, 35206, 45819, 58556, 73658, 91375, 111965, 135695,
  162840, 193685, 228520, 267645, 311365, 360000,
] as const

/** Attempts in all: the first and 25 retries. */
export const ATTEMPTS_MAX = RETRY_WAITS.length + 1

/** How long after the first attempt the retry of that number (from 1) is due, in milliseconds. */
export function retryOffset(retry: number): number {
  return RETRY_WAITS.slice(0, retry).reduce((sum, wait) => sum + wait, 0) * 1000
}
