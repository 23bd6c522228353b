import type { Outcome } from '#shared/domain/payment.ts'
import type { Item } from '#shared/platform/ports.ts'
import type { Api } from '#test/fixtures/api.ts'

/** Returns all events of a resource, oldest first, as the API lists them. */
export async function eventsOf(
  api: Api,
  id: string,
  key = api.test.secret_key,
): Promise<{ type: string; data: object }[]> {
  const { body } = await api.request('GET /events?per_page=100', { key })
  if (body.last_page > 1) throw new Error('there are more events than one page shows')
  const events = body.data as { type: string; data: { id: string } }[]
  return events.filter((event) => event.data.id === id).reverse()
}

/** Returns the types of all events of a resource, oldest first. */
export const eventTypesOf = async (api: Api, id: string, key?: string): Promise<string[]> =>
  (await eventsOf(api, id, key)).map(({ type }) => type)

/** Returns the operations of a payment in the sandbox acquirer's ledger, in the order of the attempts. */
export const ledgerOf = (
  api: Api,
  payment: string,
): { operation: string; amount: number; result: Outcome['result'] }[] =>
  itemsOf(api, 'sandbox')
    .filter(({ pk }) => pk.includes(payment))
    .map(({ operation, amount, outcome }) => ({
      operation: operation as string,
      amount: amount as number,
      result: (outcome as unknown as Outcome).result,
    }))

/** Returns the items of the table whose key begins with this kind. */
export const itemsOf = (api: Api, kind: string): Item[] =>
  [...api.platform.table.items()].filter(({ pk }) => pk.startsWith(`${kind}#`))

/** Returns all items of the table as text. */
export const allKept = (api: Api): string => JSON.stringify([...api.platform.table.items()])

/** Sets the outcome of the next operation on a payment, as if the acquirer had executed the operation before. */
export async function foretell(api: Api, payment: string, outcome: Outcome, merchant = api.test.id): Promise<void> {
  const [item] = await api.platform.table.get([{ pk: `payment#${merchant}#${payment}`, sk: 'payment' }])
  const key = { pk: `sandbox#${merchant}#${payment}-${item!.version + 1}`, sk: 'sandbox' }
  await api.platform.table.write([{ put: { ...key, version: 1, operation: 'foretold', amount: 0, outcome } }])
}

/** Returns the status of a response, and the code and parameter of its error. */
export const refusalIn = ({
  status,
  body,
}: {
  status: number
  body: { error?: { code: string; param: string | null } }
}) => ({
  status,
  code: body.error?.code,
  param: body.error?.param,
})
