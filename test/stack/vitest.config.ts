import { defineConfig } from 'vitest/config'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

/** The suites of a stage in an emulator of AWS, which needs python3 and, the first time, the network. */
export default defineConfig({
  test: {
    include: ['test/stack/**/*.test.ts'],
    globalSetup: 'test/stack/global-setup.ts',
    setupFiles: 'test/stack/localhost-names.mjs',
    pool: 'forks',
    // What waits for the clock of the emulator leaves room for one other file.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', summaryReporter()],
  },
})
