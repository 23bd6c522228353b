import { testsOfUpdating } from '#test/functions/live-application/record-suite.ts'

testsOfUpdating('bank_account_information')
