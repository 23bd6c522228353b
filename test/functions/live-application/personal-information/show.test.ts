import { testsOfShowing } from '#test/functions/live-application/record-suite.ts'

testsOfShowing('personal_information')
