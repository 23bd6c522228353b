import { defineConfig } from 'vitest/config'
import { LongestFirst } from '#test/runner/longest-first.ts'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

const long = 'test/long/**/*.test.ts'
const moto = 'test/moto/**/*.test.ts'
const stack = 'test/stack/**/*.test.ts'

/** `vitest run` runs the default suite. `vitest run --mode long` runs the suite that takes minutes. */
const suites: Record<string, { include: string[]; exclude?: string[]; testTimeout: number; hookTimeout: number }> = {
  test: { include: ['test/**/*.test.ts'], exclude: [long, moto, stack], testTimeout: 30_000, hookTimeout: 30_000 },
  long: { include: [long], testTimeout: 600_000, hookTimeout: 60_000 },
}

export default defineConfig(({ mode }) => ({
  test: {
    ...suites[mode],
    pool: 'forks',
    // By default Vitest leaves one core to its main process, which is half of two cores.
    maxWorkers: '100%',
    // Test files share a process, because loading the same modules for each file took a third of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // The validation that CDK builds in takes seconds in each test of stacks. `npm run lint:templates` runs it.
    env: { CDK_VALIDATION: 'false' },
    setupFiles: [new URL('test/runner/repeatable-properties.ts', import.meta.url).pathname],
    reporters: ['default', summaryReporter()],
  },
}))
