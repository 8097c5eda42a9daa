import { replayedStream } from '@tollgate/dialects'

import { newResponseId } from '../../http/request/request-id'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import { countSuccess } from '../admission/rate-limits'
import type { BodySource, ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import { callHeaders, streamHeaders } from '../delivery/response-headers'
import { callableModel } from '../side-endpoints/model-list'
import { admitRequest, type Admitted } from '../stages/admit'
import { emptyResponse, shownMembers } from '../tasks/responses/response-object'

/** Returns whether a turn asks for no more than an id to go on from. */
export const isWarmUp = ({ kind }: BodySource, { json }: ParsedBody): boolean =>
  kind === 'turn' && json['generate'] === false

/**
 * Answers with a response without output: no upstream is called and nothing is charged. What was said stays in the memory of the socket.
 * @throws AppError `caller.model`, `model.unknown`; DialectError
 */
export async function warmUp(
  call: ModelCall,
  { caller, rates, body }: Admitted,
  { ctx, limiter }: RelayDeps,
): Promise<Response> {
  const { model } = admitRequest(call, caller, body, ctx)
  callableModel(model, caller, call)
  await countSuccess(limiter, rates)
  const now = ctx.clock.seconds()
  const response = {
    ...emptyResponse(model),
    ...shownMembers(body.json),
    id: newResponseId(ctx, 'resp_'),
    created_at: now,
    store: false,
    status: 'completed',
    completed_at: now,
    usage: noTokens,
  }
  return new Response(replayedStream(response), { headers: streamHeaders(callHeaders(call)) })
}

const noTokens = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}
