import { accountRefusal, groupRefusal, modelRefusal } from '../../accounts/callers/caller-refusal'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Caller, IncomingCall } from '../call'
import { isAddressAllowed } from './ip-list'

/**
 * Refuses a caller who may not call models at all: the key's state, the user's, the address, the group. Needs no body.
 * @throws AppError `key.disabled`, `key.expired`, `key.exhausted`, `caller.banned`, `caller.ip`, `caller.group`, `caller.group_gone`.
 */
export function admitCaller(caller: Caller, call: IncomingCall, ctx: Pick<Context, 'clock'>): void {
  const { key } = caller
  const refusal = accountRefusal(caller, ctx.clock.now())
  if (refusal) throw refusal
  if (key && !isAddressAllowed(key, call.clientIp)) throw new AppError('caller.ip', { params: { ip: call.clientIp } })
  const groupError = groupRefusal(caller, call.catalog.options)
  if (groupError) throw groupError
}

/**
 * Refuses a model that the key is not limited to, whatever channel it is pinned to.
 * @throws AppError `caller.model`.
 */
export function admitModel(caller: Caller, model: string): void {
  const refusal = modelRefusal(caller, model)
  if (refusal) throw refusal
}
