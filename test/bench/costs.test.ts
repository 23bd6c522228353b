import { describe, expect, test } from 'vitest'
import { servedRoutes } from '#shared/routes.ts'
import { billFor } from './bill.ts'
import { everyCase } from './every-case.ts'
import { noCost } from './measured-platform.ts'
import { monthlyUsage, usageOfMetrics } from './monthly.ts'
import { dollarsFor, prices } from './prices.ts'
import { storedBy } from './stored.ts'
import { addedUp, attemptUsage, invocationUsage, messageUsage, requestUsage } from './usage.ts'

const GIGABYTE = 1024 ** 3

describe('the costs', () => {
  test('cover every route of the API', () => {
    const routes = new Set(everyCase().map(({ route }) => route))
    expect([...routes].sort()).toEqual(
      servedRoutes()
        .map(({ route }) => route)
        .sort(),
    )
  })

  test('of a million requests match a calculation by hand', () => {
    const service = {
      ...noCost(),
      waits: 4,
      calls: 5,
      read_units: 3,
      write_units: 20,
      vault_calls: 2,
      bucket_calls: 1,
      queue_calls: 1,
      log_bytes: 300,
    }
    const { total, by_service } = billFor(requestUsage({ service, acquirer: { ...noCost(), waits: 1 } }, 1_500), 1e6)
    const expected = {
      'API Gateway': 3.5,
      // 8 + 5 + 4 x 6 + 200 = 237 ms at half a gigabyte, plus the invocation.
      Lambda: 0.2 + 0.237 * 0.5 * 13.3334,
      // 3 x $0.125 + 20 x $0.625
      DynamoDB: 12.875,
      // 200 times 10,000 requests.
      KMS: 6,
      SQS: 0.4,
      S3: 5,
      // 300 + 400 + 330 bytes per request.
      CloudWatch: ((1_030 * 1e6) / GIGABYTE) * 0.5,
      'X-Ray': 0.25,
      'Data out': ((2_000 * 1e6) / GIGABYTE) * 0.09,
    }
    for (const [name, dollars] of Object.entries(expected))
      expect(by_service[name as keyof typeof by_service], name).toBeCloseTo(dollars, 6)
    expect(total).toBeCloseTo(
      Object.values(expected).reduce((sum, dollars) => sum + dollars, 0),
      6,
    )
  })

  test('of a message include sending, receiving and deleting it, and those of a delivery also its message group', () => {
    expect(billFor(messageUsage(noCost()), 1e6).by_service.SQS).toBeCloseTo(1.2, 6)
    // Received and deleted in a fair queue, and sent once more for the retry.
    const retried = { ...noCost(), queue_calls: 1, fair_calls: 1 }
    expect(billFor(attemptUsage(retried), 1e6).by_service.SQS).toBeCloseTo(1.5, 6)
  })

  test('of a sum are the sum of the costs', () => {
    const [one, other] = [
      { read_unit: 2, invocation: 1 },
      { read_unit: 3, firewall_request: 1 },
    ]
    expect(addedUp(one, other)).toEqual({ read_unit: 5, invocation: 1, firewall_request: 1 })
    expect(billFor(addedUp(one, other), 7).total).toBeCloseTo(billFor(one, 7).total + billFor(other, 7).total, 9)
  })

  test('of a sweep include its reads and its duration', () => {
    const { by_service } = billFor(invocationUsage({ ...noCost(), calls: 2_000, read_units: 1_000 }), 1_000)
    expect(by_service.DynamoDB).toBeCloseTo(0.125, 9)
    expect(by_service.Lambda).toBeCloseTo(1_000 * (0.0000002 + 2.008 * 0.5 * 0.0000133334), 9)
  })

  test('use prices that are above zero and state their source', () => {
    for (const { dollars, per, source, unit } of Object.values(prices)) {
      expect(dollars / per, unit).toBeGreaterThan(0)
      expect(source).toMatch(/^https:\/\//)
    }
    expect(dollarsFor('vault_call', 10_000)).toBe(0.03)
  })
})

describe('a month of a stage', () => {
  const resource = (Type: string, Properties: object = {}) => ({ Type: `AWS::${Type}`, Properties })
  const filter = (MetricName: string, Key?: string) =>
    resource('Logs::MetricFilter', { MetricTransformations: [{ MetricName, ...(Key && { Dimensions: [{ Key }] }) }] })

  test('includes the resources of its stacks, and each metric only if the stage is used', () => {
    const Data = { a: resource('KMS::Key'), b: resource('KMS::Key'), c: resource('EC2::NatGateway') }
    const Functions = {
      a: filter('unresolved'),
      b: filter('unresolved'),
      c: filter('attempts', 'attempt'),
      d: resource('Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency: 2 } }),
      e: resource('Lambda::EventSourceMapping'),
    }
    const Api = { a: resource('WAFv2::WebACL', { Rules: [{}, {}, {}] }) }
    const Operations = {
      a: resource('CloudWatch::Alarm', { MetricName: 'overdue' }),
      b: resource('CloudWatch::Alarm', {
        Metrics: [{ Expression: 'runs - failures' }, { Id: 'runs' }, { Id: 'failures' }],
      }),
      c: resource('CloudWatch::Dashboard'),
    }
    const stacks = [Data, Functions, Api, Operations].map((Resources) => ({ Resources }))
    const usage = monthlyUsage(stacks)
    expect(usage).toEqual({
      key: 2,
      firewall: 1,
      firewall_rule: 3,
      alarm_metric: 3,
      dashboard: 1,
      queue_call: 657_000,
      nat_hour: 730,
      address_hour: 730,
    })
    // 2 + 5 + 3 + 0.30 + 3 + 0.2628 + 32.85 + 3.65
    expect(billFor(usage, 1).total).toBeCloseTo(50.0628, 9)
    // A stage in use adds metrics for 8.10: one series that two filters share, and 26 series by attempt.
    expect(usageOfMetrics(stacks)).toEqual({ metric: 1 + 26 })
    expect(billFor(usageOfMetrics(stacks), 1).total).toBeCloseTo(8.1, 9)
  })
})

describe('the stored size', () => {
  test('counts each item and its index row as DynamoDB does, and items with a TTL separately', () => {
    const item = { pk: 'a#1', sk: 'a', version: 1 }
    // pk 2 + 3, sk 2 + 1, version 7 + 2, and 100 of overhead.
    expect(storedBy([item])).toEqual({ items: 1, bytes: 117, passing_items: 0, passing_bytes: 0 })
    const due = { ...item, due_shard: 'due#x#1', due_at: '2030' }
    // Two more attributes of 16 and 10 bytes. The index row has 4 names with 19 letters, values of 3 + 1 + 7 + 4, and
    // 100 of overhead.
    expect(storedBy([due]).bytes).toBe(117 + 26 + 134)
    expect(storedBy([{ ...item, ttl: 1 }])).toMatchObject({ items: 0, passing_items: 1, bytes: 0 })
  })
})
