import type { EndpointDefinition } from '#shared/http/endpoint.ts'
import { type Method, type Route, servedRoutes } from '#shared/routes.ts'
import { type HandlerComment, handlerComment } from './handler-comments.ts'

/** All that the API description needs to know about a row of the route table. */
export interface DescribedEndpoint extends EndpointDefinition, HandlerComment {
  readonly route: Route
  readonly method: Method
  readonly path: string
  readonly file: string
}

/** Imports the handler of every row and returns the definitions of the endpoints, in the order of the table. */
export function describedEndpoints(): Promise<DescribedEndpoint[]> {
  return Promise.all(
    servedRoutes().map(async (row) => {
      const { handler } = await import(new URL(`../../functions/${row.file}.ts`, import.meta.url).href)
      return { ...(handler.definition as EndpointDefinition), ...row, ...handlerComment(row.file) }
    }),
  )
}
