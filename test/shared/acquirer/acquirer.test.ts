import { sandbox } from '#shared/acquirer/sandbox/sandbox.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { card, openApi } from '#test/fixtures/api.ts'
import { AsynchronousAcquirer } from '#test/fixtures/asynchronous-acquirer.ts'
import { acquirerContract } from './contract/acquirer-contract.ts'

const cards = { good: card() as PaymentDetails, declined: card('4123111111111059') as PaymentDetails }

acquirerContract('sandbox', async () => {
  const service = await openApi()
  const acquirer = sandbox(service.platform, service.test.id)
  const now = () => new Date(service.platform.clock.now()).toISOString()
  return { acquirer, merchant: service.test.id, now, cards, settle() {}, close: () => service.close() }
})

acquirerContract('an acquirer whose every operation is asynchronous', async () => {
  const acquirer = new AsynchronousAcquirer()
  const settle = () => acquirer.settle()
  return { acquirer, merchant: 'mer_1', now: () => '2030-01-02T03:00:00Z', cards, settle, close() {} }
})
