import { testsOfCreating } from '#test/support/onboarding-suite.ts'

testsOfCreating('payment_methods/chain_store')
