import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documents } from './documented-commands.ts'
import { textOf } from './source-files.ts'

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts

/** The links of a document to files of the repository, as paths relative to the top folder. */
function linksOf(document: string): string[] {
  const targets = Array.from(textOf(document).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g), ([, target]) => target!)
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => (target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(document), target)))
}

/** The paths that a document names between backticks, except paths with a placeholder or a wildcard. */
const pathsOf = (document: string): string[] =>
  Array.from(
    textOf(document).matchAll(/`((?:shared|functions|infra|test|\.ci|\.github)\/[\w./-]+)`/g),
    ([, path]) => path!,
  ).filter((path) => !path.includes('..'))

/** The npm scripts that a document names. */
const scriptsOf = (document: string): string[] =>
  Array.from(textOf(document).matchAll(/npm (?:run (?:--silent )?)?([\w:]+)/g), ([, name]) => name!).filter(
    (name) => !['ci', 'run', 'install', 'pack', 'scripts', 'script'].includes(name),
  )

describe.each(documents)('%s', (document) => {
  test('links only to files that exist', () => {
    expect(linksOf(document).length).toBeGreaterThan(0)
    expect(linksOf(document).filter((path) => !existsSync(path))).toEqual([])
  })

  test('names only paths that exist', () => {
    expect(pathsOf(document).filter((path) => !existsSync(path))).toEqual([])
  })

  test('names only npm scripts that exist', () => {
    expect(scriptsOf(document).filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

test('the README fits on one page', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120)
})
