import { requestIdHeader } from '@tollgate/contract'

import type { ParsedBody } from '../../channels/calls/parsed-body'
import { countSuccess } from '../admission/rate-limits'
import type { ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import type { Admitted } from '../stages/admit'
import { callableModel } from './model-list'
import { ollamaLoad, ollamaUnload, requireModel } from './ollama-shapes'

/** Returns whether an Ollama client asks nothing of a model but to be loaded or unloaded, as `ollama stop` does. */
export function isLoadRequest({ dialect }: Pick<ModelCall, 'dialect'>, { json }: ParsedBody): boolean {
  if (dialect === 'ollama-chat') return isEmpty(json['messages'])
  return dialect === 'ollama-generate' && isEmpty(json['prompt']) && isEmpty(json['images'])
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Answers that a model is loaded, or unloaded where it shall be kept for no time. Nothing is held in memory here, and nothing is charged.
 * https://docs.ollama.com/api/generate
 * @throws AppError `model.unknown`; DialectError
 */
export async function loadModel(
  call: ModelCall,
  { caller, rates, body: { json } }: Admitted,
  { ctx, limiter }: RelayDeps,
): Promise<Response> {
  const named = requireModel(json)
  call.findings.model = named
  callableModel(named, caller, call)
  const createdAt = new Date(ctx.clock.now()).toISOString()
  const emptyContent =
    call.dialect === 'ollama-chat' ? { message: { role: 'assistant', content: '' } } : { response: '' }
  await countSuccess(limiter, rates)
  const ended = isNoTime(json['keep_alive']) ? ollamaUnload : ollamaLoad
  return Response.json(
    { model: named, created_at: createdAt, ...emptyContent, ...ended },
    { headers: { [requestIdHeader]: call.requestId } },
  )
}

/** A number of seconds, or a duration as Go writes it. */
const isNoTime = (keepAlive: unknown): boolean =>
  keepAlive === 0 || (typeof keepAlive === 'string' && /^0+(?:\.0*)?(?:ns|us|µs|ms|s|m|h)?$/.test(keepAlive))
