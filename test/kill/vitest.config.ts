import { defineConfig } from 'vitest/config'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

export default defineConfig({
  test: {
    include: ['test/kill/**/*.kill.ts'],
    testTimeout: 240_000,
    pool: 'forks',
    reporters: ['default', summaryReporter()],
  },
})
