/** One way to send a credential. */
export interface Spelling {
  readonly name: string
  /** The values of the `Authorization` headers, in the order in which they are sent. */
  readonly authorization: readonly string[]
  /** Headers that are sent before the `Authorization` headers. */
  readonly before?: readonly (readonly [name: string, value: string])[]
}

type Named<T> = readonly (readonly [name: string, value: T])[]

/** Valid and invalid ways in which a client, or an attacker who evades a limit, can write the credential of `key`. */
export function spellingsOf(key: string, merchants: readonly string[], other_key: string): Spelling[] {
  const texts = textsOf(key, merchants, other_key)
  const encoded = texts.flatMap(([text, bytes]) =>
    encodingsOf(bytes).map(([encoding, value]) => [`${text}, ${encoding}`, value] as const),
  )
  const right = (bytes: string) => `Basic ${Buffer.from(bytes).toString('base64')}`
  const good = right(`${key}:`)
  const framed = texts.slice(0, 2 + merchants.length).flatMap(([text, bytes]) =>
    encodingsOf(bytes)
      .slice(0, 2)
      .flatMap(([encoding, value]) =>
        frames(value).map(([frame, header]) => [`${text}, ${encoding}, ${frame}`, header] as const),
      ),
  )
  return [
    ...encoded.map(([name, value]) => ({ name, authorization: [`Basic ${value}`] })),
    ...framed.map(([name, value]) => ({ name, authorization: [value] })),
    { name: 'no header', authorization: [] },
    { name: 'an empty header', authorization: [''] },
    { name: 'the scheme alone', authorization: ['Basic'] },
    { name: 'twice', authorization: [good, good] },
    { name: 'behind another key', authorization: [right(`${other_key}:`), good] },
    { name: 'before another key', authorization: [good, right(`${other_key}:`)] },
    { name: 'before nonsense', authorization: [good, 'Basic x'] },
    { name: 'behind nonsense', authorization: ['Bearer x', good] },
    { name: 'joined by a comma', authorization: [`${good}, ${good}`] },
    { name: 'behind 8 KB of headers', authorization: [good], before: [['x-padding', 'x'.repeat(8192)]] },
    {
      name: 'behind 200 headers',
      authorization: [good],
      before: Array.from({ length: 200 }, (_, index) => [`x-${index}`, ''] as const),
    },
    { name: 'behind 8 KB of spaces', authorization: [good.replace(' ', ' '.repeat(8192))] },
  ]
}

/** The texts of credentials before base64. The valid ones come first. */
function textsOf(key: string, merchants: readonly string[], other_key: string): Named<string | Buffer> {
  return [
    ['the key', key],
    ['the key and a colon', `${key}:`],
    ...merchants.map((merchant, index) => [`the key and merchant ${index + 1}`, `${key}:${merchant}`] as const),
    ['two colons', `${key}::`],
    ['a colon behind the merchant', `${key}:${merchants[0]}:`],
    ['an unknown merchant', `${key}:mer_0000000000000000000000000`],
    ['another key as the password', `${key}:${other_key}`],
    ['the key as the password', `:${key}`],
    ['a space before the key', ` ${key}`],
    ['a space behind the key', `${key} :`],
    ['a line break behind the key', `${key}\n`],
    ['a null behind the key', `${key}\0`],
    ['a byte order mark', `\ufeff${key}:`],
    ['upper case', key.toUpperCase()],
    ['full-width letters', `${key.slice(0, -1)}\uff41:`],
    ['bytes that are not UTF-8', Buffer.concat([Buffer.from(`${key}:`), Buffer.from([0xff, 0xfe])])],
    ['an overlong colon', Buffer.concat([Buffer.from(key), Buffer.from([0xc0, 0xba])])],
    ['nothing', ''],
    ['a colon', ':'],
  ]
}

const JUNK = ['!', '-', '_', '.', '=', ' ', '\t', '\r\n', '\u00a0', '\0', 'é', '%3D', ',']

/** The encodings of a text. The first one is canonical, and the second one lacks padding. */
function encodingsOf(bytes: string | Buffer): Named<string> {
  const canonical = Buffer.from(bytes).toString('base64')
  const bare = canonical.replace(/=+$/, '')
  return [
    ['canonical', canonical],
    ['without padding', bare],
    ...[1, 2, 3, 4].map((count) => [`with ${count} padding characters`, bare + '='.repeat(count)] as const),
    ['with padding in front', `=${canonical}`],
    ['base64url', Buffer.from(bytes).toString('base64url')],
    ['twice encoded', Buffer.from(canonical).toString('base64')],
    ['not encoded', Buffer.from(bytes).toString('latin1')],
    ['in lines of 20', canonical.replace(/.{20}/g, '$&\r\n')],
    ['in quotes', `"${canonical}"`],
    ['in lower case', canonical.toLowerCase()],
    ...JUNK.flatMap((junk) =>
      [0, 1, 4, bare.length].map(
        (at) => [`with ${JSON.stringify(junk)} at ${at}`, canonical.slice(0, at) + junk + canonical.slice(at)] as const,
      ),
    ),
    ...otherEndsOf(bare).map((end) => [`ending in ${end.slice(-1)}`, end] as const),
    ...otherEndsOf(bare).map(
      (end) => [`ending in ${end.slice(-1)}, with padding`, end.padEnd(canonical.length, '=')] as const,
    ),
  ]
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Other base64 texts of the same bytes: the unused bits of the last letter are not zero. */
function otherEndsOf(bare: string): string[] {
  if (bare === '') return []
  const same = Buffer.from(bare, 'base64')
  return Array.from(ALPHABET, (letter) => bare.slice(0, -1) + letter).filter(
    (text) => text !== bare && Buffer.from(text, 'base64').equals(same),
  )
}

/** Header values that contain the encoded credential, with various schemes, gaps and edges. */
function frames(value: string): Named<string> {
  const every_case = Array.from({ length: 32 }, (_, bits) =>
    Array.from('basic', (letter, index) => (bits & (1 << index) ? letter.toUpperCase() : letter)).join(''),
  )
  const schemes = ['', 'Basi', 'Basicx', 'Basic:', 'Basic,', 'ba\u017fic', 'Bearer']
  const gaps = ['', '  ', '     ', '\t', ' \t', '\t ', '\n', '\r\n ', '\u00a0', ' \u00a0', '\u2003', '\f', '+', '%20']
  const edges = [' ', '  ', '\t', '\n', '\u00a0', ',', ';', '\0']
  return [
    ...[...every_case, ...schemes].map((scheme) => [`scheme ${JSON.stringify(scheme)}`, `${scheme} ${value}`] as const),
    ...gaps.map((gap) => [`gap ${JSON.stringify(gap)}`, `bAsIc${gap}${value}`] as const),
    ...edges.map((edge) => [`${JSON.stringify(edge)} in front`, `${edge}Basic ${value}`] as const),
    ...edges.map((edge) => [`${JSON.stringify(edge)} at the end`, `Basic ${value}${edge}`] as const),
  ]
}
