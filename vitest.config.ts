import { defineConfig } from 'vitest/config'
import { LongestFirst } from '#test/support/longest-first.ts'
import { summaryReporter } from '#test/support/summary-reporter.ts'

const long = 'test/long/**/*.test.ts'
const moto = 'test/moto/**/*.test.ts'

/** `vitest run` is the suite that everybody runs; `--mode long` runs what takes minutes. */
const suites: Record<string, { include: string[]; exclude?: string[]; testTimeout: number; hookTimeout: number }> = {
  test: { include: ['test/**/*.test.ts'], exclude: [long, moto], testTimeout: 30_000, hookTimeout: 30_000 },
  long: { include: [long], testTimeout: 600_000, hookTimeout: 60_000 },
}

export default defineConfig(({ mode }) => ({
  test: {
    ...suites[mode],
    pool: 'forks',
    // By itself Vitest leaves one core to the watcher, which is half of two.
    maxWorkers: '100%',
    // Files share a process one after the other: loading the same modules for each took a third of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    setupFiles: [new URL('test/support/repeatable-properties.ts', import.meta.url).pathname],
    reporters: ['default', summaryReporter()],
  },
}))
