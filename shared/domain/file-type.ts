/** What a file may be. Each is recognised by how it begins, so what begins as anything else is none of them. */
export type FileType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'image/heic' | 'image/webp'

/**
 * The type of a file by its content; undefined for anything that is not accepted, however it is named. A file that can be
 * read in two ways counts as what it begins with, and only its very first bytes count.
 */
export function fileTypeOf(bytes: Uint8Array): FileType | undefined {
  return (Object.keys(signatures) as FileType[]).find((type) => signatures[type](bytes))
}

const signatures: Readonly<Record<FileType, (bytes: Uint8Array) => boolean>> = {
  'application/pdf': (bytes) => /^%PDF-[12]\.\d/.test(latin(bytes, 0, 8)),
  // The signature, and the header chunk that has to follow it.
  'image/png': (bytes) => latin(bytes, 0, 16) === '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  // The marker of the start, and that of the segment behind it: any but those that cannot come first.
  'image/jpeg': (bytes) => /^\xff\xd8\xff[\xc0-\xcf\xdb\xdd\xe0-\xef\xfe]$/.test(latin(bytes, 0, 4)),
  'image/heic': isHeic,
  'image/webp': (bytes) => latin(bytes, 0, 4) === 'RIFF' && /^WEBPVP8[ LX]$/.test(latin(bytes, 8, 16)),
}

/** Longer than any such box is; what is longer would only cost time. */
const FTYP_BYTES_MAX = 1_024

const heic_brands = new Set(['heic', 'heix', 'heim', 'heis'])

/** The first box says which brands a reader must know: the one it was made as, a version, and those it fits besides. */
function isHeic(bytes: Uint8Array): boolean {
  if (latin(bytes, 4, 8) !== 'ftyp') return false
  const size = bytes.slice(0, 4).reduce((sum, byte) => sum * 256 + byte, 0)
  if (size < 16 || size > Math.min(bytes.length, FTYP_BYTES_MAX) || size % 4 !== 0) return false
  const major = latin(bytes, 8, 12)
  if (heic_brands.has(major)) return true
  // A picture of any codec calls itself so, and names its codec among the others.
  return major === 'mif1' && (latin(bytes, 16, size).match(/.{4}/gs) ?? []).some((brand) => heic_brands.has(brand))
}

/** Bytes as text, a letter for each. */
const latin = (bytes: Uint8Array, from: number, to: number): string =>
  Array.from(bytes.slice(from, to), (byte) => String.fromCharCode(byte)).join('')
