import * as v from 'valibot'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'
import { integer, orNull, text, url } from './fields.ts'

/**
 * The longest description of a line item: that of a payment. Shops send the whole text about a product. A session whose
 * line items are too large to be stored together is refused as a whole.
 */
const DESCRIPTION_LENGTH_MAX = 2_000

const QUANTITY_MAX = 1_000_000

/** The smallest quantity. The table cannot store a number that is very close to zero, such as 5e-324. */
const QUANTITY_MIN = 1e-20

/** A number above zero, also with decimals. It can also be sent as text: `"1.5"`. */
const quantity = v.pipe(
  v.unknown(),
  v.metadata({ type: 'number', minimum: QUANTITY_MIN, maximum: QUANTITY_MAX }),
  v.transform((input) => (typeof input === 'string' && /^\d{1,20}(\.\d{1,20})?$/.test(input) ? Number(input) : input)),
  v.custom<number>(
    (value) => typeof value === 'number' && value >= QUANTITY_MIN && value <= QUANTITY_MAX,
    `must be a number greater than 0 and at most ${QUANTITY_MAX}, such as 2 or 1.5`,
  ),
)

/** The address of a picture. A picture never stops a checkout, so anything but an http or https URL becomes null. */
const image = v.optional(
  v.pipe(
    v.unknown(),
    v.metadata({ type: 'string', format: 'uri', nullable: true }),
    v.transform((input) => (v.is(url, input) ? input : null)),
  ),
  null,
)

/** One item of what the customer of a session buys. */
export const line_item = v.object(
  {
    amount: v.pipe(
      orNull(integer(0, AMOUNT_MAX)),
      v.description('The amount of one item, in the smallest unit of the currency.'),
    ),
    description: v.pipe(
      orNull(text(DESCRIPTION_LENGTH_MAX)),
      v.description('The text that the customer sees about the item.'),
    ),
    quantity: v.pipe(
      orNull(quantity),
      v.description('The number of items, also with decimals. An item without a quantity counts once.'),
    ),
    image: v.pipe(
      image,
      v.description('The address of a picture of the item. Anything but an http or https URL is treated as absent.'),
    ),
  },
  'must be an object',
)
