import { testsOfUpdating } from '#test/fixtures/onboarding-suite.ts'

testsOfUpdating('bank_account_information')
