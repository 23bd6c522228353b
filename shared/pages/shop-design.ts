import { html } from 'hono/html'
import { accentColors, type Scheme } from '#shared/domain/accent-color.ts'
import type { Html, PageShop } from './html-page.ts'

/** A longer name is shown in smaller letters. */
const NAME_LENGTH_LARGE = 60

/**
 * Returns the name of the merchant who is paid, with the logo. The name is isolated from the text around it, because it
 * can be written from right to left.
 */
export function shopName(name: string, { logo_path }: Pick<PageShop, 'logo_path'>): Html {
  const logo = logo_path === null ? '' : html`<img src="${logo_path}" alt="" width="40" height="40">`
  const size = name.length > NAME_LENGTH_LARGE ? ' lengthy' : ''
  return html`<p class="merchant${size}">${logo}<bdi>${name}</bdi></p>`
}

/** Returns the rules that replace the accent color of the style sheet. There are none for any text but `#rrggbb`. */
export function accentStyle(color: string | null): string {
  if (color === null || !/^#[0-9a-f]{6}$/.test(color)) return ''
  return `${rule(color, 'light')}@media (prefers-color-scheme:dark){${rule(color, 'dark')}}`
}

function rule(color: string, scheme: Scheme): string {
  const { accent, over, on } = accentColors(color, scheme)
  return `:root{--accent:${accent};--over:${over};--on:${on}}`
}
