import { testsOfShowing } from '#test/fixtures/onboarding-suite.ts'

testsOfShowing('bank_account_information')
