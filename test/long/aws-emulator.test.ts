import { afterAll, beforeAll } from 'vitest'
import { openSdkService, type SdkService } from '#test/faults/sdk-service.ts'
import { queueContract } from '#test/shared/platform/contract/queue-contract.ts'
import { tableContract } from '#test/shared/platform/contract/table-contract.ts'
import { vaultContract } from '#test/shared/platform/contract/vault-contract.ts'

/** The emulation that faults are injected into does what each platform does. */

let service: SdkService
beforeAll(async () => {
  service = await openSdkService()
})
afterAll(() => service.close())

tableContract('DynamodbTable over the emulation', async () => service.ports.table)
vaultContract('KmsVault over the emulation', async () => service.ports.vault)
queueContract('sqsQueue over the emulation', async () => ({
  queue: service.ports.queues.chores,
  receive: async () => service.platform.queues.chores.due(service.platform.clock.now()),
}))
