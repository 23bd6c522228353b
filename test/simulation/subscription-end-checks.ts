import { timestamp } from '#shared/domain/timestamp.ts'
import { movementsPk } from '#shared/store/keys.ts'
import type { Shared } from './platform.ts'
import type { SubscriptionInvariants } from './subscription-invariants.ts'
import { dueOf, type Model, missedOf } from './subscription-model.ts'
import { HOUR } from './world.ts'

/** The input of the checks at the end of a history. */
export interface CheckedSubscriptions {
  readonly model: Model
  readonly invariants: SubscriptionInvariants
  readonly shared: Shared
  readonly merchant: string
}

/** Checks what must hold at the end of a history, long after the last fault. */
export function checkEnd(checked: CheckedSubscriptions): void {
  const { model, invariants, shared, merchant } = checked
  checkWorkDone(checked)
  checkMoney(checked)
  const moved = (shared.memory.items.get(movementsPk(merchant)) ?? []).map(({ of }) => String(of))
  const [wrong] = new Set(moved).symmetricDifference(new Set(paidOf(model)))
  invariants.check('settlement_movements', wrong === undefined, () => `missing or wrong: ${wrong}`)
}

const paidOf = (model: Model): string[] => [...model.plans.values()].flatMap(({ paid }) => paid)

function checkWorkDone({ model, invariants, shared: { memory, world } }: CheckedSubscriptions): void {
  const recent = world.now - HOUR
  for (const process of world.running) invariants.broken('processes_end', `${process.name} still runs`)
  for (const plan of model.running) {
    const due = dueOf(plan)
    const is_forgotten = due === undefined || due < recent
    const is_behind = plan.status === 'active' && missedOf(plan, recent) > 0
    const seen = () => `${plan.id} is ${plan.status} at interval ${plan.interval}, due at ${due && timestamp(due)}`
    invariants.check('all_work_done', !is_forgotten && !is_behind, seen)
  }
  for (const { pk, due_at } of [...memory.due_index.shards.values()].flat()) {
    const is_waiting = pk.startsWith('subscription#') && Date.parse(due_at) >= recent
    invariants.check('all_work_done', is_waiting, () => `${pk} is still due at ${due_at}`)
  }
}

function checkMoney({ model, invariants }: CheckedSubscriptions): void {
  const check = (holds: boolean, seen: () => string) => invariants.check('charge_captured_or_voided', holds, seen)
  const charges = [...model.charges]
  const captured = [...model.payments.values()].filter(({ status }) => status === 'captured')
  const kept = new Set(captured.map(({ id }) => id))
  check(
    paidOf(model).toSorted().join() === [...kept].sort().join(),
    () => 'captured payments are not all paid intervals',
  )
  for (const { id, amount } of captured) {
    const times = charges.filter(([, { payment, outcome }]) => payment === id && outcome === 'captured').length
    check(times === (amount > 0 ? 1 : 0), () => `${id} is captured and was charged ${times} times`)
    check(!model.voided.has(id), () => `${id} is captured and voided`)
  }
  for (const [key, { outcome, payment }] of charges) {
    const is_lost = outcome === 'captured' && !kept.has(payment!) && !model.voided.has(payment!)
    check(!is_lost, () => `${key} is charged, and neither captured nor voided`)
  }
}
