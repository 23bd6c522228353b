import { inject } from 'vitest'
import { openStage } from '#infra/operate/place.ts'
import { BASE_PATH } from '#shared/routes.ts'
import { type Service, serviceAt } from '#test/fixtures/api.ts'
import { STAGE } from './deployment.ts'

/** Returns the deployed stage with two new merchants. `platform` is the stage as an operator's command opens it. */
export async function openDeployed(): Promise<Service> {
  const { platform, close } = await openStage(STAGE)
  return serviceAt(inject('url').slice(0, -BASE_PATH.length), platform, async () => close())
}
