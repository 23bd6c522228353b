import { testsOfCreating } from '#test/functions/live-application/record-suite.ts'

testsOfCreating('bank_account_information')
