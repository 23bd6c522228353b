/** The accepted file types. Each is recognised by its first bytes. */
export const file_types = ['application/pdf', 'image/png', 'image/jpeg', 'image/heic', 'image/webp'] as const

export type FileType = (typeof file_types)[number]

/**
 * Returns the type of a file by its content, or undefined for content that is not accepted. The name of the file has no
 * effect. A file that can be read as two types has the type that its very first bytes show.
 */
export function fileTypeOf(bytes: Uint8Array): FileType | undefined {
  return (Object.keys(signatures) as FileType[]).find((type) => signatures[type](bytes))
}

const signatures: Readonly<Record<FileType, (bytes: Uint8Array) => boolean>> = {
  'application/pdf': (bytes) => /^%PDF-[12]\.\d/.test(latin(bytes, 0, 8)),
  // The signature, and the header chunk that must follow it.
  'image/png': (bytes) => latin(bytes, 0, 16) === '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  // The start marker, and the marker of the next segment. Markers that cannot come first are excluded.
  'image/jpeg': (bytes) => /^\xff\xd8\xff[\xc0-\xcf\xdb\xdd\xe0-\xef\xfe]$/.test(latin(bytes, 0, 4)),
  'image/heic': isHeic,
  'image/webp': (bytes) => latin(bytes, 0, 4) === 'RIFF' && /^WEBPVP8[ LX]$/.test(latin(bytes, 8, 16)),
}

/** The largest `ftyp` box that is read, in bytes. No real image has a larger `ftyp` box. */
const FTYP_BYTES_MAX = 1_024

const heic_brands = new Set(['heic', 'heix', 'heim', 'heis'])

/** Whether a file is a HEIC image. Its first box contains the major brand, a version and the compatible brands. */
function isHeic(bytes: Uint8Array): boolean {
  if (latin(bytes, 4, 8) !== 'ftyp') return false
  const size = bytes.slice(0, 4).reduce((sum, byte) => sum * 256 + byte, 0)
  if (size < 16 || size > Math.min(bytes.length, FTYP_BYTES_MAX) || size % 4 !== 0) return false
  const major = latin(bytes, 8, 12)
  if (heic_brands.has(major)) return true
  // Images of any codec can have this major brand. The compatible brands then name the codec.
  return major === 'mif1' && (latin(bytes, 16, size).match(/.{4}/gs) ?? []).some((brand) => heic_brands.has(brand))
}

/** Converts bytes to text, one character per byte. */
const latin = (bytes: Uint8Array, from: number, to: number): string =>
  Array.from(bytes.slice(from, to), (byte) => String.fromCharCode(byte)).join('')
