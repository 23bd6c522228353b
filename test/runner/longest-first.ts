import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** What takes longest by itself, so that nothing waits for it in the end. */
const LONGEST = /(test\/long\/(deliveries|subscriptions|crash-points|app|platform-faults)|-simulation)\.test\.ts$/

/** Begins with the files that take longest: each runs in one process, and the last of them would run alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
