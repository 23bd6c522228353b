import { defineConfig } from 'vitest/config'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

/** The suites on a stage in an emulator of AWS. They need python3 and, on the first run, the network. */
export default defineConfig({
  test: {
    include: ['test/stack/**/*.test.ts'],
    globalSetup: 'test/stack/global-setup.ts',
    setupFiles: 'test/stack/localhost-names.mjs',
    pool: 'forks',
    // Tests that wait for the clock of the emulator leave room for one other file.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', summaryReporter()],
  },
})
