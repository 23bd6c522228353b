import { testsOfUpdating } from '#test/fixtures/onboarding-suite.ts'

testsOfUpdating('payment_methods/chain_store')
