import { requestIdHeader } from '@tollgate/contract'
import { dialects } from '@tollgate/dialects'

import { countPromptTokens } from '../../metering/tokens'
import { admitModel } from '../stages/admit'
import type { ModelCall } from '../call'
import { identify } from '../admission/identify'
import { countSuccess } from '../admission/rate-limits'
import type { RelayParts } from '../call-context'

/**
 * How long a prompt is, counted here: no upstream is asked and nothing is charged, but it takes time, so the limits on calls
 * hold and it is not for those whose balance is empty.
 * @throws AppError, DialectError
 */
export async function countTokens(call: ModelCall, parts: RelayParts): Promise<Response> {
  const { caller, rates, body } = await identify(call, parts)
  const { count } = dialects[call.dialect]
  if (!count) throw new Error(`No counts in ${call.dialect}`)
  const { model, prompt } = count.read(body.json, call.place)
  admitModel(caller, model)
  const tokens = await countPromptTokens(prompt, model)
  await countSuccess(parts.limiter, rates)
  return Response.json(count.write(tokens), { headers: { [requestIdHeader]: call.requestId } })
}
