import { messages } from '../anthropic/messages'
import { anthropicWire } from '../anthropic/wire'
import type { Call, Dialect } from '../dialect'
import { geminiAction } from '../gemini/dialect'
import { geminiWire } from '../gemini/wire'
import { objectOr, parseJson, textOr, type JsonObject } from '../json'
import { chat } from '../openai/chat'
import { Refusal, type SimulatedResponse, whole } from '../simulated-response'

const place = '/projects/[^/]+/locations/[^/]+'
const google = new RegExp(`${place}/publishers/google/models/[^/]+:\\w+$`)
const anthropic = new RegExp(`${place}/publishers/anthropic/models/[^/]+:(?:stream)?[rR]awPredict$`)
const openapi = new RegExp(`${place}/endpoints/openapi/chat/completions$`)

/** Google's models, and others in OpenAI's form, on Vertex AI, with the tokens that let in to it. */
export const vertex: Dialect = {
  wire: geminiWire,
  serves: (call) => isTokenCall(call) || google.test(call.path) || openapi.test(call.path),
  isAside: isTokenCall,
  respond(call, behaviour) {
    if (isTokenCall(call)) return token(call)
    checkToken(call)
    return openapi.test(call.path) ? chat(objectOr(call.json), behaviour, call.number) : geminiAction(call, behaviour)
  },
}

/** Claude on Vertex AI. */
export const vertexAnthropic: Dialect = {
  wire: anthropicWire,
  serves: ({ path }) => anthropic.test(path),
  respond(call, behaviour) {
    checkToken(call)
    const body = objectOr(call.json)
    if (body['anthropic_version'] !== 'vertex-2023-10-16') throw new Refusal(400, 'anthropic_version: Field required')
    if ('model' in body) throw new Refusal(400, 'model: Extra inputs are not permitted')
    const { model, isStream, number } = call
    return messages({ body, model: model.replace('@', '-'), isStream, number }, behaviour)
  },
}

function checkToken({ headers, query }: Call): void {
  const isLetIn = /^Bearer \S+/.test(headers['authorization'] ?? '') || new URLSearchParams(query).has('key')
  if (!isLetIn) throw new Refusal(401, 'Request is missing required authentication credential.')
}

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

function isTokenCall({ method, path }: Call): boolean {
  return method === 'POST' && path.endsWith('/token')
}

/** Gives a token for the assertion of a service account; it names the account. The signature is not checked. */
function token({ body, headers }: Call): SimulatedResponse {
  const form = headers['content-type']?.includes('json')
    ? objectOr(parseJson(body))
    : Object.fromEntries(new URLSearchParams(body))
  if (form['grant_type'] !== grant) return refuse('unsupported_grant_type', 'Invalid grant_type')
  const claims = claimsIn(textOr(form['assertion'], ''))
  const missing = ['iss', 'scope', 'aud', 'iat', 'exp'].find((name) => claims[name] === undefined)
  if (missing) return refuse('invalid_grant', `Required claim is missing: ${missing}`)
  return whole({ access_token: `ya29.${textOr(claims['iss'], '')}`, expires_in: 3599, token_type: 'Bearer' })
}

const refuse = (error: string, description: string): SimulatedResponse =>
  whole({ error, error_description: description }, null, null, 400)

function claimsIn(assertion: string): JsonObject {
  const [, claims = '', signature = ''] = assertion.split('.')
  return signature === '' ? {} : objectOr(parseJson(Buffer.from(claims, 'base64url').toString()))
}
