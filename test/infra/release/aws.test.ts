import {
  APIGatewayClient,
  CreateDeploymentCommand,
  GetRestApisCommand,
  GetStageCommand,
  UpdateStageCommand,
} from '@aws-sdk/client-api-gateway'
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch'
import {
  DescribeRuleCommand,
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
  ResourceNotFoundException as NoRule,
} from '@aws-sdk/client-eventbridge'
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  ResourceInUseException,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, test } from 'vitest'
import { BackgroundWork } from '#infra/release/background-work.ts'
import { Gateway } from '#infra/release/gateway.ts'
import { deployCommand, statesOf } from '#infra/release/surroundings.ts'
import { stageOf } from '#test/fixtures/stages.ts'

const api = mockClient(APIGatewayClient)
const lambda = mockClient(LambdaClient)
const events = mockClient(EventBridgeClient)
const watch = mockClient(CloudWatchClient)
beforeEach(() => {
  for (const mock of [api, lambda, events, watch]) mock.reset()
  api.on(GetRestApisCommand).resolves({
    items: [
      { id: 'other', name: 'x' },
      { id: 'api1', name: 'payment-service-prod-api' },
    ],
  })
  api.on(UpdateStageCommand).resolves({})
})

const gateway = new Gateway(new APIGatewayClient({ region: 'us-east-1' }), 'prod')
const patched = () => api.commandCalls(UpdateStageCommand).map(({ args }) => args[0].input)
const [a, b] = ['payment-service-prod', 'payment-service-prod-b']

describe('the stage of the API', () => {
  test('says what serves, what served before and what gets a part of the requests', async () => {
    api.on(GetStageCommand, { restApiId: 'api1', stageName: 'prod' }).resolves({
      deploymentId: 'd2',
      variables: { functions: b, former_deployment: 'd1' },
      canarySettings: { deploymentId: 'd3', percentTraffic: 10, stageVariableOverrides: { functions: a } },
    })
    expect(await gateway.served()).toEqual({
      live: { slot: 'b', deployment: 'd2' },
      former: 'd1',
      candidate: { slot: 'a', deployment: 'd3', percent: 10 },
      is_plain: false,
    })
  })

  test('without slots is slot a, and is adopted with a copy of its deployment', async () => {
    api.on(GetStageCommand).resolves({ deploymentId: 'd1' })
    api.on(CreateDeploymentCommand, { restApiId: 'api1' }).resolves({ id: 'copy' })
    expect(await gateway.served()).toMatchObject({ live: { slot: 'a', deployment: 'd1' }, is_plain: true })
    await gateway.adopt()
    expect(patched()[0]!.patchOperations).toEqual([
      { op: 'replace', path: '/deploymentId', value: 'copy' },
      { op: 'replace', path: '/variables/functions', value: a },
    ])
  })

  test('that does not exist serves nothing', async () => {
    api.on(GetRestApisCommand).resolves({ items: [] })
    expect(await gateway.served()).toMatchObject({ live: undefined, candidate: undefined })
  })

  test('gets a candidate, its promotion and the end of the shift with one call each', async () => {
    await gateway.shift({ slot: 'b', deployment: 'd2' }, 10)
    await gateway.promote({ slot: 'b', deployment: 'd2' }, { slot: 'a', deployment: 'd1' })
    api.on(GetStageCommand).resolves({ deploymentId: 'd2', canarySettings: {} })
    await gateway.endShift()
    expect(patched().map(({ patchOperations }) => patchOperations)).toEqual([
      [
        { op: 'replace', path: '/canarySettings/deploymentId', value: 'd2' },
        { op: 'replace', path: '/canarySettings/percentTraffic', value: '10' },
        { op: 'replace', path: '/canarySettings/stageVariableOverrides/functions', value: b },
        { op: 'replace', path: '/canarySettings/useStageCache', value: 'false' },
      ],
      [
        { op: 'copy', from: '/canarySettings/deploymentId', path: '/deploymentId' },
        { op: 'replace', path: '/variables/functions', value: b },
        { op: 'replace', path: '/variables/former_deployment', value: 'd1' },
      ],
      [{ op: 'remove', path: '/canarySettings' }],
    ])
  })

  test('switches to the slot before with one call', async () => {
    await gateway.serve({ slot: 'a', deployment: 'd1' }, { slot: 'b', deployment: 'd2' })
    expect(patched().map(({ patchOperations }) => patchOperations)).toEqual([
      [
        { op: 'replace', path: '/deploymentId', value: 'd1' },
        { op: 'replace', path: '/variables/functions', value: a },
        { op: 'replace', path: '/variables/former_deployment', value: 'd2' },
      ],
    ])
  })
})

describe('the background work of a slot', () => {
  const waits: number[] = []
  const work = new BackgroundWork(
    stageOf('prod'),
    { lambda: new LambdaClient({ region: 'us-east-1' }), events: new EventBridgeClient({ region: 'us-east-1' }) },
    async (ms) => void waits.push(ms),
  )
  const full: Readonly<Record<string, number>> = {
    deliver: 400,
    capture: 49,
    chores: 49,
    'move-test-clocks': 2,
  }

  function slotB(
    State: string,
    factor = 1,
    rule: 'ENABLED' | 'DISABLED' = State === 'Enabled' ? 'ENABLED' : 'DISABLED',
  ) {
    for (const [worker, concurrency] of Object.entries(full))
      lambda.on(ListEventSourceMappingsCommand, { FunctionName: `${b}-background-${worker}` }).resolves({
        EventSourceMappings: [
          { UUID: worker, State, ScalingConfig: { MaximumConcurrency: Math.max(2, Math.ceil(concurrency * factor)) } },
        ],
      })
    lambda
      .on(ListEventSourceMappingsCommand, { FunctionName: `${b}-background-fan-out` })
      .resolves({ EventSourceMappings: [{ UUID: 'stream', State }] })
    events.on(DescribeRuleCommand, { Name: 'payment-service-prod-every-minute-b' }).resolves({ State: rule })
  }

  test.each([
    ['off', 'Disabled', 1],
    ['tenth', 'Enabled', 0.1],
    ['full', 'Enabled', 1],
    ['mixed', 'Enabled', 0.5],
  ] as const)('is %s', async (share, state, factor) => {
    slotB(state, factor)
    expect(await work.shareOf('b')).toBe(share)
  })

  test('is mixed if only the sweep is off, and undefined for a slot without functions', async () => {
    slotB('Enabled', 1, 'DISABLED')
    expect(await work.shareOf('b')).toBe('mixed')
    lambda.on(ListEventSourceMappingsCommand).resolves({ EventSourceMappings: [] })
    events.on(DescribeRuleCommand).rejects(new NoRule({ message: 'none', $metadata: {} }))
    expect(await work.shareOf('b')).toBeUndefined()
  })

  test('is set for all workers, the fan-out and the sweep, also while Lambda still changes one of them', async () => {
    slotB('Disabled')
    lambda
      .on(UpdateEventSourceMappingCommand, { UUID: 'capture' })
      .rejectsOnce(new ResourceInUseException({ message: 'Updating', $metadata: {} }))
      .resolves({})
    await work.set('b', 'tenth')
    expect(waits).toEqual([5_000])
    const updates = lambda.commandCalls(UpdateEventSourceMappingCommand).map(({ args }) => args[0].input)
    expect(updates.filter(({ UUID }) => UUID !== 'capture')).toEqual([
      { UUID: 'deliver', Enabled: true, ScalingConfig: { MaximumConcurrency: 40 } },
      { UUID: 'chores', Enabled: true, ScalingConfig: { MaximumConcurrency: 5 } },
      { UUID: 'move-test-clocks', Enabled: true, ScalingConfig: { MaximumConcurrency: 2 } },
      { UUID: 'stream', Enabled: true },
    ])
    expect(events.commandCalls(EnableRuleCommand)[0]!.args[0].input).toEqual({
      Name: 'payment-service-prod-every-minute-b',
    })
    slotB('Enabled')
    await work.set('b', 'off')
    expect(lambda.commandCalls(UpdateEventSourceMappingCommand).at(-1)!.args[0].input).toEqual({
      UUID: 'stream',
      Enabled: false,
    })
    expect(events.commandCalls(DisableRuleCommand)).toHaveLength(1)
  })
})

test('the states of alarms include those that do not exist', async () => {
  watch.on(DescribeAlarmsCommand, { AlarmNames: ['one', 'two', 'three'] }).resolves({
    MetricAlarms: [
      { AlarmName: 'one', StateValue: 'ALARM' },
      { AlarmName: 'two', StateValue: 'INSUFFICIENT_DATA' },
    ],
  })
  const states = await statesOf(new CloudWatchClient({ region: 'us-east-1' }), ['one', 'two', 'three'])
  expect([...states]).toEqual([
    ['one', 'alarm'],
    ['two', 'unknown'],
    ['three', undefined],
  ])
})

test('the deployment into a slot tells the API what serves', () => {
  const words = deployCommand('prod', { slot: 'b', live: { slot: 'a', deployment: 'd1' } }).join(' ')
  expect(words).toContain('-c stage=prod -c slot=b')
  expect(words).toContain('--parameters payment-service-prod-api:LiveDeployment=d1')
  expect(words).toContain(`--parameters payment-service-prod-api:LiveFunctions=${a} `)
  expect(deployCommand('prod', { slot: 'b', live: undefined }).join(' ')).toContain(`LiveFunctions=${b} `)
})
