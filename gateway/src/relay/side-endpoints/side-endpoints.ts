import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { admitCaller } from '../admission/admit-caller'
import { keyCaller } from '../stages/authenticate'
import { subscription, usage } from './billing'
import { credits, generation, keyFacts } from './openrouter'
import type { Caller, IncomingCall } from '../call'
import { decoded } from '../stages/endpoint'
import { isUnsupported } from './unsupported'
import { unknownAddress, unsupportedAddress } from '../errors/failure'
import { callableModels, modelList, oneModel } from './model-list'
import { loadedModels, ollamaVersion } from './ollama-shapes'
import type { RelayDeps } from '../call-context'
import { callHeaders } from '../delivery/call-headers'

type Answer = (caller: Caller, call: IncomingCall, ctx: Context) => unknown

const models: Answer = (caller, call) => modelList(caller, call)

/** Endpoints that a key can read, besides calling models. */
const readable = new Map<string, Answer>([
  ['/v1/models', models],
  ['/v1beta/models', models],
  ['/v1/models/user', models],
  ['/v1/models/count', (caller, call) => ({ data: { count: callableModels(caller, call.catalog).length } })],
  ['/v1/embeddings/models', (caller, call) => modelList(caller, call, 'embedding')],
  ['/api/tags', models],
  ['/api/ps', () => loadedModels],
  ['/api/version', () => ollamaVersion],
  ['/v1/key', keyFacts],
  ['/v1/auth/key', keyFacts],
  ['/v1/credits', credits],
  ['/v1/generation', generation],
  ['/dashboard/billing/subscription', subscription],
  ['/v1/dashboard/billing/subscription', subscription],
  ['/dashboard/billing/usage', usage],
  ['/v1/dashboard/billing/usage', usage],
])

const longestPath = 200

const oneModelStart = /^\/v1(?:beta)?\/models\//
/** OpenRouter's, which wraps the model. */
const wrappedModelStart = /^\/v1\/model\//
/** Google's calls name what is to be done behind the model. */
const action = /:[A-Za-z]+$/

/** Handles a request that calls no model. @throws AppError, also for unknown addresses. */
export async function side(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const { ctx } = deps
  const { method, path } = call
  if (isUnsupported(method, path)) {
    deps.refusals.note(new AppError('endpoint.unsupported', { params: { path: path.slice(0, longestPath) } }), call)
    return unsupportedAddress(call)
  }
  const isModel = oneModelStart.test(path) && !(method === 'POST' && action.test(path))
  const answer = readable.get(path) ?? (isModel ? namedModel : wrappedModelStart.test(path) ? wrappedModel : undefined)
  if (!answer) {
    deps.refusals.note(new AppError('endpoint.unknown', { params: { path: path.slice(0, longestPath) } }), call)
    return unknownAddress(call)
  }
  if (method !== 'GET' && method !== 'HEAD')
    throw new AppError('endpoint.method', { params: { method, allowed: 'GET' } })
  const caller = await keyCaller(call, deps)
  admitCaller(caller, call, ctx)
  return Response.json(await answer(caller, call, ctx), { headers: callHeaders(call) })
}

const namedModel: Answer = (caller, call) => oneModel(decoded(call.path.replace(oneModelStart, '')), caller, call)

const wrappedModel: Answer = (caller, call) => ({
  data: oneModel(decoded(call.path.replace(wrappedModelStart, '')), caller, call),
})
