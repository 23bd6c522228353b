import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { textOf } from './source-files.ts'

/** What must not be said, and where it is looked for. */
const forbidden: Readonly<Record<string, { readonly where: RegExp; readonly what: RegExp }>> = {
  'a mark that something is unfinished': { where: /./, what: /\b(?:TODO|FIXME)\b/ },
  'a test that is switched off, or switches off the others': {
    where: /\.test\.ts$/,
    what: /\b(?:describe|test|it)(?:\.\w+)*\.(?:only|skip|todo|fails)\b/,
  },
  'a path of one machine': { where: /./, what: /(?<![\w.$}/-])\/(?:work|root|tmp|home|Users)\/|[A-Z]:\\Users/ },
  'what lies beside the checkout': { where: /^(?!\.ci\/)/, what: /\.\.\/shared\b/ },
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

describe('the words of the house', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => existsSync(file))

  test('nothing stands at the top but what everybody looks for there', () => {
    const entries = new Set(files.map((file) => file.split('/')[0]!))
    expect([...entries].filter((entry) => !entry.startsWith('.') && !top_level.includes(entry))).toEqual([])
  })

  const sources = files.filter((file) =>
    /\.(?:[cm]?[jt]sx?|json|md|py|sh|txt|html|css|ya?ml)$|^LICENSE$|^\.ci\//.test(file),
  )

  test.each(Object.entries(forbidden))('nowhere stands %s', (_, { where, what }) => {
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
  ])('finds %s, and not %s', (bad, good) => {
    const finds = (line: string) => Object.values(forbidden).some(({ what }) => what.test(line))
    expect(finds(bad)).toBe(true)
    expect(finds(good)).toBe(false)
  })
})
