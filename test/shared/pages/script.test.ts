import { Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { brandOf } from '#shared/domain/card.ts'
import { cardLine } from '#shared/pages/card-line.ts'
import { script } from '#shared/pages/script.ts'

const brands = Array.from(script.matchAll(/\[\/(\^[^,]+)\/, '([^']+)'\]/g), ([, beginning, name]) => ({
  beginning: new RegExp(beginning!),
  name: name!,
}))

describe('script', () => {
  test('is valid, safe to embed, and makes no requests', () => {
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/<\/|<!--|https?:|fetch|XMLHttpRequest|import|eval|innerHTML|Storage|cookie/)
  })

  test('recognizes card brands by the same digits as the API, with the same names', () => {
    expect(brands).toHaveLength(7)
    for (let beginning = 1000; beginning < 10_000; beginning++) {
      const number = `${beginning}00000000`
      const brand = brandOf(number)
      const shown = brands.find((it) => it.beginning.test(number))?.name
      const called = cardLine({ type: 'credit_card', email: null, brand, last_four_digits: '' }).split(' ••••')[0]
      expect(`${number} ${shown ?? '•••• '}`).toBe(`${number} ${called}`)
    }
  })
})
