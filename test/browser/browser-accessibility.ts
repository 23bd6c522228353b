import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Tab } from './browser-tab.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The media feature that stops animations. The contrast of a colour in transition cannot be judged. */
export const STILL = { name: 'prefers-reduced-motion', value: 'reduce' }

/**
 * The violations that axe finds on the page, one line each. `rules` limits the check to some rules. Throws if no rule
 * applied to the page.
 */
export async function violations({ page }: Tab, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const options = { preload: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const found = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations, passes }) => ({
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' at ' + target.join(' ') + ': ' + failureSummary)),
    passes: passes.length,
  }))`)
  const { violations, passes } = found as { violations: string[]; passes: number }
  if (passes === 0) throw new Error(`axe checked nothing at ${page.url()}`)
  return violations
}

/**
 * Whether the page needs horizontal scrolling. Compares with the screen, because a phone widens its window to the page.
 */
export const isWiderThanScreen = async ({ page }: Tab): Promise<boolean> =>
  ((await page.evaluate('document.documentElement.scrollWidth')) as number) > page.viewport()!.width
