import { testsOfShowing } from '#test/support/onboarding-suite.ts'

testsOfShowing('bank_account_information')
