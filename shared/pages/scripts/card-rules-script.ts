import { card_brand_rows } from '#shared/domain/card.ts'
import { DASHES, HIRAGANA_TO_KATAKANA, NUMBER_SEPARATORS, typed_fields } from '#shared/domain/typed-fields.ts'
import { brand_names } from '#shared/pages/card-line.ts'

const brands = card_brand_rows.map(({ brand, beginning, number_lengths, code_length }) => {
  return `[${beginning},'${brand}','${brand_names[brand]}',[${number_lengths}],${code_length}]`
})

const fields = Object.entries(typed_fields)
const patterns = fields.flatMap(([name, { pattern }]) => (pattern ? [`${name}:${pattern}`] : []))
const namesOf = (kind: 'is_half_width' | 'is_katakana') =>
  JSON.stringify(fields.filter(([, field]) => field[kind]).map(([name]) => name))

/**
 * The functions of the page's script that tidy and check what a customer types. They come to the same results as
 * `readPaymentForm`, and read the same tables. The script around them defines `firstMonth`, the first month in which a
 * card is valid, as `monthInJapan` counts months.
 */
export const card_rules_script = `
const brands = [${brands.join(',\n')}]
const patterns = {${patterns.join(',\n')}}
const halfWidth = ${namesOf('is_half_width')}
const katakana = ${namesOf('is_katakana')}
function brandOf(number) {
  const [, brand, name, lengths, codeLength] = brands.find(([beginning]) => beginning.test(number)) || []
  return { brand, name, lengths, codeLength }
}
const digits = (text) => text.normalize('NFKC').replace(/\\D/g, '')
const passesLuhn = (number) => [...number].reverse().reduce((sum, digit, place) =>
  sum + (place % 2 < 1 ? +digit : digit < 5 ? 2 * digit : 2 * digit - 9), 0) % 10 === 0
function tidied(name, typed) {
  const text = typed.trim()
  if (katakana.includes(name)) return text.normalize('NFKC').replace(/[ぁ-ゖゝゞ]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + ${HIRAGANA_TO_KATAKANA}))
  if (!halfWidth.includes(name)) return text
  const half = text.normalize('NFKC').replace(${DASHES}, '-')
  return name === 'number' ? half.replace(${NUMBER_SEPARATORS}, '') : half
}
function isInvalid(name, text, number) {
  const { lengths, codeLength } = brandOf(number)
  if (patterns[name] && !patterns[name].test(text)) return true
  if (name === 'number') return !/^\\d{12,19}$/.test(text) || !passesLuhn(text) || (lengths && !lengths.includes(text.length))
  if (name === 'verification_value') return codeLength && text.length !== codeLength
  if (name !== 'expiry') return false
  const [, month, year] = patterns.expiry.exec(text)
  return month < 1 || month > 12 || 12 * (2000 + year % 100) + +month < firstMonth
}
`
