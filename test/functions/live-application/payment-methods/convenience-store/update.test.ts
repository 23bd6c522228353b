import { testsOfUpdating } from '#test/functions/live-application/record-suite.ts'

testsOfUpdating('payment_methods/convenience_store')
