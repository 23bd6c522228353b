import type { Item, WholeTable } from '#shared/platform/ports.ts'
import type { OnProgress } from '#shared/store/find-items.ts'
import { type Case, type Check, caseOf, type Violation } from './check.ts'
import { checks } from './checks.ts'
import { factsOf, merchantOf, WEBHOOKS } from './facts.ts'
import type { Fact, Spool } from './spool.ts'

/** The result of one check: the number of groups or due records that were checked, and the violations. */
export interface Finding {
  readonly name: string
  checked: number
  readonly violations: string[]
}

export interface ReconcileOptions {
  readonly table: Pick<WholeTable, 'scan' | 'get'>
  /** Opens a new spool for each pass over the table. */
  readonly openSpool: () => Spool
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number
  /** Restricts the checks to the records of one merchant. */
  readonly merchant?: string
  /**
   * Receives a progress report for every 10,000 items that are read, and then for every 10,000 groups that are checked.
   */
  readonly onProgress?: OnProgress
}

/**
 * Reads the whole table page by page and checks every invariant. While the service runs, one pass can see only a part
 * of a concurrent change. So a second pass follows if the first finds violations, and only the violations of both
 * passes are reported.
 */
export async function reconcile(options: ReconcileOptions): Promise<Finding[]> {
  const first = await checkAll(options)
  if (first.every(({ violations }) => violations.length === 0)) return first
  const second = await checkAll(options)
  return second.map(({ name, checked, violations }, index) => ({
    name,
    checked,
    violations: violations.filter((violation) => first[index]!.violations.includes(violation)),
  }))
}

/** The grace time of a due record, in milliseconds. A record that is overdue for longer is a violation. */
const OVERDUE_MS = 3_600_000

/** The number of items or groups between two progress reports. */
const PROGRESS_EVERY = 10_000

async function checkAll(options: ReconcileOptions): Promise<Finding[]> {
  const { openSpool, now } = options
  const spool = openSpool()
  try {
    const overdue: Finding = { name: 'due records are processed', checked: 0, violations: [] }
    await fill(spool, overdue, options)
    const findings = checks.map(({ name }) => ({ name, checked: 0, violations: [] as string[] }))
    let webhooks: readonly Fact[] = []
    let [merchant, checked] = ['', 0]
    for (const group of spool.groups()) {
      if (group.merchant !== merchant) webhooks = []
      merchant = group.merchant
      if (group.id === WEBHOOKS) webhooks = group.facts.filter(({ kind }) => kind === 'webhook')
      const found = caseOf(group, webhooks, now())
      for (const [index, check] of checks.entries()) await apply(check, found, findings[index]!, options)
      checked += 1
      if (checked % PROGRESS_EVERY === 0) options.onProgress?.(`${checked} groups checked`)
    }
    return [...findings, overdue]
  } finally {
    spool.close()
  }
}

/** Adds the facts of all items to the spool, page by page, and checks the due time of each item. */
async function fill(spool: Spool, overdue: Finding, options: ReconcileOptions): Promise<void> {
  const { table, merchant: only, onProgress } = options
  let [read, reported] = [0, 0]
  let after: string | undefined
  do {
    const page = await table.scan({ after })
    for (const item of page.items) {
      const merchant = merchantOf(item)
      if (merchant === undefined || (only !== undefined && merchant !== only)) continue
      for (const { id, fact } of factsOf(item)) spool.add(merchant, id, fact)
      lookAtDue(item, overdue, options.now())
    }
    read += page.items.length
    if (read - reported >= PROGRESS_EVERY) {
      onProgress?.(`${read} items read`)
      reported = read
    }
    after = page.next
  } while (after !== undefined)
}

function lookAtDue({ pk, sk, due_at }: Item, overdue: Finding, now: number): void {
  if (!due_at) return
  overdue.checked += 1
  if (Date.parse(due_at) + OVERDUE_MS < now) overdue.violations.push(`${pk} ${sk} is due since ${due_at}`)
}

async function apply(check: Check, found: Case, finding: Finding, { table }: ReconcileOptions): Promise<void> {
  const violations = check.violations(found)
  if (!violations) return
  finding.checked += 1
  for (const violation of violations) {
    const text = await confirmed(violation, table)
    if (text) finding.violations.push(text)
  }
}

async function confirmed(violation: Violation, table: ReconcileOptions['table']): Promise<string | undefined> {
  if (typeof violation === 'string') return violation
  const [item] = await table.get([violation.unless])
  return item ? undefined : violation.text
}
