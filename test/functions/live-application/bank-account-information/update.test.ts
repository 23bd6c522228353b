import { testsOfUpdating } from '#test/support/onboarding-suite.ts'

testsOfUpdating('bank_account_information')
