import type { EndpointDefinition } from '#shared/http/endpoint.ts'
import { type Method, type Route, servedRoutes } from '#shared/routes.ts'
import { type HandlerComment, handlerComment } from './handler-comments.ts'

/** An endpoint of the route table with its definition and the comment of its handler. */
export interface DocumentedEndpoint extends EndpointDefinition, HandlerComment {
  readonly route: Route
  readonly method: Method
  readonly path: string
  readonly file: string
}

/** Imports the handler of every row and returns the documented endpoints, in the order of the table. */
export function documentedEndpoints(): Promise<DocumentedEndpoint[]> {
  return Promise.all(
    servedRoutes().map(async (row) => {
      const { handler } = await import(new URL(`../../functions/${row.file}.ts`, import.meta.url).href)
      return { ...(handler.definition as EndpointDefinition), ...row, ...handlerComment(row.file) }
    }),
  )
}
