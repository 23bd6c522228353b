import { describe, expect, test } from 'vitest'
import { card_brands, payment_types } from '#shared/domain/payment-details.ts'
import { brandMark, brandMarks, brandSheet, typeMark } from '#shared/pages/marks/marks.ts'
import { valuesOf } from '#test/browser/customer-pages.ts'

const harmful = /script|style=|url\(|image|data:|undefined|NaN/

describe('brandSheet', () => {
  test('has a hidden drawing for each brand of cards', () => {
    const sheet = String(brandSheet(card_brands))
    expect(sheet).toMatch(/^<svg hidden>/)
    expect(valuesOf(sheet, 'id')).toEqual(card_brands.map((brand) => `mark-${brand}`))
    expect(sheet).not.toMatch(/<symbol[^>]*><\/symbol>/)
  })

  test.each(card_brands)('keeps the drawing of %s small, without scripts, styles and links', (brand) => {
    const sheet = String(brandSheet([brand]))
    expect(sheet.length).toBeLessThan(640)
    expect(sheet).not.toMatch(harmful)
  })
})

describe('brandMark', () => {
  test('shows a drawing of the sheet, which screen readers skip', () => {
    expect(String(brandMark('visa'))).toBe('<svg aria-hidden="true"><use href="#mark-visa"/></svg>')
  })
})

describe('brandMarks', () => {
  test('shows the marks of brands as one picture with a name', () => {
    const marks = String(brandMarks(['visa', 'jcb'], 'Visa, JCB'))
    expect(marks).toMatch(/^<span class="marks" role="img" aria-label="Visa, JCB">/)
    expect(valuesOf(marks, 'href')).toEqual(['#mark-visa', '#mark-jcb'])
  })
})

describe('typeMark', () => {
  test.each(payment_types)('draws %s small, without scripts, styles and links', (type) => {
    const drawing = String(typeMark(type))
    expect(drawing).toMatch(/^<svg viewBox="0 0 48 30" aria-hidden="true"><(path|text) .*<\/svg>$/)
    expect(drawing.length).toBeLessThan(512)
    expect(drawing).not.toMatch(harmful)
  })
})
