/** The longest name that a file keeps, in UTF-16 units. */
const LENGTH_MAX = 255

/** The longest ending that survives when a name is cut, its dot included. */
const EXTENSION_MAX = 16

/** What a file is called that came without a name. */
const NAMELESS = 'file'

/** Letters that nobody sees: control characters, breaks of lines, and marks that turn the direction of text around. */
const INVISIBLE = /[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu

/**
 * The name of an uploaded file as it is kept: any letters of any script, but no folders, nothing that can break a header or
 * make a name look like another, and no more than 255 of them.
 */
export function filenameOf(sent: string): string {
  // How browsers write the letters that would end the name.
  const whole = sent.replaceAll('%22', '"').replace(/%0[ad]/gi, '_')
  const name = whole
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replace(INVISIBLE, '_')
    .trim()
  return /^\.*$/.test(name) ? NAMELESS : shortened(name)
}

/** A name that is too long loses letters of its stem, so that it still ends in what tells people its type. */
function shortened(name: string): string {
  if (name.length <= LENGTH_MAX) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= EXTENSION_MAX ? name.slice(dot) : ''
  const stem = name.slice(0, LENGTH_MAX - extension.length)
  // A letter that is cut in two is none.
  return stem.replace(/[\ud800-\udbff]$/, '') + extension
}

/** The `Content-Disposition` header with which a browser saves what it gets under this name, and never shows it. */
export function attachment(filename: string): string {
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename*=UTF-8''${encoded}`
}
