import { defineConfig } from 'vitest/config'
import { LongestFirst } from '#test/runner/longest-first.ts'
import { summaryReporter } from '#test/runner/summary-reporter.ts'

const long = 'test/long/**/*.test.ts'
const moto = 'test/moto/**/*.test.ts'
const stack = 'test/stack/**/*.test.ts'
const openapi = 'test/openapi/**/*.test.ts'
const psp = 'test/psp/**/*.test.ts'

/** `vitest run` runs the default suite. `vitest run --mode long` runs the suite that takes minutes. */
const suites: Record<string, { include: string[]; exclude?: string[]; testTimeout: number; hookTimeout: number }> = {
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [long, moto, openapi, psp, stack],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
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
    // CDK would validate each template that a test synthesizes, at five times the cost of the synthesis, and only warn.
    // `cdk synth` and cfn-lint validate the templates of all stages.
    env: { CDK_VALIDATION: 'false' },
    setupFiles: ['repeatable-properties', 'provoked-refusals'].map(
      (name) => new URL(`test/runner/${name}.ts`, import.meta.url).pathname,
    ),
    reporters: ['default', summaryReporter()],
  },
}))
