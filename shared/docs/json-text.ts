/** The most characters of a line that holds a whole list or object. */
const LINE_CHARACTERS = 64

/** Returns a value as JSON for a reader: short lists and objects stand on one line, except the outermost. */
export function jsonText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((entry) => inside(entry, inner))
    : Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${inside(field, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (lines.length === 0) return `${open}${close}`
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`
}

function inside(value: unknown, indent: string): string {
  const line = inline(value)
  return line.length <= LINE_CHARACTERS - indent.length ? line : jsonText(value, indent)
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${inline(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
