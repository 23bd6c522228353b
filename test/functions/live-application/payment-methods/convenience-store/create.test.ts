import { testsOfCreating } from '#test/functions/live-application/record-suite.ts'

testsOfCreating('payment_methods/convenience_store')
