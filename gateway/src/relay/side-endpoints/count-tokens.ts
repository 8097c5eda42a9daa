import { requestIdHeader } from '@tollgate/contract'
import { dialects } from '@tollgate/dialects'

import { countPromptTokens } from '../../metering/tokens'
import { admitModel } from '../admission/admit-caller'
import type { ModelCall } from '../call'
import { admit } from '../stages/admit'
import { authenticate } from '../stages/authenticate'
import { countSuccess } from '../admission/rate-limits'
import type { RelayDeps } from '../call-context'

/**
 * How long a prompt is, counted here: no upstream is asked and nothing is charged, but it takes time, so the limits on calls
 * hold and it is not for those whose balance is empty.
 * @throws AppError, DialectError
 */
export async function countTokens(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const { caller, rates, body } = await admit(call, await authenticate(call, deps), deps)
  const { count } = dialects[call.dialect]
  if (!count) throw new Error(`No counts in ${call.dialect}`)
  const { model, prompt } = count.read(body.json, call.place)
  admitModel(caller, model)
  const tokens = await countPromptTokens(prompt, model)
  await countSuccess(deps.limiter, rates)
  return Response.json(count.write(tokens), { headers: { [requestIdHeader]: call.requestId } })
}
