import { afterAll, beforeEach, type RunnerTask, type RunnerTestFile } from 'vitest'
import { servedRoutes } from '#shared/routes.ts'
import { forgetRefusals, unseenRefusals } from '#test/fixtures/seen-refusals.ts'

/*
 * The test file of an endpoint provokes every code that the handler documents after `@refuses`. The check runs after the
 * last test of the file, unless a test failed or was filtered out.
 */

forgetRefusals()

let file: RunnerTestFile | undefined
beforeEach(({ task }) => {
  file = task.file
})

afterAll(() => {
  const row = servedRoutes().find((row) => file?.filepath.endsWith(`/test/functions/${row.file}.test.ts`))
  if (!row || !hasPassed(file!)) return
  const unseen = unseenRefusals(row.route)
  if (unseen.length > 0)
    throw new Error(
      `No test in this file makes ${row.route} refuse with ${unseen.join(', ')}, which @refuses in functions/${row.file}.ts lists`,
    )
})

const hasPassed = (task: RunnerTask): boolean =>
  'tasks' in task ? task.tasks.every(hasPassed) : task.result?.state === 'pass'
