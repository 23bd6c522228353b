import { testsOfUpdating } from '#test/support/onboarding-suite.ts'

testsOfUpdating('payment_methods/credit_card')
