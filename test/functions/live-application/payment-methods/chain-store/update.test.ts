import { testsOfUpdating } from '#test/support/onboarding-suite.ts'

testsOfUpdating('payment_methods/chain_store')
