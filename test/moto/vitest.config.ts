import { defineConfig } from 'vitest/config'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

/** The suites that need moto, which needs python3 and, the first time, the network. */
export default defineConfig({
  test: {
    include: ['test/moto/**/*.test.ts'],
    globalSetup: 'test/moto/global-setup.ts',
    // moto serves one request at a time, and who waits too long for an answer gives up.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', summaryReporter()],
  },
})
