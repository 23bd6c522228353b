import { testsOfShowing } from '#test/functions/live-application/record-suite.ts'

testsOfShowing('bank_account_information')
