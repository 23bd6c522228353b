import { defineConfig } from 'vitest/config'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

/** The suites that check the API description with other tools. They need python3 and, on the first run, the network. */
export default defineConfig({
  test: {
    include: ['test/openapi/**/*.test.ts'],
    // The fuzzer uses all cores.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    reporters: ['default', summaryReporter()],
  },
})
