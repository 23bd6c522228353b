import { html } from 'hono/html'
import { type MethodOrder, methodOrder } from '#shared/domain/method-order.ts'
import { card_brands, type PaymentType } from '#shared/domain/payment-details.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { brandSheet } from '#shared/pages/marks/marks.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { feeNote, methodForm, methodMarks, methodName } from './method-forms.ts'
import type { SessionPageInput } from './session-page-input.ts'
import { expiredCardNote, offersStoredCard, storedCardMethod } from './stored-card.ts'

/**
 * Returns the payment methods, each with its form, one of them open. A stored card comes first, then the likely
 * methods. The others are folded, unless the customer tried one of them. A single method is shown without a list. An
 * expired stored card is not offered, and a note says so.
 */
export function methodList(input: SessionPageInput): Html {
  const { methods, locale } = input
  const [only, ...others] = methods
  if (only && others.length === 0 && !offersStoredCard(input))
    return html`${sheet(input)}${expiredCardNote(input)}<section class="panel"><h2>${methodName(only.type, input)}${feeNote(input, only)}${methodMarks(only.type)}</h2>${methodForm(input, only)}</section>`
  const { shown, more } = orderOf(input)
  const open = openType(input)
  const entries = (types: readonly PaymentType[]) => types.map((type) => entry(input, type, type === open))
  const rest =
    more.length > 0
      ? html`<details class="rest"${more.some((type) => type === open) ? html` open` : ''}><summary>${checkout_texts[locale].more_methods(more.length)}</summary>${entries(more)}</details>`
      : ''
  return html`${sheet(input)}${expiredCardNote(input)}<section aria-labelledby="methods"><h2 id="methods">${texts[locale].method}</h2><div class="methods">${
    offersStoredCard(input) ? storedCardMethod(input, open === undefined) : ''
  }${entries(shown)}${rest}</div></section>`
}

/** The type whose form is open when the page loads. Undefined if that is the form of the stored card. */
function openType(input: SessionPageInput): PaymentType | undefined {
  const { methods, chosen } = input
  if (methods.some(({ type }) => type === chosen)) return chosen
  return offersStoredCard(input) ? undefined : orderOf(input).shown[0]
}

const orderOf = ({ session, methods, locale }: SessionPageInput): MethodOrder =>
  methodOrder({ ...session, payment_types: methods.map(({ type }) => type) }, locale)

function entry(input: SessionPageInput, type: PaymentType, open: boolean): Html {
  const method = input.methods.find((each) => each.type === type)!
  const another = type === 'credit_card' && offersStoredCard(input)
  const name = another ? checkout_texts[input.locale].another_card : methodName(type, input)
  return html`<details name="method"${open ? html` open` : ''}><summary><span>${name}${feeNote(input, method)}</span>${methodMarks(type)}</summary>${methodForm(input, method)}</details>`
}

/** The drawings of the card brands, if the page shows any. */
const sheet = ({ methods }: SessionPageInput): Html | string =>
  methods.some(({ type }) => type === 'credit_card') ? brandSheet(card_brands) : ''
