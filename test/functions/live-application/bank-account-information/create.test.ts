import { testsOfCreating } from '#test/fixtures/onboarding-suite.ts'

testsOfCreating('bank_account_information')
