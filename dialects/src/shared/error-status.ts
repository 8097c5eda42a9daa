import type { ErrorView } from '../dialect'

/** What the names of errors mean, in the dialects that name them. */
const byName: ReadonlyMap<string, number> = new Map([
  ['authentication_error', 401],
  ['UNAUTHENTICATED', 401],
  ['billing_error', 402],
  ['insufficient_quota', 429],
  ['permission_error', 403],
  ['PERMISSION_DENIED', 403],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['RESOURCE_EXHAUSTED', 429],
  ['overloaded_error', 529],
  ['UNAVAILABLE', 503],
  ['timeout_error', 504],
  ['DEADLINE_EXCEEDED', 504],
])

/** The HTTP status of an error that came with a good one; null when its name tells nothing. */
export const errorStatus = ({ status, type, code }: ErrorView): number | null =>
  status ?? byName.get(code) ?? byName.get(type) ?? null
