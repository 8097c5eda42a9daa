import { dialects } from '@tollgate/dialects'

import { countPromptTokens } from '../../billing/metering/tokens'
import { admitModel } from '../admission/admit-caller'
import type { ModelCall } from '../call'
import { admit } from '../stages/admit'
import { authenticate } from '../stages/authenticate'
import { countSuccess } from '../admission/rate-limits'
import type { RelayDeps } from '../call-context'
import { callHeaders } from '../delivery/call-headers'

/**
 * Counts the tokens of a prompt locally: no upstream is called and nothing is charged, but it takes time, so rate limits apply and an
 * empty balance is refused.
 * @throws AppError, DialectError
 */
export async function countTokens(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const caller = await authenticate(call, deps)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  const { rates, body } = await admit(call, { caller, room }, deps)
  const { count } = dialects[call.dialect]
  if (!count) throw new Error(`No counts in ${call.dialect}`)
  const { model, prompt } = count.read(body.json, call.place)
  call.findings.model = model
  admitModel(caller, model)
  const tokens = await countPromptTokens(prompt, model)
  await countSuccess(deps.limiter, rates)
  return Response.json(count.write(tokens), { headers: callHeaders(call) })
}
