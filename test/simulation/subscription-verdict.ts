import { movementsPk } from '#shared/store/keys.ts'
import { HOUR, type World } from './delivery-world.ts'
import type { MemoryTable } from './memory-table.ts'
import { dueOf, type Model, missedOf } from './subscription-model.ts'

/** What must be so of a history that has come to its end, after all that went wrong was long over. */
export function judge(model: Model, memory: MemoryTable, world: World, merchant: string): void {
  judgeTime(model, memory, world)
  judgeMoney(model)
  const moved = (memory.items.get(movementsPk(merchant)) ?? []).map(({ of }) => String(of))
  const captured = [...model.plans.values()].flatMap(({ paid }) => paid)
  if (moved.sort().join() !== captured.sort().join()) model.complain('what is to be settled is not what was captured')
}

/** Nothing is forgotten, and nothing waits that should have been done. */
function judgeTime(model: Model, memory: MemoryTable, world: World): void {
  const recent = world.now - HOUR
  for (const process of world.running) model.complain(`${process.name} never ended`)
  for (const plan of model.living) {
    const due = dueOf(plan)
    if (due === undefined || due < recent) model.complain(`${plan.id} is forgotten at interval ${plan.interval}`)
    if (plan.status === 'active' && missedOf(plan, recent) > 0) model.complain(`${plan.id} has missed periods`)
  }
  for (const { pk, due_at } of [...memory.due_index.shards.values()].flat())
    if (!pk.startsWith('subscription#') || Date.parse(due_at) < recent)
      model.complain(`${pk} is still due at ${due_at}`)
}

/** Each charge that the acquirer took is one captured payment of its subscription, or was given back. */
function judgeMoney(model: Model): void {
  const charges = [...model.charges]
  const captured = [...model.payments.values()].filter(({ status }) => status === 'captured')
  const kept = new Set(captured.map(({ id }) => id))
  const paid = [...model.plans.values()].flatMap((plan) => plan.paid)
  if (paid.toSorted().join() !== [...kept].sort().join())
    model.complain('the captured payments are not those of the subscriptions')
  for (const { id, amount } of captured) {
    const times = charges.filter(([, { payment, outcome }]) => payment === id && outcome === 'captured').length
    if (times !== (amount > 0 ? 1 : 0)) model.complain(`${id} is captured and was charged ${times} times`)
    if (model.voided.has(id)) model.complain(`${id} is captured and given back`)
  }
  for (const [key, { outcome, payment }] of charges)
    if (outcome === 'captured' && !kept.has(payment!) && !model.voided.has(payment!))
      model.complain(`${key} is not given back`)
}
