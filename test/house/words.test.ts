import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { textOf } from './source-files.ts'

/** The forbidden texts: the files in which each is forbidden, and its pattern. */
const forbidden: Readonly<Record<string, { readonly where: RegExp; readonly what: RegExp }>> = {
  'mark of unfinished work': { where: /./, what: /\b(?:TODO|FIXME)\b/ },
  'test that is disabled or disables others': {
    where: /\.test\.ts$/,
    what: /\b(?:describe|test|it)(?:\.\w+)*\.(?:only|skip|todo|fails)\b/,
  },
  'path of a single machine': { where: /./, what: /(?<![\w.$}/-])\/(?:work|root|tmp|home|Users)\/|[A-Z]:\\Users/ },
  'path beside the checkout': { where: /^(?!\.ci\/)/, what: /\.\.\/shared\b/ },
  'figure of speech': {
    where: /./,
    what: /\b(?:whoever|told|rung|woken|bells?|knock(?:s|ed)?|in vain|its like|what of)\b/i,
  },
}

const top_level = [
  'LICENSE',
  'README.md',
  'cdk.json',
  'biome.json',
  'functions',
  'infra',
  'package-lock.json',
  'package.json',
  'shared',
  'test',
  'tsconfig.json',
  'vitest.config.ts',
]

describe('the files of the repository', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => existsSync(file))

  test('are in known folders or are known files of the top folder', () => {
    const entries = new Set(files.map((file) => file.split('/')[0]!))
    expect([...entries].filter((entry) => !entry.startsWith('.') && !top_level.includes(entry))).toEqual([])
  })

  const sources = files.filter((file) =>
    /\.(?:[cm]?[jt]sx?|json|md|py|sh|txt|html|css|ya?ml)$|^LICENSE$|^\.ci\//.test(file),
  )

  test.each(Object.entries(forbidden))('contain no %s', (_, { where, what }) => {
    const found = sources
      .filter((file) => where.test(file) && file !== 'package-lock.json' && file !== 'test/house/words.test.ts')
      .flatMap((file) =>
        textOf(file)
          .split('\n')
          .flatMap((line, index) => (what.test(line) ? `${file}:${index + 1} ${line.trim()}` : [])),
      )
    expect(sources.length).toBeGreaterThan(50)
    expect(found).toEqual([])
  })

  test.each([
    ['// TODO: later', '// a todo list'],
    ["test.only('a', () => {})", "test('only a', () => {})"],
    ["describe.concurrent.skip('a', () => {})", "describe.concurrent('a', () => {})"],
    ["readFileSync('/tmp/a')", 'POST https://example.com/home/a'],
    ['the rest is in ../shared/design.md', "from '#shared/routes.ts'"],
    ['// Whoever holds the lease is told.', '// The holder of the lease is notified.'],
    ['const told = events.length', 'const untold = events.length'],
    ['The call is repeated in vain.', 'The call is repeated once.'],
  ])('are searched for %s, but not for %s', (bad, good) => {
    const finds = (line: string) => Object.values(forbidden).some(({ what }) => what.test(line))
    expect(finds(bad)).toBe(true)
    expect(finds(good)).toBe(false)
  })
})
