import type { Reporter, TestModule, TestSuite } from 'vitest/node'

/**
 * Ends the output of a run with `N passed, N failed` on a line of its own, followed by `, N skipped` if tests were
 * skipped. Other errors count as failed: a file that does not load or has no test, a hook, an uncaught error, a run
 * without tests or an interrupted run. If anything failed, the exit code is not 0.
 */
export function summaryReporter(): Reporter {
  let passed = 0
  let failed = 0
  let skipped = 0
  let ended = false

  return {
    onInit() {
      process.on('exit', (code) => {
        if (failed === 0 && (code !== 0 || !ended)) failed = 1
        if (failed > 0) process.exitCode = code || 1
        process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
      })
    },

    onTestRunEnd(modules, unhandledErrors) {
      ended = true
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const states = Object.groupBy(tests, (test) => test.result().state)
      passed = states.passed?.length ?? 0
      skipped = states.skipped?.length ?? 0
      failed = tests.length - passed - skipped + brokenSuites(modules) + unhandledErrors.length
    },
  }
}

/** Files and `describe` blocks with an error of their own: on loading, without tests, or in a hook. */
function brokenSuites(modules: readonly TestModule[]): number {
  const suites: (TestModule | TestSuite)[] = modules.flatMap((module) => [module, ...module.children.allSuites()])
  return suites.filter((suite) => suite.errors().length > 0).length
}
