import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf } from '#infra/access/access-of.ts'
import { type AccessWay, type FunctionAccess, together } from '#infra/access/function-access.ts'
import { bundle } from '#infra/bundle.ts'
import { backgroundFiles } from '#shared/background.ts'
import type { Purpose } from '#shared/crypto/sealed-text.ts'
import { servedFiles } from '#shared/routes.ts'

const MINUTES_MS = 5 * 60_000
const root = join(import.meta.dirname, '../..')
const files = [...servedFiles(), ...backgroundFiles]

/** The packages that functions load when they first need them. */
const lazy = ['stripe', 's3-sdk']

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundles-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the bundles of the service', () => {
  let bundles: string
  let outputs: [string, { inputs: object; imports: { path: string; kind: string }[] }][]
  beforeAll(() => {
    bundles = join(folder, 'service')
    outputs = Object.entries(bundle(files, { root, into: bundles }).outputs)
  }, MINUTES_MS)

  test(
    'exist once for each function, load, and export a handler',
    () => {
      const load = `for (const file of ${JSON.stringify(files)})
      console.log(file, typeof require(${JSON.stringify(bundles)} + '/' + file + '/index.js').handler)`
      const loaded = execFileSync(process.execPath, ['--eval', load], { encoding: 'utf8' })
      expect(loaded.trim().split('\n')).toEqual(files.map((file) => `${file} function`))
      expect(outputs).toHaveLength(files.length)
    },
    MINUTES_MS,
  )

  test('contain nothing of the local platform, the stacks or the tests, and import only modules of Node and lazy packages', () => {
    for (const [output, { inputs, imports }] of outputs) {
      const strangers = Object.keys(inputs).filter((input) =>
        /^(infra|test)\/|node_modules\/(aws-cdk|constructs|esbuild)/.test(input),
      )
      expect(strangers, output).toEqual([])
      const needed = imports.map(({ path }) => path.replace(/^node:/, '')).filter((name) => !lazy.includes(name))
      expect(needed, output).not.toContain('sqlite')
      for (const name of needed) expect(process.getBuiltinModule(name), `${output} needs ${name}`).toBeDefined()
    }
  })

  test('carry the SDKs of Stripe and S3 as files of their own, and only where they can be needed', () => {
    for (const name of lazy) {
      const loaders = outputs.filter(([, { imports }]) => imports.some(({ path }) => path === name))
      const carriers = files.filter((file) => existsSync(join(bundles, file, 'node_modules', name)))
      expect(carriers.length, name).toBeGreaterThan(0)
      expect(loaders.map(([output]) => output).toSorted(), name).toEqual(
        carriers.map((file) => relative(root, join(bundles, file, 'index.js'))).toSorted(),
      )
      for (const [output, { imports, inputs }] of outputs) {
        const eager = imports.filter(({ path, kind }) => path === name && kind !== 'dynamic-import')
        expect(eager, output).toEqual([])
        expect(
          Object.keys(inputs).filter((input) => /^node_modules\/(stripe|@aws-sdk\/client-s3)\//.test(input)),
        ).toEqual([])
      }
    }
    expect(existsSync(join(bundles, 'payments/create/node_modules/stripe'))).toBe(true)
    expect(existsSync(join(bundles, 'payments/show/node_modules'))).toBe(false)
    expect(existsSync(join(bundles, 'files/create/node_modules/s3-sdk'))).toBe(true)
    expect(existsSync(join(bundles, 'files/show/node_modules'))).toBe(false)
  })

  test('take credentials from the environment only', () => {
    const others = /^node_modules\/@aws-sdk\/(nested-clients|token-providers|credential-provider-(?!env\b))/
    for (const [output, { inputs }] of outputs)
      expect(
        Object.keys(inputs).filter((input) => others.test(input)),
        output,
      ).toEqual([])
    const script = `const { credentials } = new (require('./index.js').Client)({ region: 'eu-west-1' }).config
      credentials().then(({ accessKeyId, secretAccessKey, sessionToken }) =>
        console.log(accessKeyId, secretAccessKey, sessionToken))`
    const project = join(folder, 'credentials')
    mkdirSync(join(project, 'functions'), { recursive: true })
    for (const name of ['shared', 'node_modules']) symlinkSync(join(root, name), join(project, name))
    writeFileSync(
      join(project, 'functions/client.ts'),
      "export { DynamoDBClient as Client } from '@aws-sdk/client-dynamodb'",
    )
    bundle(['client'], { root: project, into: join(folder, 'credentials-bundle') })
    const env = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'session' }
    const cwd = join(folder, 'credentials-bundle/client')
    expect(execFileSync(process.execPath, ['--eval', script], { cwd, env, encoding: 'utf8' })).toBe(
      'key secret session\n',
    )
  })

  test('consist of ASCII, which Node reads in half the time', () => {
    for (const file of files) {
      const code = readFileSync(join(bundles, file, 'index.js'), 'latin1')
      expect(/.{0,40}[^\0-\x7f]/.exec(code)?.[0], file).toBeUndefined()
    }
  })

  test('contain no client of AWS where they access nothing', () => {
    for (const file of ['docs/show', 'docs/openapi', 'background/not-found']) {
      const [, { inputs }] = outputs.find(([output]) => output.endsWith(`${file}/index.js`))!
      expect(
        Object.keys(inputs).filter((input) => /^node_modules\/(@aws-sdk|@smithy)\//.test(input)),
        file,
      ).toEqual([])
    }
  })

  test.each([
    ['payments/create', 'stripe', "({ Stripe }) => new Stripe('sk_test_a').getMaxNetworkRetries()", /^\d+$/],
    [
      'files/create',
      's3-sdk',
      '({ S3Client, getSignedUrl }) => typeof getSignedUrl + typeof S3Client',
      /^functionfunction$/,
    ],
  ])('load what %s can need of %s after the start', (file, name, use, used) => {
    const load = `const loaded = () => Object.keys(require.cache).some((path) => path.includes('/${name}/'))
      require('./index.js')
      const before = loaded()
      import('${name}').then((it) => console.log(before, loaded(), (${use})(it)))`
    const printed = execFileSync(process.execPath, ['--eval', load], { cwd: join(bundles, file), encoding: 'utf8' })
    const [before, after, result] = printed.trim().split(' ')
    expect([before, after]).toEqual(['false', 'true'])
    expect(result).toMatch(used)
  })

  test('seal and open in the vault only for the purposes that their role allows', () => {
    const called = accessIn((code) => ({ seals: purposesOf(code, 'seal'), opens: purposesOf(code, 'open') }))
    const allowed = files.map((file) => [file, only(['seals', 'opens'], accessOf(file))] as const)
    expect(called).toEqual(new Map([...allowed, ...bundled_without_access]))
  })

  test('access the bucket of files only as their role allows, and carry the client of S3 only for that', () => {
    const called = files.map((file) => {
      const code = readFileSync(join(bundles, file, 'index.js'), 'utf8')
      const verbs = Object.entries(bucket_verbs).flatMap(([call, verb]) =>
        code.includes(`.bucket.${call}(`) ? verb : [],
      )
      return [file, new Set(verbs)]
    })
    const allowed = files.map((file) => {
      const { objects = [], logos = [] } = accessOf(file)
      return [file, new Set([...objects, ...logos])]
    })
    expect(called).toEqual(allowed)
    const carriers = files.filter((file) => existsSync(join(bundles, file, 'node_modules/s3-sdk')))
    expect(carriers).toEqual(files.filter((file) => accessOf(file).objects ?? accessOf(file).logos))
  })

  /** What the code of each bundle calls. */
  const accessIn = (read: (code: string) => FunctionAccess) =>
    new Map(files.map((file) => [file, together(read(readFileSync(join(bundles, file, 'index.js'), 'utf8')))]))
})

const only = (ways: readonly AccessWay[], access: FunctionAccess): FunctionAccess =>
  Object.fromEntries(ways.flatMap((way) => (access[way] ? [[way, access[way]]] : [])))

/**
 * Bundles that contain a call which their role does not allow, because the function never makes it.
 * `pages/sessions/pay` shares `paySession` with `POST /sessions/:id/pay`, whose requests can name tokens. Opening those
 * needs the vault's `open`. The form of the page sends only typed details, so nothing is opened.
 */
const bundled_without_access: readonly (readonly [file: string, FunctionAccess])[] = [
  ['pages/sessions/pay', { seals: ['payment_details'], opens: ['payment_details'] }],
]

/**
 * The S3 operations that a bundle needs for each call of the bucket. Signing a link needs `GetObject`, because a link
 * has the permissions of its signer.
 */
const bucket_verbs = { put: 'PutObject', get: 'GetObject', link: 'GetObject', remove: 'DeleteObject' } as const

/**
 * The purposes for which a bundle seals or opens. Reads minified code, in which property names and texts are unchanged.
 */
function purposesOf(code: string, verb: 'seal' | 'open'): Purpose[] {
  const asking = [...code.matchAll(new RegExp(`function ([\\w$]+)\\([^{}]*\\{[^{}]*\\.vault\\.${verb}\\(`, 'g'))]
  expect(asking).toHaveLength(code.split(`.vault.${verb}(`).length - 1)
  const purposes = asking.flatMap(([, name]) =>
    Array.from(
      code.matchAll(new RegExp(`(?<![\\w$])${RegExp.escape(name!)}\\([\\w$]+,"(\\w+)",`, 'g')),
      ([, purpose]) => purpose as Purpose,
    ),
  )
  return [...new Set(purposes)].sort()
}

describe('bundle', () => {
  const sources: Record<string, string> = {
    'package.json': '{ "type": "module", "imports": { "#shared/*": "./shared/*" } }',
    'shared/greeting.ts': 'export const greeting: string = "hello"',
    'functions/doors/open.ts': 'import { greeting } from "#shared/greeting.ts"\nexport const handler = () => greeting',
    'functions/doors/close.ts': 'export const handler = () => "bye"',
  }

  /** Bundles a small service with changes to some of its sources. */
  function built(name: string, changes: Record<string, string> = {}) {
    const project = join(folder, name)
    for (const [path, text] of Object.entries({ ...sources, ...changes })) {
      mkdirSync(dirname(join(project, path)), { recursive: true })
      writeFileSync(join(project, path), text)
    }
    const into = join(folder, `${name}-bundles`)
    bundle(['doors/open', 'doors/close'], { root: project, into })
    const code = (file: string) => readFileSync(join(into, file, 'index.js'), 'utf8')
    return { open: code('doors/open'), close: code('doors/close') }
  }

  test('gives the same bytes in every folder', () => {
    expect(built('one')).toEqual(built('another'))
  })

  test('changes only the bundle of a handler that changes', () => {
    const before = built('before')
    const after = built('after', { 'functions/doors/close.ts': 'export const handler = () => "see you"' })
    expect(after.open).toBe(before.open)
    expect(after.close).not.toBe(before.close)
  })

  test('changes only the bundles that import a shared file that changes', () => {
    const before = built('before-shared')
    const after = built('after-shared', { 'shared/greeting.ts': 'export const greeting: string = "welcome"' })
    expect(after.open).not.toBe(before.open)
    expect(after.close).toBe(before.close)
  })

  test('removes the files of an earlier build', () => {
    const into = join(folder, 'stale')
    mkdirSync(into)
    writeFileSync(join(into, 'left-over.js'), '')
    bundle([], { root, into })
    expect(() => readFileSync(join(into, 'left-over.js'))).toThrow('ENOENT')
  })
})
