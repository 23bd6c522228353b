/** A clock that jumps from one step to the next. Times are in milliseconds, and it begins at 0. */
export class VirtualTime {
  now = 0
  /** The waiting steps as a binary heap: each step is not later than its two children. */
  readonly #steps: { readonly at: number; readonly run: () => void }[] = []

  /** Runs a step after a delay. */
  after(milliseconds: number, run: () => void): void {
    const steps = this.#steps
    const step = { at: this.now + milliseconds, run }
    let place = steps.push(step) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (steps[parent]!.at <= step.at) break
      steps[place] = steps[parent]!
      place = parent
    }
    steps[place] = step
  }

  /** Runs all steps until a time, in order, including the steps that they add. */
  runUntil(until: number): void {
    while (this.#steps.length > 0 && this.#steps[0]!.at <= until) {
      const { at, run } = this.#takeFirst()
      this.now = at
      run()
    }
    this.now = until
  }

  #takeFirst() {
    const steps = this.#steps
    const first = steps[0]!
    const last = steps.pop()!
    if (steps.length === 0) return first
    let place = 0
    for (let child = 1; child < steps.length; child = 2 * place + 1) {
      if (child + 1 < steps.length && steps[child + 1]!.at < steps[child]!.at) child++
      if (steps[child]!.at >= last.at) break
      steps[place] = steps[child]!
      place = child
    }
    steps[place] = last
    return first
  }
}
