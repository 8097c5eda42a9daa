import { requestIdHeader } from '@tollgate/contract'
import { dialects } from '@tollgate/dialects'

import type { Context } from '../context'
import { countPromptTokens } from '../metering/tokens'
import { admitCaller, admitModel } from './admit'
import { authenticate } from './authenticate'
import type { ModelCall } from './call'
import { readBody } from './read-body'

/**
 * How long a prompt is, counted here: no upstream is asked and nothing is charged.
 * @throws AppError, DialectError
 */
export async function countTokens(call: ModelCall, ctx: Context): Promise<Response> {
  const caller = await authenticate(call, ctx)
  admitCaller(caller, call, ctx)
  const { json } = await readBody(call.request, ctx.config)
  const { count } = dialects[call.dialect]
  if (!count) throw new Error(`No counts in ${call.dialect}`)
  const { model, prompt } = count.read(json, call.place)
  admitModel(caller, model)
  const tokens = await countPromptTokens(prompt, model)
  return Response.json(count.write(tokens), { headers: { [requestIdHeader]: call.requestId } })
}
