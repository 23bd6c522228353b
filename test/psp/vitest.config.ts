import { defineConfig } from 'vitest/config'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

/**
 * The suites that compare the emulator of Stripe with independent programs. They need Go, python3 and, on the first run,
 * the network.
 */
export default defineConfig({
  test: {
    include: ['test/psp/**/*.test.ts'],
    globalSetup: 'test/psp/global-setup.ts',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 300_000,
    reporters: ['default', summaryReporter()],
  },
})
