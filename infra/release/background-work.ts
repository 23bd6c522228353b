import {
  DescribeRuleCommand,
  DisableRuleCommand,
  EnableRuleCommand,
  type EventBridgeClient,
  ResourceNotFoundException as NoRule,
} from '@aws-sdk/client-eventbridge'
import {
  type EventSourceMappingConfiguration,
  type LambdaClient,
  ListEventSourceMappingsCommand,
  ResourceNotFoundException as NoFunction,
  ResourceInUseException,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda'
import { namesInSlot, type Slot, type SlotNames } from '#infra/names.ts'
import { type Stage, workersAtOnce } from '#infra/stage.ts'
import { fanOut, workedQueues } from '#shared/background.ts'
import { concurrencyAt, type Share } from './shifts.ts'

/** An event source that is being changed refuses another change for some seconds. */
const BUSY_WAIT_MS = 5_000
const BUSY_TRIES = 24

interface Source {
  readonly mapping: EventSourceMappingConfiguration
  /** The concurrency at full work; undefined for the stream, which has no such setting. */
  readonly full: number | undefined
}

/** The event sources of the workers and of the fan-out, and the rule of the sweep, of both slots. */
export class BackgroundWork {
  readonly #lambda: LambdaClient
  readonly #events: EventBridgeClient
  readonly #stage: Stage
  readonly #wait: (ms: number) => Promise<void>

  constructor(
    stage: Stage,
    clients: { readonly lambda: LambdaClient; readonly events: EventBridgeClient },
    wait: (ms: number) => Promise<void>,
  ) {
    this.#lambda = clients.lambda
    this.#events = clients.events
    this.#stage = stage
    this.#wait = wait
  }

  /** The work of a slot: `mixed` if its parts differ, undefined if the slot has no functions. */
  async shareOf(slot: Slot): Promise<Share | 'mixed' | undefined> {
    const names = namesInSlot(this.#stage.name, slot)
    const sweeps = await this.#isSweeping(names)
    const sources = await this.#sources(names)
    if (sweeps === undefined || sources.length === 0) return undefined
    return (['off', 'tenth', 'full'] as const).find((share) => isAt(share, sweeps, sources)) ?? 'mixed'
  }

  /** Sets the work of a slot. Does nothing for a slot without functions. */
  async set(slot: Slot, share: Share): Promise<void> {
    const names = namesInSlot(this.#stage.name, slot)
    for (const source of await this.#sources(names)) await this.#update(source, share)
    if ((await this.#isSweeping(names)) === undefined) return
    const Rule = { Name: names.everyMinute }
    await this.#events.send(share === 'off' ? new DisableRuleCommand(Rule) : new EnableRuleCommand(Rule))
  }

  async #update({ mapping, full }: Source, share: Share): Promise<void> {
    const command = new UpdateEventSourceMappingCommand({
      UUID: mapping.UUID,
      Enabled: share !== 'off',
      ...(full !== undefined && { ScalingConfig: { MaximumConcurrency: concurrencyAt(share, full) } }),
    })
    for (let tries = 1; ; tries++) {
      try {
        await this.#lambda.send(command)
        return
      } catch (error) {
        if (!(error instanceof ResourceInUseException) || tries === BUSY_TRIES) throw error
        await this.#wait(BUSY_WAIT_MS)
      }
    }
  }

  async #sources(names: SlotNames): Promise<Source[]> {
    const functions = [
      ...workedQueues().map(({ queue, file }) => ({
        file,
        full: workersAtOnce(this.#stage, queue),
      })),
      { file: fanOut, full: undefined },
    ]
    const found = await Promise.all(
      functions.map(async ({ file, full }) =>
        (await this.#mappingsOf(names.function(file))).map((mapping) => ({ mapping, full })),
      ),
    )
    return found.flat()
  }

  async #mappingsOf(FunctionName: string): Promise<EventSourceMappingConfiguration[]> {
    try {
      const { EventSourceMappings } = await this.#lambda.send(new ListEventSourceMappingsCommand({ FunctionName }))
      return EventSourceMappings ?? []
    } catch (error) {
      if (error instanceof NoFunction) return []
      throw error
    }
  }

  async #isSweeping({ everyMinute: Name }: SlotNames): Promise<boolean | undefined> {
    try {
      const { State } = await this.#events.send(new DescribeRuleCommand({ Name }))
      return State === 'ENABLED'
    } catch (error) {
      if (error instanceof NoRule) return undefined
      throw error
    }
  }
}

function isAt(share: Share, sweeps: boolean, sources: readonly Source[]): boolean {
  const on = share !== 'off'
  return (
    sweeps === on &&
    sources.every(
      ({ mapping: { State = '', ScalingConfig }, full }) =>
        /^(Enabl|Creat)/.test(State) === on &&
        (!on || full === undefined || ScalingConfig?.MaximumConcurrency === concurrencyAt(share, full)),
    )
  )
}
