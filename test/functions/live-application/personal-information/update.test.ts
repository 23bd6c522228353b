import { testsOfUpdating } from '#test/functions/live-application/record-suite.ts'

testsOfUpdating('personal_information')
