import { describe, expect, test } from 'vitest'
import type { Schema } from '#shared/docs/api-description.ts'
import { fieldList, fieldsIn } from '#shared/docs/schema-fields.ts'
import { plain } from './site.ts'

describe('fieldList', () => {
  const shown = async (schema: Schema, is_request = true) =>
    String(await fieldList(plain, fieldsIn(schema, is_request)))

  test('shows name, type, meaning, limits, default and values, and which fields a request must have', async () => {
    const markup = await shown({
      required: ['amount'],
      properties: {
        amount: { type: 'integer', minimum: 1, maximum: 9999, description: 'The `amount` to <take>.' },
        name: { type: 'string', maxLength: 64, default: 'x' },
        mode: { enum: ['payment', 'customer'] },
      },
    })
    expect(markup).toContain('<code>amount</code> <span>integer</span> <em>required</em>')
    expect(markup).toContain('<p>The <code>amount</code> to &lt;take&gt;.</p>')
    expect(markup).toContain('From 1 to 9,999.')
    expect(markup).toContain('At most 64 characters. Default: &quot;x&quot;.')
    expect(markup).toContain('One of <code>payment</code>, <code>customer</code>.')
    expect(markup.match(/required/g)).toHaveLength(1)
  })

  test('shows nested fields inside, and the variants of a field below each other', async () => {
    const variant = (type: string): Schema => ({ properties: { type: { const: type }, [type]: { type: 'string' } } })
    const markup = await shown({
      properties: { details: { oneOf: [variant('card'), variant('cash')] }, list: { items: variant('line') } },
    })
    expect(markup.match(/<summary>[^<]*/g)).toEqual(['<summary>card ', '<summary>cash ', '<summary>Fields '])
    expect(markup).toContain('<code>line</code>')
  })

  test('leads to the page of an object that another page describes', async () => {
    const markup = await shown({ properties: { payment: { $ref: '#/components/schemas/Payment' } } }, false)
    expect(markup).toContain('<a href="/docs/reference/payments#object-Payment">Payment</a>')
    expect(markup).not.toContain('<details>')
  })

  test('merges the fields of a union, and names many values by one', async () => {
    const values = Array.from({ length: 100 }, (_, at) => `V${at}`)
    const markup = await shown({ oneOf: [{ properties: { a: { enum: values } } }, { properties: { b: {} } }] }, false)
    expect(markup).toContain('One of 100 values, such as <code>V0</code>.')
    expect(markup).toContain('<code>b</code>')
  })
})
