import { resolve } from 'node:path'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { page_script_source } from '#shared/pages/scripts/page-script-source.ts'
import { payment_form_script_source } from '#shared/pages/scripts/payment-form-script-source.ts'

const FILE = resolve('shared/pages/scripts/minified-scripts.json')

const minified = (source: string): string =>
  transformSync(source, { minify: true, charset: 'utf8', target: 'es2022' }).code

/** `npx vitest run test/shared/pages/scripts/minified-scripts.test.ts -u` writes the file. */
test('minified-scripts.json has the minified scripts of all pages and of payment forms', async () => {
  const scripts = { page: minified(page_script_source), payment_form: minified(payment_form_script_source) }
  await expect(`${JSON.stringify(scripts, null, 2)}\n`).toMatchFileSnapshot(FILE)
})
