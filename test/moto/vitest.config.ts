import { defineConfig } from 'vitest/config'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

/** The suites that run on moto. They need python3 and, on the first run, the network. */
export default defineConfig({
  test: {
    include: ['test/moto/**/*.test.ts'],
    globalSetup: 'test/moto/global-setup.ts',
    // moto serves one request at a time, so parallel files would run into the timeouts of the SDK.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', summaryReporter()],
  },
})
