import { testsOfCreating } from '#test/support/onboarding-suite.ts'

testsOfCreating('bank_account_information')
