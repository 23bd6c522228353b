import { inject } from 'vitest'
import { openStage } from '#infra/operate/place.ts'
import { BASE_PATH } from '#shared/routes.ts'
import { type Service, serviceAt } from '#test/fixtures/api.ts'
import { STAGE } from './deployment.ts'

/** Returns the deployed stage with two new merchants. Its platform is the stage's own, as an operator opens it. */
export async function openDeployed(): Promise<Service> {
  const { platform, close } = await openStage(STAGE)
  return serviceAt(inject('url').slice(0, -BASE_PATH.length), platform, async () => close())
}
