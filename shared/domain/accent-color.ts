/** The red, green and blue parts of a color, each from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number]

/** The colors of a page behind an accent color: the page itself and its panels. */
export const page_colors = {
  light: { back: '#f4f5f8', panel: '#ffffff' },
  dark: { back: '#11141b', panel: '#1b202a' },
} as const
export type Scheme = keyof typeof page_colors

/** The colors of buttons and links on a page: at rest, under the pointer, and of the text on them. */
export interface AccentColors {
  readonly accent: string
  readonly over: string
  readonly on: string
}

/** The smallest contrast of text that WCAG 2.2 accepts at level AA. */
export const CONTRAST_MIN = 4.5

/** In each scheme, the color that a weak accent is mixed with, and the color of the text on the accent. */
const ends = { light: { toward: '#000000', on: '#ffffff' }, dark: { toward: '#ffffff', on: '#0d1330' } } as const

/** The number of steps from a color to black or white. */
const STEPS = 64

/** The number of steps from a color at rest to the color under the pointer. */
const OVER_STEPS = 14

/**
 * Returns the colors for an accent color (`#rrggbb`) on light or on dark pages. A color with too little contrast is
 * mixed with black on light pages and with white on dark pages, just until links on the page and text on buttons have
 * a contrast of at least 4.5.
 */
export function accentColors(color: string, scheme: Scheme): AccentColors {
  const { toward, on } = ends[scheme]
  const chosen = rgbOf(color)
  const behind = [page_colors[scheme].back, page_colors[scheme].panel, on]
  const isReadable = (mixed: Rgb) => behind.every((other) => contrast(mixed, rgbOf(other)) >= CONTRAST_MIN)
  let step = 0
  while (step < STEPS && !isReadable(mix(chosen, rgbOf(toward), step / STEPS))) step++
  const accent = mix(chosen, rgbOf(toward), step / STEPS)
  return { accent: textOf(accent), over: textOf(overOf(accent, scheme, isReadable)), on }
}

/** Returns the color under the pointer: further away from the page, or nearer if there is no room left. */
function overOf(accent: Rgb, scheme: Scheme, isReadable: (color: Rgb) => boolean): Rgb {
  const away = mix(accent, rgbOf(ends[scheme].toward), OVER_STEPS / STEPS)
  const back = mix(accent, rgbOf(scheme === 'light' ? '#ffffff' : '#000000'), OVER_STEPS / STEPS)
  const has_room = Math.max(...accent.map((part, at) => Math.abs(part - away[at]!))) >= OVER_STEPS
  return has_room || !isReadable(back) ? away : back
}

/** Returns the contrast of two colors (`#rrggbb`) as WCAG 2 defines it: from 1 to 21. */
export const contrastOf = (one: string, other: string): number => contrast(rgbOf(one), rgbOf(other))

function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear[red]! + 0.7152 * linear[green]! + 0.0722 * linear[blue]!
}

/** The linear intensity of each part of a color. */
const linear = Array.from({ length: 256 }, (_, part) => {
  const value = part / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, at) => Math.round(part + (to[at]! - part) * share)) as unknown as Rgb

const rgbOf = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb

const textOf = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
