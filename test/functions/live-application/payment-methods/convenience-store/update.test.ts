import { testsOfUpdating } from '#test/fixtures/onboarding-suite.ts'

testsOfUpdating('payment_methods/convenience_store')
