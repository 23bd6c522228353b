/**
 * Compares the endpoint tables of the API reference with the route table: `node .ci/reference-rows.ts <reference.md>`.
 */
import { readFileSync } from 'node:fs'
import { BASE_PATH, routes } from '#shared/routes.ts'

const reference = readFileSync(process.argv[2]!, 'utf8')

const plain = Array.from(
  reference.matchAll(/^\| (GET|POST|PATCH|DELETE) \| `([^`]+)` \|/gm),
  ([, method, path]) => `${method} ${path}`,
)
const onboarding = Array.from(reference.matchAll(/^\| `([a-z_/]+)` \| (\w+) \| (\w+) \| (.+?) \|$/gm)).flatMap(
  ([, record, ...cells]) =>
    ['POST', 'GET', 'PATCH']
      .filter((_, column) => cells[column] !== 'no')
      .map((method) => `${method} ${BASE_PATH}/live_application/${record}`),
)

if (plain.length === 0 || onboarding.length === 0) throw new Error('found no endpoint tables in the reference')
const ours = new Set(Object.keys(routes).map((route) => route.replace(' ', ` ${BASE_PATH}`)))
const missing = [...plain, ...onboarding].filter((row) => !ours.has(row))
for (const row of missing) console.error(`shared/routes.ts lacks a row of the reference: ${row}`)
if (missing.length > 0) process.exitCode = 1
else console.log(`shared/routes.ts has all ${plain.length + onboarding.length} rows of the reference`)
