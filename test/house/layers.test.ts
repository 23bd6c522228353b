import { describe, expect, test } from 'vitest'
import { COMPUTED, complaintsAbout, importsOf, type Layers } from './layer-check.ts'
import { sourceFiles, textOf } from './source-files.ts'

const types = 'type shared/domain/'
const portTypes = 'type shared/platform/ports.ts'
const purposes = 'type shared/store/sealed.ts'
const domain = 'shared/domain/'
const ports = 'shared/platform/ports.ts'
const resources = 'shared/resources/'
const store = 'shared/store/'
const charging = 'shared/charging/'
const webhooks = 'shared/webhooks/'
const pages = 'shared/pages/'
const onboarding = 'shared/onboarding/'
const http = 'shared/http/'
const routes = 'shared/routes.ts'
const background = 'shared/background.ts'
const of = 'shared/platform/of.ts'
const withBucket = 'shared/platform/with-bucket.ts'
const resolve = 'shared/platform/resolve.ts'
const logLine = 'shared/platform/log-line.ts'
const operations = 'shared/operations/'
const names = 'infra/names.ts'
const definition = 'infra/stage-definition.ts'
const properties = 'infra/stage-properties.ts'
const local = 'infra/local/'
const keys = 'shared/store/keys.ts'
const aws = 'shared/platform/aws/'

/** Who may import whom, besides itself. */
// biome-ignore format: a table
const layers: Layers = {
  'shared/domain/':           { may_import: [], pure: true },
  'shared/routes.ts':         { may_import: [] },
  'shared/background.ts':     { may_import: [ports] },
  'shared/platform/ports.ts': { may_import: [types] },
  'shared/platform/of.ts':    { may_import: [types, ports, aws, resolve, logLine] },
  'shared/platform/with-bucket.ts': { may_import: [ports, aws, of] },
  'shared/platform/log-line.ts': { may_import: [domain, ports] },
  'shared/platform/resolve.ts': { may_import: [] },
  'shared/platform/aws/':     { may_import: [types, ports], vendors: ['@aws-sdk'] },
  'shared/resources/':        { may_import: [domain], vendors: ['valibot'] },
  'shared/store/':            { may_import: [domain, resources, ports] },
  'shared/charging/':         { may_import: [domain, resources, store, ports] },
  'shared/webhooks/':         { may_import: [domain, resources, store, ports] },
  'shared/pages/':            { may_import: [domain, resources], vendors: ['hono'] },
  'shared/onboarding/':       { may_import: [domain, resources, store] },
  'shared/operations/':       { may_import: [domain, resources, store, charging, ports] },
  'shared/http/':             { may_import: [domain, resources, store, ports, routes, of, withBucket, pages], vendors: ['valibot', '@middy', 'aws-lambda'] },
  'functions/':               { may_import: [domain, resources, store, charging, webhooks, onboarding, http, pages] },
  'functions/background/':    { may_import: [domain, resources, store, charging, webhooks, http, ports, of, withBucket], vendors: ['aws-lambda'] },
  'infra/':                   { may_import: [types, portTypes, routes, background, keys, purposes], vendors: ['aws-cdk-lib', 'cdk-nag', 'constructs', 'esbuild'] },
  'infra/local/':             { may_import: [domain, resources, store, routes, background, ports, resolve, logLine, operations, http], vendors: ['node:sqlite', 'aws-lambda'], by_path: true },
  'infra/operate/':           { may_import: [domain, store, operations, background, ports, of, aws, names, definition, properties, local], vendors: ['node:sqlite'] },
  'infra/smoke/':             { may_import: [] },
}

describe('the layers', () => {
  const files = ['shared', 'functions', 'infra'].flatMap(sourceFiles)

  test('every file imports only what its row of the table allows', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.flatMap((file) => complaintsAbout(file, textOf(file), layers))).toEqual([])
  })
})

describe('the check of the layers', () => {
  const check = (file: string, text: string) => complaintsAbout(file, text, layers)

  test.each([
    [
      'shared/domain/refund.ts',
      "import { idOf } from './ids.ts'\nimport type { Payment } from '#shared/domain/payment.ts'",
    ],
    ['shared/domain/refund.ts', 'const day = (at: number) => new Date(at)'],
    ['shared/platform/aws/vault.ts', "import type { Mode } from '#shared/domain/payment.ts'"],
    ['shared/platform/aws/vault.ts', "import { KMSClient } from '@aws-sdk/client-kms'"],
    ['shared/resources/payment.ts', "import * as v from 'valibot'"],
    ['shared/store/keys.ts', "import { createHash } from 'node:crypto'"],
    ['shared/http/endpoint.ts', "import middy from '@middy/core'\nimport { platformOf } from '#shared/platform/of.ts'"],
    [
      'shared/pages/document.ts',
      "import { html } from 'hono/html'\nimport { payment } from '#shared/resources/payment.ts'",
    ],
    ['shared/http/page.ts', "import { document } from '#shared/pages/document.ts'"],
    ['functions/pages/sessions/show.ts', "import { sessionPage } from '#shared/pages/session-page.ts'"],
    ['functions/payments/refund.ts', "import { refund } from '#shared/domain/payment-operations.ts'"],
    ['infra/data-stack.ts', "import { Table } from 'aws-cdk-lib/aws-dynamodb'"],
    ['infra/data-stack.ts', "import { OUTBOX } from '#shared/store/keys.ts'"],
    ['infra/data-stack.ts', "import type { Purpose } from '#shared/store/sealed.ts'"],
    ['infra/local/table.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['infra/local/server.ts', 'const { handler } = await import(path)'],
    ['infra/smoke/smoke.ts', "import { parseArgs } from 'node:util'\nimport { checks } from './checks.ts'"],
  ])('allows in %s: %s', (file, text) => {
    expect(check(file, text)).toEqual([])
  })

  test.each([
    ['shared/domain/refund.ts', "import { keys } from '#shared/store/keys.ts'"],
    ['shared/domain/refund.ts', "import type { Table } from '../platform/ports.ts'"],
    ['shared/domain/refund.ts', "import { randomUUID } from 'node:crypto'"],
    ['shared/domain/refund.ts', 'const now = Date.now()'],
    ['shared/domain/refund.ts', 'const now = new Date()'],
    ['shared/domain/refund.ts', 'const now = new Date'],
    ['shared/domain/refund.ts', 'const id = Math.random()'],
    ['shared/domain/refund.ts', 'const id = crypto.randomUUID()'],
    ['shared/platform/ports.ts', "import { refund } from '#shared/domain/payment-operations.ts'"],
    ['shared/platform/aws/vault.ts', "import { type Mode, refund } from '#shared/domain/payment.ts'"],
    ['shared/resources/payment.ts', "import { paymentsOf } from '#shared/store/payments.ts'"],
    ['shared/store/payments.ts', "import * as v from 'valibot'"],
    ['shared/store/payments.ts', "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'"],
    ['shared/store/payments.ts', "export * from '../http/answers.ts'"],
    ['shared/store/payments.ts', "import '../http/answers.ts'"],
    ['shared/store/payments.ts', "const http = await import('../http/answers.ts')"],
    ['shared/store/payments.ts', 'const http = await import(path)'],
    ['shared/store/payments.ts', 'const http = await import(`../http/$' + '{name}.ts`)'],
    ['shared/store/payments.ts', "const fs = require('fs')"],
    ['shared/store/payments.ts', "import { platformOf } from '#shared/platform/of.ts'"],
    ['shared/charging/source.ts', "import { answer } from '#shared/http/answers.ts'"],
    ['shared/charging/source.ts', "import { deliver } from '#shared/webhooks/deliver.ts'"],
    ['shared/pages/document.ts', "import { sessions } from '#shared/store/sessions.ts'"],
    ['shared/pages/document.ts', "import { answer } from '#shared/http/answers.ts'"],
    ['shared/store/sessions.ts', "import { document } from '#shared/pages/document.ts'"],
    ['functions/pages/sessions/show.ts', "import { html } from 'hono/html'"],
    ['shared/http/endpoint.ts', "import { dynamoTable } from '#shared/platform/aws/table.ts'"],
    ['shared/http/endpoint.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['functions/payments/refund.ts', "import type { Table } from '#shared/platform/ports.ts'"],
    ['functions/payments/refund.ts', "import middy from '@middy/core'"],
    ['functions/payments/refund.ts', "import { helper } from '#test/support/helper.ts'"],
    ['functions/background/sweep.ts', "import { dynamoTable } from '#shared/platform/aws/table.ts'"],
    ['infra/data-stack.ts', "import { localTable } from '#infra/local/table.ts'"],
    ['infra/data-stack.ts', "import { sealText } from '#shared/store/sealed.ts'"],
    ['infra/data-stack.ts', "import type { Work } from '#shared/store/work.ts'"],
    ['infra/local/server.ts', "import { handler } from '#functions/payments/refund.ts'"],
    ['infra/local/server.ts', "import { App } from 'aws-cdk-lib'"],
    ['infra/smoke/checks.ts', "import type { Route } from '#shared/routes.ts'"],
    ['shared/utils/text.ts', 'export const a = 1'],
    ['shared/text.ts', 'export const a = 1'],
    ['infra/local/server.ts', "import { a } from '#shared/utils/text.ts'"],
    ['infra/local/server.ts', "import express from 'express'"],
  ])('complains in %s of: %s', (file, text) => {
    expect(check(file, text)).toHaveLength(1)
  })

  test('finds an import however it is written, and tells types from the rest', () => {
    const text = `
import first, { second } from 'a'
import * as all from 'b'
import type {
  One, // it's one
  Two,
} from 'c'
import { type Three, four } from 'd'
import type from 'e'
import 'f'
export { five } from 'g'
export type { Six } from 'h'
export const seven = 7
  const eight = await import('i')
  const nine = require('j')
  const ten = (await import(name)).ten
`
    expect(importsOf(text).map(({ from, typeOnly }) => `${typeOnly ? 'type ' : ''}${from}`)).toEqual([
      'a',
      'b',
      'type c',
      'd',
      'e',
      'g',
      'type h',
      'f',
      'i',
      'j',
      COMPUTED,
    ])
  })
})
