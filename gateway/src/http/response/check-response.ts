import type { Route } from '@tollgate/contract'
import { z } from 'zod'

import { strict } from '../request/strict'

/** A response that does not match the contract. Only tests check this. */
export class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch'
}

/** @throws ResponseMismatch when the response of a handler has other fields or types than its route says. */
export function checkResponse(route: Route, data: unknown, envelopeFields: unknown): void {
  checkPart(route, 'data', route.data, data)
  checkPart(route, 'envelopeFields', route.envelopeFields, envelopeFields)
}

function checkPart(route: Route, part: string, schema: z.ZodType | undefined, value: unknown) {
  if (!schema && value === undefined) return
  // As it will arrive.
  const sent: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value))
  const result = strict(schema ?? z.undefined()).safeParse(sent)
  if (result.success) return
  throw new ResponseMismatch(
    `${route.method} ${route.path} responds with a wrong ${part}: ${z.prettifyError(result.error)}`,
  )
}
