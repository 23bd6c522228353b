import { picture } from '#shared/http/picture.ts'
import { paymentMethodIcon } from '#shared/pages/marks/payment-method-icon.ts'

/** Shows the icon of a payment type, `<type>.svg`. `?brands=visa,master` shows the marks of brands of the type. */
export const handler = picture('GET /payment_methods/:file', {
  draw({ params, query }) {
    const [, type] = /^([a-z_]+)\.svg$/.exec(params.file) ?? []
    const brands = (query.brands ?? []).flatMap((value) => value.split(','))
    return type && paymentMethodIcon(type, brands)
  },
})
