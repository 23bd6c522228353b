/**
 * Returns the origin of a defect for the log: the name of the error and the top eight frames of its stack, without the
 * message.
 */
export function traceOf(error: unknown): { error?: string; stack?: string[] } {
  if (!(error instanceof Error)) return {}
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return { error: error.name, stack: frames.slice(0, 8).map((line) => line.trim()) }
}
