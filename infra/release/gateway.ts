import {
  type APIGatewayClient,
  CreateDeploymentCommand,
  GetStageCommand,
  NotFoundException,
  type PatchOperation,
  paginateGetRestApis,
  type Stage,
  UpdateStageCommand,
} from '@aws-sdk/client-api-gateway'
import { namesInSlot, namesOf, SLOTS, type Slot } from '#infra/names.ts'
import type { Placed, Situation } from './situation.ts'

/** The part of a situation that the API knows. */
export type Served = Pick<Situation, 'live' | 'former' | 'candidate' | 'is_plain'>

const nothing: Served = { live: undefined, former: undefined, candidate: undefined, is_plain: false }

/** The stage of the API in API Gateway, by which a release shifts all requests at once. */
export class Gateway {
  readonly #client: APIGatewayClient
  readonly #stage: string

  constructor(client: APIGatewayClient, stage: string) {
    this.#client = client
    this.#stage = stage
  }

  /** What serves, and what gets a part of the requests. */
  async served(): Promise<Served> {
    const stage = await this.#get()
    if (!stage?.deploymentId) return nothing
    const { canarySettings: canary, variables = {} } = stage
    const former = variables[FORMER]
    return {
      live: { slot: this.#slotOf(variables[FUNCTIONS]), deployment: stage.deploymentId },
      former: former === undefined || former === NONE ? undefined : former,
      candidate: canary?.deploymentId
        ? {
            slot: this.#slotOf(canary.stageVariableOverrides?.[FUNCTIONS]),
            deployment: canary.deploymentId,
            percent: canary.percentTraffic ?? 0,
          }
        : undefined,
      is_plain: variables[FUNCTIONS] === undefined,
    }
  }

  async adopt(): Promise<void> {
    const restApiId = await this.#apiId()
    const description = 'A copy of the deployment before the first release into a slot'
    const { id } = await this.#client.send(new CreateDeploymentCommand({ restApiId, description }))
    await this.#patch([replacing('/deploymentId', id!), replacing(`/variables/${FUNCTIONS}`, this.#prefix('a'))])
  }

  forgetFormer(): Promise<void> {
    return this.#patch([replacing(`/variables/${FORMER}`, NONE)])
  }

  shift({ slot, deployment }: Placed, percent: number): Promise<void> {
    return this.#patch([
      replacing('/canarySettings/deploymentId', deployment),
      replacing('/canarySettings/percentTraffic', String(percent)),
      replacing(`/canarySettings/stageVariableOverrides/${FUNCTIONS}`, this.#prefix(slot)),
      replacing('/canarySettings/useStageCache', 'false'),
    ])
  }

  /**
   * Lets the slot of the candidate serve. The candidate stays until `endShift`, so that both lead to the same slot
   * meanwhile. A stage with a canary takes over the deployment of the canary by `copy`.
   */
  promote({ slot }: Placed, former: Placed): Promise<void> {
    return this.#patch([
      { op: 'copy', from: '/canarySettings/deploymentId', path: '/deploymentId' },
      ...this.#serving(slot, former),
    ])
  }

  /** Lets a slot serve that has no requests yet. */
  serve({ slot, deployment }: Placed, former: Placed): Promise<void> {
    return this.#patch([replacing('/deploymentId', deployment), ...this.#serving(slot, former)])
  }

  #serving(slot: Slot, former: Placed): PatchOperation[] {
    return [
      replacing(`/variables/${FUNCTIONS}`, this.#prefix(slot)),
      replacing(`/variables/${FORMER}`, former.deployment),
    ]
  }

  async endShift(): Promise<void> {
    const stage = await this.#get()
    if (stage?.canarySettings) await this.#patch([{ op: 'remove', path: '/canarySettings' }])
  }

  #prefix(slot: Slot): string {
    return namesInSlot(this.#stage, slot).prefix
  }

  #slotOf(prefix: string | undefined): Slot {
    return SLOTS.find((slot) => this.#prefix(slot) === prefix) ?? 'a'
  }

  async #apiId(): Promise<string | undefined> {
    const { api } = namesOf(this.#stage)
    for await (const { items = [] } of paginateGetRestApis({ client: this.#client }, {})) {
      const found = items.find(({ name }) => name === api)
      if (found) return found.id
    }
    return undefined
  }

  async #get(): Promise<Stage | undefined> {
    const restApiId = await this.#apiId()
    if (restApiId === undefined) return undefined
    try {
      return await this.#client.send(new GetStageCommand({ restApiId, stageName: this.#stage }))
    } catch (error) {
      if (error instanceof NotFoundException) return undefined
      throw error
    }
  }

  async #patch(patchOperations: PatchOperation[]): Promise<void> {
    const restApiId = await this.#apiId()
    await this.#client.send(new UpdateStageCommand({ restApiId, stageName: this.#stage, patchOperations }))
  }
}

/** The stage variables of the API: the prefix of the functions that serve, and the deployment that served before. */
const FUNCTIONS = 'functions'
const FORMER = 'former_deployment'

/** A stage variable cannot be empty. */
const NONE = 'none'

const replacing = (path: string, value: string): PatchOperation => ({ op: 'replace', path, value })
