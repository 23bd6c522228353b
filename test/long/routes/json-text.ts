/** JSON like that of `JSON.stringify`, but with minus zero and with numbers that are too large for a double. */
export function jsonText(value: unknown): string {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return '-0'
    return Number.isFinite(value) ? String(value) : value < 0 ? '-1e999' : '1e999'
  }
  if (value === undefined) return 'null'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join()}]`
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${jsonText(inner)}`)
    .join()}}`
}
