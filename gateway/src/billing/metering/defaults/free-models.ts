import { providers } from '@tollgate/providers'

const suggested = (isFree: boolean): string[] =>
  providers.filter((provider) => (provider.isFree === true) === isFree).flatMap(({ models }) => models)

const sold = new Set(suggested(false))

/** Models that run on the operator's own machines, and that no vendor who charges for them suggests under the same name. */
export const freeModels: ReadonlySet<string> = new Set(suggested(true).filter((name) => !sold.has(name)))
