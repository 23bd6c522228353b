import type { Route } from '#shared/routes.ts'

/** The bodies of earlier responses, by the name of their step. */
// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
export type Known = Readonly<Record<string, any>>

/** The request of a step: the parameters of the path, and the body of a write or the query of a GET. */
export interface ExampleRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly content?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** A file that is sent as the part `paper` of a multipart body. Each character of `text` is a byte. */
  readonly file?: { readonly name: string; readonly text: string; readonly type: string }
}

/** A request of the scenario, which becomes an example of its row. */
export interface ExampleStep {
  /** The name of the example. It is unique in the scenario. */
  readonly name: string
  readonly route: Route
  /** What the example shows. */
  readonly summary: string
  /** Absent: a request without parameters. */
  readonly request?: (known: Known) => ExampleRequest
  /** The expected status, if it is not 200. A step with another status fails. */
  readonly status?: number
}

/** Something that happens between requests: time passes, or a customer pays in cash. */
export type Meanwhile =
  | { readonly advance_seconds: number }
  | { readonly pays: (known: Known) => string }
  | { readonly completes_refund_request: (known: Known) => string }

/** A step of the scenario. */
export type ScenarioStep = ExampleStep | Meanwhile

/** The parameters of a path that has only an id: the id of the resource that an earlier step returned. */
export const idOf = (name: string) => (known: Known) => ({ params: { id: known[name].id as string } })

/** Stands for the origin of the merchant's own server in requests, which receives the webhooks. */
export const SHOP = 'https://tea.example.com'
