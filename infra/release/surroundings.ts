import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { APIGatewayClient } from '@aws-sdk/client-api-gateway'
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch'
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { namesInSlot, namesOf, type Slot } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { BackgroundWork } from './background-work.ts'
import { Gateway } from './gateway.ts'
import type { Surroundings } from './release.ts'
import type { Placed } from './situation.ts'
import type { AlarmState } from './verdict.ts'

/** The surroundings of a release on AWS, with the credentials and in the region that the AWS SDK finds. */
export function surroundingsOf(stage: Stage, outputs_file?: string): Surroundings {
  const wait = (ms: number) => setTimeout(ms)
  const gateway = new Gateway(new APIGatewayClient({}), stage.name)
  const background = new BackgroundWork(
    stage,
    { lambda: new LambdaClient({}), events: new EventBridgeClient({}) },
    wait,
  )
  const alarms = new CloudWatchClient({})
  return {
    stage: stage.name,
    situation: async () => ({
      ...(await gateway.served()),
      background: { a: await background.shareOf('a'), b: await background.shareOf('b') },
    }),
    adopt: () => gateway.adopt(),
    forgetFormer: () => gateway.forgetFormer(),
    deploy: (slot, live) => deployInto(stage.name, { slot, live, outputs_file }),
    shift: (candidate, percent) => gateway.shift(candidate, percent),
    promote: (candidate, former) => gateway.promote(candidate, former),
    endShift: () => gateway.endShift(),
    switchTo: (next, former) => gateway.serve(next, former),
    work: (slot, share) => background.set(slot, share),
    alarms: (names) => statesOf(alarms, names),
    now: Date.now,
    wait,
    say: (line) => console.log(line),
  }
}

/** The states of alarms by name; undefined for an alarm that does not exist. */
export async function statesOf(
  client: CloudWatchClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, AlarmState | undefined>> {
  const { MetricAlarms = [] } = await client.send(new DescribeAlarmsCommand({ AlarmNames: [...names] }))
  const states: Readonly<Record<string, AlarmState>> = { OK: 'ok', ALARM: 'alarm' }
  const found = new Map(
    MetricAlarms.map(({ AlarmName, StateValue = '' }) => [AlarmName, states[StateValue] ?? 'unknown']),
  )
  return new Map(names.map((name) => [name, found.get(name)]))
}

interface Deployment {
  readonly slot: Slot
  readonly live: Placed | undefined
  readonly outputs_file: string | undefined
}

/** The words of the command that deploys a checkout into a slot, and states to the API what serves. */
export function deployCommand(stage: string, { slot, live }: Pick<Deployment, 'slot' | 'live'>): string[] {
  const parameter = (name: string, value: string) => ['--parameters', `${namesOf(stage).stack('api')}:${name}=${value}`]
  const { prefix } = namesInSlot(stage, live?.slot ?? slot)
  return [
    ...['--no-install', 'cdk', 'deploy', '--all', '-c', `stage=${stage}`, '-c', `slot=${slot}`],
    ...parameter('LiveDeployment', live?.deployment ?? 'none'),
    ...parameter('LiveFunctions', prefix),
    // A stack that is created again adopts the log groups of the deleted stack.
    ...['--import-existing-resources', '--require-approval', 'never', '--progress', 'events'],
  ]
}

/** Deploys the checkout into a slot. Returns the deployment of the API that leads to it. */
async function deployInto(stage: string, deployment: Deployment): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  const file = deployment.outputs_file ?? join(folder, 'outputs.json')
  try {
    await new Promise<void>((resolve, reject) => {
      const words = [...deployCommand(stage, deployment), '--outputs-file', file]
      const child = execFile('npx', words, { maxBuffer: 2 ** 28 }, (error) => (error ? reject(error) : resolve()))
      child.stdout!.pipe(process.stdout)
      child.stderr!.pipe(process.stderr)
    })
    return JSON.parse(readFileSync(file, 'utf8'))[namesOf(stage).stack('api')].NextDeployment
  } finally {
    rmSync(folder, { recursive: true })
  }
}
