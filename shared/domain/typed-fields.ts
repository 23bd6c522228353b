/** An e-mail address whose domain contains a dot. */
export const EMAIL =
  /^[A-Za-z0-9_.!#$%&'*+/=?^`{|}~-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** `12 / 30`, `12/2030` and `1230` all mean December 2030. The groups are the month and the year. */
export const EXPIRY = /^(\d{1,2})\s*[/.-]?\s*((?:20)?\d\d)$/

/** A telephone number of any country: 7 to 15 digits, with the usual marks between them. */
const PHONE = /^\+?(?:[ ().-]*\d){7,15}[ ().-]*$/

/** A name in katakana. The range includes the marks for long vowels, repetition and the middle dot. */
const KATAKANA = /^[\u30A1-\u30FE ]+$/

/** How the text that a customer types into a field is tidied and checked. */
export interface TypedField {
  /**
   * Whether the field holds digits or an address, which a Japanese keyboard can produce as full-width characters. They
   * become half-width, and dashes become `-`.
   */
  readonly is_half_width?: true
  /** Whether hiragana and half-width katakana become katakana. */
  readonly is_katakana?: true
  /** What the tidied text must look like, if the field is filled in. */
  readonly pattern?: RegExp
}

/**
 * The fields whose text is tidied, by name. The service and the script of its pages read this table, so that they agree
 * on what is valid.
 */
export const typed_fields: Readonly<Record<string, TypedField>> = {
  number: { is_half_width: true },
  expiry: { is_half_width: true, pattern: EXPIRY },
  verification_value: { is_half_width: true, pattern: /^\d{3,4}$/ },
  email: { is_half_width: true, pattern: EMAIL },
  phone: { is_half_width: true, pattern: PHONE },
  prepaid_number: { is_half_width: true },
  family_name_kana: { is_katakana: true, pattern: KATAKANA },
  given_name_kana: { is_katakana: true, pattern: KATAKANA },
}

/** The characters that a keyboard or a copied text can have in place of `-`, after compatibility normalization. */
export const DASHES = /[\u2010\u2012\u2013\u2014\u2015\u2212\u30FC]/g

/** The characters between the digits of a card number, as a customer copies or types it. */
export const NUMBER_SEPARATORS = /[\s./-]/g

/** The characters of hiragana that exist in katakana too. */
const HIRAGANA = /[\u3041-\u3096\u309D\u309E]/g

/** The distance from a character of hiragana to the same one of katakana. */
export const HIRAGANA_TO_KATAKANA = 0x60

/** Returns the text of a field without the variants of characters that mean the same. */
export function tidied(name: string, typed: string): string {
  const text = typed.trim()
  const field = Object.hasOwn(typed_fields, name) ? typed_fields[name]! : {}
  if (field.is_katakana) return text.normalize('NFKC').replace(HIRAGANA, inKatakana)
  if (!field.is_half_width) return text
  const half_width = text.normalize('NFKC').replace(DASHES, '-')
  return name === 'number' ? half_width.replace(NUMBER_SEPARATORS, '') : half_width
}

const inKatakana = (character: string): string => String.fromCharCode(character.charCodeAt(0) + HIRAGANA_TO_KATAKANA)
