import { inject } from 'vitest'
import { openStage } from '#infra/operate/place.ts'
import { BASE_PATH } from '#shared/routes.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { request, type Service } from '#test/fixtures/api.ts'
import { STAGE } from './deployment.ts'

/** The deployed stage with two new merchants. Its platform is the stage's own, as an operator opens it. */
export async function openDeployed(): Promise<Service> {
  const { platform, close } = await openStage(STAGE)
  const url = inject('url').slice(0, -BASE_PATH.length)
  const make = async () => {
    const { merchants, writes } = newMerchants(platform.clock.now())
    await platform.table.write(writes)
    return merchants
  }
  const { test, live } = await make()
  return {
    url,
    platform,
    test,
    live,
    newMerchants: make,
    request: (route, options) => request(url, route, { key: test.secret_key, ...options }),
    close: async () => close(),
  }
}
