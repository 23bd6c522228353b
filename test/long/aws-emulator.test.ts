import { afterAll, beforeAll } from 'vitest'
import { openSdkService, type SdkService } from '#test/faults/sdk-service.ts'
import { queueContract } from '#test/shared/platform/contract/queue-contract.ts'
import { tableContract } from '#test/shared/platform/contract/table-contract.ts'
import { vaultContract } from '#test/shared/platform/contract/vault-contract.ts'

/** The emulator that faults are injected into fulfils the contracts of the ports. */

let service: SdkService
beforeAll(async () => {
  service = await openSdkService()
})
afterAll(() => service.close())

tableContract('DynamodbTable over the emulator', async () => service.ports.table)
vaultContract('KmsVault over the emulator', async () => service.ports.vault)
queueContract('sqsQueue over the emulator', async () => ({
  queue: service.ports.queues.chores,
  receive: async () => service.platform.queues.chores.due(service.platform.clock.now()),
}))
