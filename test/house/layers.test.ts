import { describe, expect, test } from 'vitest'
import { COMPUTED, cyclesIn, importsOf, type Layers, rowOf, violationsOf } from './layer-check.ts'
import { sourceFiles, textOf } from './source-files.ts'

const types = 'type shared/domain/'
const portTypes = 'type shared/platform/ports.ts'
const purposes = 'type shared/crypto/sealed-text.ts'
const domain = 'shared/domain/'
const routes = 'shared/routes.ts'
const ports = 'shared/platform/ports.ts'
const background = 'shared/background.ts'
const dns = 'shared/platform/dns.ts'
const cachedSecrets = 'shared/platform/cached-secrets.ts'
const logLine = 'shared/platform/log-line.ts'
const aws = 'shared/platform/aws/'
const platformOf = 'shared/platform/platform-of.ts'
const loggingPlatform = 'shared/platform/logging-platform.ts'
const withBucket = 'shared/platform/with-bucket.ts'
const resources = 'shared/resources/'
const crypto = 'shared/crypto/'
const keys = 'shared/store/keys.ts'
const queueMessages = 'shared/scheduling/queue-messages.ts'
const store = 'shared/store/'
const scheduling = 'shared/scheduling/'
const apiKey = 'shared/acquirer/stripe/api-key.ts'
const acquirer = 'shared/acquirer/'
const stripeFolder = 'shared/acquirer/stripe/'
const inquirySchedule = 'shared/acquirer/inquiry-schedule.ts'
const payments = 'shared/payments/'
const customers = 'shared/customers/'
const tokens = 'shared/tokens/'
const sessions = 'shared/sessions/'
const subscriptions = 'shared/subscriptions/'
const settlements = 'shared/settlements/'
const accounts = 'shared/accounts/'
const liveApplication = 'shared/live-application/'
const webhooks = 'shared/webhooks/'
const notifications = 'shared/notifications/'
const operations = 'shared/operations/'
const pages = 'shared/pages/'
const apiDescription = 'shared/openapi.json'
const docs = 'shared/docs/'
const http = 'shared/http/'
const names = 'infra/names.ts'
const properties = 'infra/stage-properties.ts'
const stage = 'infra/stage.ts'
const definition = 'infra/stage-definition.ts'
const quotas = 'infra/quotas.ts'
const context = 'infra/cdk-context.ts'
const access = 'infra/access/'
const constructs = 'infra/constructs/'
const stacks = 'infra/stacks/'
const local = 'infra/local/'

const useCases = [payments, customers, tokens, sessions, subscriptions, settlements, accounts, liveApplication]

/**
 * The layers from the lowest to the highest. A row may import itself and the rows that it names, which all stand above
 * it in this table.
 */
// biome-ignore format: a table
const layers: Layers = {
  [domain]:                   { may_import: [], pure: true },
  [routes]:                   { may_import: [] },
  [ports]:                    { may_import: [types] },
  [background]:               { may_import: [ports] },
  [dns]:                      { may_import: [] },
  [cachedSecrets]:            { may_import: [ports] },
  [logLine]:                  { may_import: [domain, ports] },
  [aws]:                      { may_import: [types, ports], vendors: ['@aws-sdk'] },
  [platformOf]:               { may_import: [types, ports, aws, dns, logLine] },
  [withBucket]:               { may_import: [ports, aws, platformOf] },
  [loggingPlatform]:          { may_import: [ports, aws, logLine] },
  [resources]:                { may_import: [domain], vendors: ['valibot'] },
  [crypto]:                   { may_import: [domain, ports] },
  [keys]:                     { may_import: [ports] },
  [queueMessages]:            { may_import: [ports, keys] },
  [store]:                    { may_import: [domain, resources, ports, keys, queueMessages] },
  [scheduling]:               { may_import: [domain, ports, queueMessages, keys, store] },
  [acquirer]:                 { may_import: [domain, ports, keys, store], vendors: ['valibot'], lazy_vendors: { stripe: stripeFolder } },
  [payments]:                 { may_import: [domain, resources, ports, crypto, keys, store, acquirer] },
  [customers]:                { may_import: [domain, resources, crypto, keys, store, payments] },
  [tokens]:                   { may_import: [domain, resources, ports, crypto, keys, store, acquirer, payments] },
  [sessions]:                 { may_import: [domain, resources, store, acquirer, payments, customers] },
  [subscriptions]:            { may_import: [domain, resources, ports, keys, store, acquirer, payments] },
  [settlements]:              { may_import: [domain, ports, keys, store] },
  [accounts]:                 { may_import: [domain, resources, ports, keys, store, scheduling] },
  [liveApplication]:          { may_import: [domain, resources, ports, keys, store] },
  [webhooks]:                 { may_import: [domain, resources, ports, crypto, keys, store] },
  [notifications]:            { may_import: [domain, ports, keys, store, acquirer, payments] },
  [operations]:               { may_import: [domain, ports, keys, store, scheduling, inquirySchedule] },
  [pages]:                    { may_import: [domain], vendors: ['hono', 'simple-icons', 'uqr'] },
  [apiDescription]:           { may_import: [] },
  [docs]:                     { may_import: [domain, routes, apiDescription], vendors: ['hono'] },
  [http]:                     { may_import: [domain, resources, ports, crypto, keys, store, routes, platformOf, loggingPlatform, withBucket, pages, docs], vendors: ['valibot', '@middy', 'aws-lambda'] },
  'functions/':               { may_import: [domain, resources, keys, store, acquirer, ...useCases, webhooks, notifications, http, pages, docs] },
  'functions/background/':    { may_import: [domain, ports, platformOf, withBucket, keys, store, scheduling, acquirer, ...useCases, webhooks, notifications, http], vendors: ['aws-lambda'] },
  [names]:                    { may_import: [] },
  [properties]:               { may_import: [] },
  [stage]:                    { may_import: [properties, portTypes], vendors: ['aws-cdk-lib'] },
  [definition]:               { may_import: [properties] },
  [context]:                  { may_import: [properties, names, stage, definition] },
  [access]:                   { may_import: [routes, background, portTypes, purposes, names], vendors: ['aws-cdk-lib'] },
  [constructs]:               { may_import: [domain, routes, background, portTypes, names, stage, access], vendors: ['aws-cdk-lib', 'cdk-nag', 'constructs'] },
  [stacks]:                   { may_import: [routes, background, portTypes, keys, names, properties, stage, context, access, constructs], vendors: ['aws-cdk-lib', 'constructs'] },
  'infra/quotas.ts':          { may_import: [routes, background, stage] },
  'infra/bundle.ts':          { may_import: [], vendors: ['esbuild'] },
  'infra/app.ts':             { may_import: [routes, background, stage, definition, context, constructs, stacks, 'infra/bundle.ts'], vendors: ['aws-cdk-lib'] },
  [local]:                    { may_import: [domain, routes, background, ports, dns, cachedSecrets, logLine, resources, crypto, keys, store, queueMessages, apiKey, notifications, scheduling, sessions, accounts, operations, pages, http], vendors: ['node:sqlite', 'aws-lambda'], by_path: true },
  'infra/openapi/':           { may_import: [domain, routes, resources, 'shared/docs/event-texts.ts', 'shared/docs/resource-names.ts', http, store, local], vendors: ['valibot', '@valibot'], by_path: true },
  'infra/operate/':           { may_import: [domain, ports, background, platformOf, aws, keys, store, accounts, liveApplication, operations, names, properties, definition, stage, quotas, local], vendors: ['node:sqlite'] },
  'infra/release/':           { may_import: [background, names, stage, definition], vendors: ['@aws-sdk'] },
  'infra/smoke/':             { may_import: [] },
}

describe('the layers', () => {
  const files = ['shared', 'functions', 'infra'].flatMap(sourceFiles)

  test('allow every import of every file', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.flatMap((file) => violationsOf(file, textOf(file), layers))).toEqual([])
  })

  test('have rows that name only rows above them', () => {
    const rows = Object.keys(layers)
    const upward = rows.flatMap((row, index) =>
      layers[row]!.may_import.map((name) => rowOf(name.replace(/^type /, ''), layers)!)
        .filter((name) => rows.indexOf(name) > index)
        .map((name) => `${row} names ${name}, which is below it`),
    )
    expect(upward).toEqual([])
  })

  test('contain no import cycle, including type imports', () => {
    expect(cyclesIn(files, textOf)).toEqual([])
  })
})

describe('the check of the layers', () => {
  const check = (file: string, text: string) => violationsOf(file, text, layers)

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
    [
      'shared/http/endpoint.ts',
      "import middy from '@middy/core'\nimport { platformOf } from '#shared/platform/platform-of.ts'",
    ],
    [
      'shared/pages/document.ts',
      "import { html } from 'hono/html'\nimport { locales } from '#shared/domain/session.ts'",
    ],
    ['shared/http/page.ts', "import { document } from '#shared/pages/document.ts'"],
    ['functions/pages/sessions/show.ts', "import { sessionPage } from '#shared/pages/session/session-page.ts'"],
    ['functions/payments/refund.ts', "import { refund } from '#shared/domain/payment-operations.ts'"],
    ['infra/stacks/data-stack.ts', "import { Table } from 'aws-cdk-lib/aws-dynamodb'"],
    ['infra/stacks/data-stack.ts', "import { OUTBOX } from '#shared/store/keys.ts'"],
    ['infra/access/access-policies.ts', "import type { Purpose } from '#shared/crypto/sealed-text.ts'"],
    ['infra/local/table.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['infra/local/server.ts', 'const { handler } = await import(path)'],
    ['shared/acquirer/stripe/client.ts', "import type Stripe from 'stripe'\nconst sdk = await import('stripe')"],
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
    ['shared/store/payments.ts', "import { platformOf } from '#shared/platform/platform-of.ts'"],
    ['shared/payments/payment-source.ts', "import { answer } from '#shared/http/answers.ts'"],
    ['shared/payments/payment-source.ts', "import { deliver } from '#shared/webhooks/deliver.ts'"],
    ['shared/pages/document.ts', "import { sessions } from '#shared/store/sessions.ts'"],
    ['shared/pages/document.ts', "import { answer } from '#shared/http/answers.ts'"],
    ['shared/store/sessions.ts', "import { document } from '#shared/pages/document.ts'"],
    ['functions/pages/sessions/show.ts', "import { html } from 'hono/html'"],
    ['shared/http/endpoint.ts', "import { dynamoTable } from '#shared/platform/aws/table.ts'"],
    ['shared/http/endpoint.ts', "import { DatabaseSync } from 'node:sqlite'"],
    ['functions/payments/refund.ts', "import type { Table } from '#shared/platform/ports.ts'"],
    ['functions/payments/refund.ts', "import middy from '@middy/core'"],
    ['functions/payments/refund.ts', "import { helper } from '#test/fixtures/helper.ts'"],
    ['functions/background/sweep.ts', "import { dynamoTable } from '#shared/platform/aws/table.ts'"],
    ['infra/stacks/data-stack.ts', "import { localTable } from '#infra/local/table.ts'"],
    ['infra/stacks/data-stack.ts', "import { sealText } from '#shared/crypto/sealed-text.ts'"],
    ['infra/stacks/data-stack.ts', "import type { UnitOfWork } from '#shared/store/unit-of-work.ts'"],
    ['infra/local/server.ts', "import { handler } from '#functions/payments/refund.ts'"],
    ['infra/local/server.ts', "import { App } from 'aws-cdk-lib'"],
    ['infra/smoke/checks.ts', "import type { Route } from '#shared/routes.ts'"],
    ['shared/utils/text.ts', 'export const a = 1'],
    ['shared/text.ts', 'export const a = 1'],
    ['infra/local/server.ts', "import { a } from '#shared/utils/text.ts'"],
    ['infra/local/server.ts', "import express from 'express'"],
    ['shared/acquirer/stripe/client.ts', "import { Stripe } from 'stripe'"],
    ['shared/acquirer/stripe/client.ts', "const { Stripe } = require('stripe')"],
    ['shared/acquirer/acquirers.ts', "const sdk = await import('stripe')"],
    ['shared/acquirer/acquirers.ts', "import type Stripe from 'stripe'"],
    ['shared/payments/run-operation.ts', "import type Stripe from 'stripe'"],
  ])('reports one violation in %s: %s', (file, text) => {
    expect(check(file, text)).toHaveLength(1)
  })

  test('finds an import cycle of code and types, and no cycle where there is none', () => {
    const texts: Readonly<Record<string, string>> = {
      'shared/a/one.ts': "import { two } from './two.ts'",
      'shared/a/two.ts': "import type { Three } from '#shared/b/three.ts'",
      'shared/b/three.ts': "import { one } from '../a/one.ts'",
      'shared/b/four.ts': "import { one } from '#shared/a/one.ts'",
    }
    expect(cyclesIn(Object.keys(texts), (file) => texts[file]!)).toEqual([
      'shared/a/one.ts > shared/a/two.ts > shared/b/three.ts > shared/a/one.ts',
    ])
    const acyclic = ['shared/a/two.ts', 'shared/b/three.ts', 'shared/b/four.ts']
    expect(cyclesIn(acyclic, (file) => texts[file]!)).toEqual([])
  })

  test('finds imports in every notation and recognizes type imports', () => {
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
