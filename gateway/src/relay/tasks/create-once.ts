import { repeatedHeader } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import { actOnce, hashOf, markAct, namedKey } from '../../http/once-per-key'
import type { Queries } from '../../platform/store/database'
import type { Caller, IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'

/** Marks the key of a call as used, in the transaction that creates something for it. @throws AppError `act.under_way`. */
export type MarkCreated = (transaction: Queries) => Promise<void>

/** What a client asks for, where it names a key for it. */
export interface Creation {
  /** As `POST /v1/files`. */
  readonly name: string
  /** Tells whether a later call asks for the same. */
  readonly input: string
}

/**
 * Creates something once for each `Idempotency-Key` that a caller names; a repeated call gets the response of the first one.
 * @throws AppError as `actOnce`, `input.invalid`; what `create` throws.
 */
export async function createOnce(
  call: IncomingCall,
  caller: Caller,
  { ctx }: RelayDeps,
  { name, input }: Creation,
  create: (mark: MarkCreated) => Promise<JsonObject>,
): Promise<Response> {
  const key = namedKey(call.request.headers)
  if (key === null) return Response.json(await create(async () => {}))
  const act = {
    id: hashOf(`key ${caller.account.id} ${caller.key?.id ?? 0} ${name} ${key}`),
    input: hashOf(input),
    isCompound: false,
    hasResult: true,
  }
  const acting = { ctx, requestId: call.requestId }
  const { result, repeats } = await actOnce(act, acting, () =>
    create((transaction) => markAct(transaction, act, acting)),
  )
  return Response.json(result, repeats === null ? {} : { headers: { [repeatedHeader]: 'true' } })
}
