import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import { qrCode } from '#shared/pages/last-pages/qr-code.ts'

/** The dark modules that a path draws, as `x,y`. */
const drawn = (path: string): Set<string> =>
  new Set(
    Array.from(path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g), ([, x, y, width, back]) => {
      expect(back).toBe(width)
      return Array.from({ length: Number(width) }, (_, at) => `${Number(x) + at},${y}`)
    }).flat(),
  )

describe('qrCode', () => {
  test.each(['x', 'https://pages.example/pages/instructions/mer_1/pay_1?locale=ja', '日本語'.repeat(60)])(
    'draws every dark module of the code of %s',
    (text) => {
      const { data } = encode(text, { ecc: 'M', border: 4 })
      const dark = data.flatMap((row, y) => row.flatMap((module, x) => (module ? [`${x},${y}`] : [])))
      const svg = String(qrCode(text, 'code'))
      expect(svg).toContain(`viewBox="0 0 ${data.length} ${data.length}"`)
      expect([...drawn(/fill="#000" d="([^"]*)"/.exec(svg)![1]!)].sort()).toEqual(dark.sort())
    },
  )

  test('escapes its label', () => {
    expect(String(qrCode('x', '"><script>'))).toContain('aria-label="&quot;&gt;&lt;script&gt;"')
  })
})
