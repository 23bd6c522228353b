import { describe, expect, test } from 'vitest'
import { accentColors, CONTRAST_MIN, contrastOf, page_colors, type Scheme } from '#shared/domain/accent-color.ts'
import { style } from '#shared/pages/styles/style.ts'

const schemes = Object.keys(page_colors) as Scheme[]
const hex = (value: number): string => `#${value.toString(16).padStart(6, '0')}`

/** Colors that are spread over the whole cube: every fifth value of each part, with both ends. */
const parts = Array.from({ length: 52 }, (_, at) => at * 5)
const colors = parts.flatMap((red) => parts.flatMap((green) => parts.map((blue) => (red << 16) | (green << 8) | blue)))

/** Returns what is wrong with the colors for an accent color. */
function faultsOf(color: string, scheme: Scheme): string[] {
  const { accent, over, on } = accentColors(color, scheme)
  const { back, panel } = page_colors[scheme]
  const pairs = [
    ['a link on the page', accent, back],
    ['a link on a panel', accent, panel],
    ['the text of a button', on, accent],
    ['the text of a button under the pointer', on, over],
  ] as const
  return pairs
    .filter(([, one, other]) => contrastOf(one, other) < CONTRAST_MIN)
    .map(([name]) => `${color} in ${scheme}: ${name}`)
}

describe('accentColors', () => {
  test.each(schemes)('gives every color enough contrast as link and as button on %s pages', (scheme) => {
    expect(colors).toHaveLength(140_608)
    expect(colors.flatMap((color) => faultsOf(hex(color), scheme))).toEqual([])
  })

  test.each(schemes)('keeps a color that has enough contrast on %s pages', (scheme) => {
    const { back, panel } = page_colors[scheme]
    const on = accentColors('#808080', scheme).on
    const strong = colors
      .map(hex)
      .filter((color) => [back, panel, on].every((other) => contrastOf(color, other) >= CONTRAST_MIN))
    expect(strong.length).toBeGreaterThan(10_000)
    expect(strong.filter((color) => accentColors(color, scheme).accent !== color)).toEqual([])
  })

  test.each(schemes)('changes the color under the pointer on %s pages', (scheme) => {
    for (const color of ['#000000', '#ffffff', '#808080', '#ff0000', '#ffff00', '#2546d2']) {
      const { accent, over } = accentColors(color, scheme)
      expect(over).not.toBe(accent)
    }
  })

  test('corrects a color by as little as is needed, and keeps its hue', () => {
    expect(accentColors('#ffff00', 'light').accent).toBe('#747400')
    expect(accentColors('#ffff00', 'dark').accent).toBe('#ffff00')
    expect(accentColors('#000000', 'light').accent).toBe('#000000')
    expect(accentColors('#000080', 'dark').accent).toMatch(/^#([0-9a-f]{2})\1[0-9a-f]{2}$/)
  })
})

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
])('contrastOf %s and %s is %d', (one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 2)
  expect(contrastOf(other, one)).toBe(contrastOf(one, other))
})

test('page_colors are those of the style sheet', () => {
  const [light, dark] = style.split('prefers-color-scheme:dark') as [string, string]
  for (const [scheme, rules] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const colorOf = (name: string) =>
      new RegExp(`--${name}:(#[0-9a-f]+)`).exec(rules)![1]!.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
    expect({ back: colorOf('back'), panel: colorOf('panel') }).toEqual(page_colors[scheme])
    expect(colorOf('on')).toBe(accentColors('#2546d2', scheme).on)
  }
})
