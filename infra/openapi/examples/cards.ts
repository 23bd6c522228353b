/** The payment details of a card of the customer of all examples. The default number is accepted by the sandbox. */
export const card = (number = '4111111111111111') => ({
  type: 'credit_card',
  number,
  month: 12,
  year: 2034,
  verification_value: '123',
  name: 'HANAKO SATO',
})

export const EMAIL = 'hanako@example.com'
export const PHONE = '0312345678'

/** The customer's names, as cash payments need them. */
export const names = { family_name: '佐藤', family_name_kana: 'サトウ', given_name: '花子', given_name_kana: 'ハナコ' }

/** An order of green tea, in yen. */
export const order = { amount: 3240, currency: 'JPY' }
