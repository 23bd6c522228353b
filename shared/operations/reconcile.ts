import type { Item, WholeTable } from '#shared/platform/ports.ts'
import { type Case, type Check, caseOf, checks, type Violation } from './checks.ts'
import { factsOf, merchantOf, WEBHOOKS } from './facts.ts'
import type { OnProgress } from './find-items.ts'
import type { Fact, Spool } from './spool.ts'

/** What came of one check: of how many things it had something to say, and what is wrong with them. */
export interface Finding {
  readonly name: string
  checked: number
  readonly violations: string[]
}

export interface ReconcileOptions {
  readonly table: Pick<WholeTable, 'scan' | 'get'>
  /** A new one for each look at the table. */
  readonly openSpool: () => Spool
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Only what belongs to this merchant. */
  readonly merchant?: string
  /** Told from time to time how many items, and then how many things, were looked at. */
  readonly onProgress?: OnProgress
}

/**
 * Looks through all that a table holds, page by page, for what cannot be. While the service runs, a change may lie half
 * before and half behind a look; so what seems wrong is looked at a second time, and only what is wrong twice is told.
 */
export async function reconcile(options: ReconcileOptions): Promise<Finding[]> {
  const first = await lookThrough(options)
  if (first.every(({ violations }) => violations.length === 0)) return first
  const second = await lookThrough(options)
  return second.map(({ name, checked, violations }, index) => ({
    name,
    checked,
    violations: violations.filter((violation) => first[index]!.violations.includes(violation)),
  }))
}

/** How late anything may be before somebody must look. */
const OVERDUE_MS = 3_600_000

/** How many items or things are looked at between two reports of progress. */
const PROGRESS_EVERY = 10_000

async function lookThrough(options: ReconcileOptions): Promise<Finding[]> {
  const { openSpool, now } = options
  const spool = openSpool()
  try {
    const overdue: Finding = { name: 'what falls due is done', checked: 0, violations: [] }
    await fill(spool, overdue, options)
    const findings = checks.map(({ name }) => ({ name, checked: 0, violations: [] as string[] }))
    let webhooks: readonly Fact[] = []
    let [merchant, looked_at] = ['', 0]
    for (const group of spool.groups()) {
      if (group.merchant !== merchant) webhooks = []
      merchant = group.merchant
      if (group.id === WEBHOOKS) webhooks = group.facts.filter(({ kind }) => kind === 'webhook')
      const found = caseOf(group, webhooks, now())
      for (const [index, check] of checks.entries()) await apply(check, found, findings[index]!, options)
      looked_at += 1
      if (looked_at % PROGRESS_EVERY === 0) options.onProgress?.(`${looked_at} things checked`)
    }
    return [...findings, overdue]
  } finally {
    spool.close()
  }
}

/** Hands all that the items say to the spool, a page at a time. */
async function fill(spool: Spool, overdue: Finding, options: ReconcileOptions): Promise<void> {
  const { table, merchant: only, onProgress } = options
  let [read, told] = [0, 0]
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
    if (read - told >= PROGRESS_EVERY) {
      onProgress?.(`${read} items read`)
      told = read
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
