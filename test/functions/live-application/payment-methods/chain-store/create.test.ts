import { testsOfCreating } from '#test/fixtures/onboarding-suite.ts'

testsOfCreating('payment_methods/chain_store')
