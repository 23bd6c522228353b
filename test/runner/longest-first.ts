import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The files that take longest. They start first, so that the run does not end with one of them alone. */
const LONGEST = /(test\/long\/(deliveries|subscriptions|crash-points|app|platform-faults)|-simulation)\.test\.ts$/

/** Starts the files that take longest first. Each file runs in one process, and the last of them would run alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
