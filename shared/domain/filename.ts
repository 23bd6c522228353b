/** The longest stored name of a file, in UTF-16 code units. */
const LENGTH_MAX = 255

/** The longest extension that is preserved when a name is cut, including the dot. */
const EXTENSION_MAX = 16

/** The name of a file that was sent without a usable name. */
const DEFAULT_NAME = 'file'

/**
 * Invisible characters: control characters, line breaks, and format characters such as those that reverse the text
 * direction. Zero-width joiners and non-joiners are not among them.
 */
const INVISIBLE = /[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu

/**
 * Returns the name under which an uploaded file is stored, at most 255 UTF-16 code units long. Characters of every
 * script are allowed. Folders are dropped. Characters that could break a header or disguise the name are replaced.
 */
export function filenameOf(sent: string): string {
  // Browsers escape a quotation mark or line break in a name like this.
  const whole = sent.replaceAll('%22', '"').replace(/%0[ad]/gi, '_')
  const name = whole
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replace(INVISIBLE, '_')
    .trim()
  return /^\.*$/.test(name) ? DEFAULT_NAME : shortened(name)
}

/** Cuts the stem of a name that is too long. The extension stays, because it shows people the type of the file. */
function shortened(name: string): string {
  if (name.length <= LENGTH_MAX) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= EXTENSION_MAX ? name.slice(dot) : ''
  const stem = name.slice(0, LENGTH_MAX - extension.length)
  // The cut can split a surrogate pair.
  return stem.replace(/[\ud800-\udbff]$/, '') + extension
}

/** Returns the `Content-Disposition` header that makes a browser save a file under this name and never display it. */
export function attachment(filename: string): string {
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename*=UTF-8''${encoded}`
}
