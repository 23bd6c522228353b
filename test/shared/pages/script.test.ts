import { Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { brandOf } from '#shared/domain/card.ts'
import { cardLine } from '#shared/pages/card-line.ts'
import { script } from '#shared/pages/script.ts'

const brands = Array.from(script.matchAll(/\[\/(\^[^,]+)\/, '([^']+)'\]/g), ([, beginning, name]) => ({
  beginning: new RegExp(beginning!),
  name: name!,
}))

describe('the script of the pages', () => {
  test('is one, can be put into a page, and asks nobody for anything', () => {
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/<\/|<!--|https?:|fetch|XMLHttpRequest|import|eval|innerHTML|Storage|cookie/)
  })

  test('knows a card by the same digits as the API, and calls it the same', () => {
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
