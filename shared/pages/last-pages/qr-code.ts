import { html } from 'hono/html'
import { encode } from 'uqr'
import type { Html } from '#shared/pages/html-page.ts'

/** The empty modules around a QR code that scanners need. */
const QUIET_ZONE_MODULES = 4

/**
 * Returns the QR code of a text as an SVG of black modules on white in either color scheme, because many scanners read
 * no inverted code. `label` names the picture for assistive technology.
 */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE_MODULES })
  const path = data.map(rowPath).join('')
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="160" height="160" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}

/** Returns the path of a row with one rectangle for each run of dark modules. */
function rowPath(modules: readonly boolean[], y: number): string {
  const row = modules.map((dark) => (dark ? '1' : '0')).join('')
  return Array.from(row.matchAll(/1+/g), ({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`).join(
    '',
  )
}
