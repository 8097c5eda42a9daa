import { requestIdHeader } from '@tollgate/contract'

import { countSuccess } from '../admission/rate-limits'
import type { ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import { admit } from '../stages/admit'
import { authenticate } from '../stages/authenticate'
import { callableModel } from './model-list'
import { listedModel } from './listed-model'
import { ollamaDescription } from './ollama-shapes'
import { requireModel } from './require-model'

/**
 * `POST /api/show` of Ollama: what a model can do, by which its clients decide what they offer. Rate limits apply.
 * @throws AppError, DialectError
 */
export async function describeModel(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const asking = await authenticate(call, deps)
  using room = deps.inFlight.memory.open(asking.payer.userId)
  const { caller, rates, body } = await admit(call, { caller: asking, room }, deps)
  const named = requireModel(body.json)
  call.findings.model = named
  const id = callableModel(named, caller, call)
  const described = ollamaDescription(listedModel(id, caller, call.catalog))
  await countSuccess(deps.limiter, rates)
  return Response.json(described, { headers: { [requestIdHeader]: call.requestId } })
}
