import { dialects } from '@tollgate/dialects'
import { requestIdHeader } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { areaOf } from '../../http/console-files/areas'
import { admit, admitCaller, admitModel } from '../stages/admit'
import { authenticate, keyCaller, presentedKey } from '../stages/authenticate'
import { subscription, usage } from './billing'
import { credits, generation, keyFacts } from './openrouter'
import type { Caller, IncomingCall, ModelCall } from '../call'
import { decodePathPart } from '../stages/endpoint'
import { unknownAddress, unsupportedAddress } from '../errors/failure'
import { callableModel, callableModels, modelList, oneModel } from './model-list'
import { loadedModels, ollamaDescription, ollamaVersion, requireModel } from './ollama-shapes'
import type { RelayDeps } from '../call-context'
import { aliasedModels } from '../../channels/routing/aliases'
import { callHeaders } from '../delivery/response-headers'
import { countPromptTokens } from '../../billing/metering/tokens'
import { countSuccess } from '../admission/rate-limits'
import { countedRequest } from '../turns/counted-request'
import { listedModel } from './listed-model'

type ReadHandler = (caller: Caller, call: IncomingCall, ctx: Context) => unknown

const models: ReadHandler = (caller, call) => modelList(caller, call)

/** Endpoints that a key can read, besides calling models. */
const readable = new Map<string, ReadHandler>([
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

const maxPathLength = 200

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
    deps.refusals.note(new AppError('endpoint.unsupported', { params: { path: path.slice(0, maxPathLength) } }), call)
    return unsupportedAddress(call)
  }
  const isModel = oneModelStart.test(path) && !(method === 'POST' && action.test(path))
  const handler = readable.get(path) ?? (isModel ? namedModel : wrappedModelStart.test(path) ? wrappedModel : undefined)
  if (!handler) {
    if (isRefusedCall(call))
      deps.refusals.note(new AppError('endpoint.unknown', { params: { path: path.slice(0, maxPathLength) } }), call)
    return unknownAddress(call)
  }
  if (method !== 'GET' && method !== 'HEAD')
    throw new AppError('endpoint.method', { params: { method, allowed: 'GET' } })
  const caller = await keyCaller(call, deps)
  admitCaller(caller, call, ctx)
  return Response.json(await handler(caller, call, ctx), { headers: callHeaders(call) })
}

/** A request without a key for an address outside the API is for a page: of visitors who mistype, and of scanners. */
const isRefusedCall = ({ request, query }: IncomingCall): boolean =>
  areaOf(request.url) !== 'pages' || presentedKey(request.headers, query) !== null

const namedModel: ReadHandler = (caller, call) =>
  oneModel(decodePathPart(call.path.replace(oneModelStart, '')), caller, call)

const wrappedModel: ReadHandler = (caller, call) => ({
  data: oneModel(decodePathPart(call.path.replace(wrappedModelStart, '')), caller, call),
})

/**
 * Counts the tokens of a prompt locally: no upstream is called and nothing is charged, but it takes time, so rate limits apply and an
 * empty balance is refused.
 * @throws AppError, DialectError
 */
export async function countTokens(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const caller = await authenticate(call, deps)
  using room = deps.inFlight.memory.open(caller.payer.userId)
  const { rates, body: clientBody } = await admit(call, { caller, room }, deps)
  const { count } = dialects[call.dialect]
  if (!count) throw new Error(`No counts in ${call.dialect}`)
  const { body, vendorTokens } =
    call.dialect === 'openai-responses'
      ? await countedRequest({ call, caller, body: clientBody, ctx: deps.ctx })
      : { body: clientBody, vendorTokens: 0 }
  const { model, prompt } = count.read(body.json, call.pathContext)
  call.findings.model = model
  admitModel(caller, model)
  const [counted = model] = aliasedModels(call.catalog, caller.group, model)
  const tokens = vendorTokens + (await countPromptTokens(prompt, counted))
  await countSuccess(deps.limiter, rates)
  return Response.json(count.write(tokens), { headers: callHeaders(call) })
}

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

/**
 * Calls of the vendors' APIs that no channel can serve, by the beginning of their path. What they make is kept by one vendor, and no
 * later call tells which of several channels that was.
 */
const unsupported: readonly string[] = [
  '/v1/assistants',
  '/v1/containers',
  '/v1/evals',
  '/v1/fine-tunes',
  '/v1/fine_tuning',
  '/v1/realtime/calls',
  '/v1/realtime/sessions',
  '/v1/realtime/transcription_sessions',
  '/v1/realtime/translations',
  '/v1/threads',
  '/v1/uploads',
  '/v1/vector_stores',
  '/v1/videos/characters',
  '/v1/videos/edits',
  '/v1/videos/extensions',
  '/upload/v1beta/files',
  '/v1beta/batches',
  '/v1beta/cachedContents',
  '/v1beta/corpora',
  '/v1beta/files',
  '/v1beta/fileSearchStores',
  '/v1beta/interactions',
  '/v1beta/tunedModels',
]

const modelAction =
  /^\/v1(?:beta|alpha)?\/models\/[^/]+:(?:batchGenerateContent|asyncBatchEmbedContent|predictLongRunning)$/

/** Returns whether a path without an endpoint belongs to a call of a vendor's API that is not served. */
function isUnsupported(method: string, path: string): boolean {
  if (unsupported.some((start) => path === start || path.startsWith(`${start}/`))) return true
  if (path.startsWith('/v1/responses/') || modelAction.test(path)) return true
  return method === 'DELETE' && path.startsWith('/v1/models/')
}
