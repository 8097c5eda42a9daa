import { messages } from '../anthropic/messages'
import { type Counted, Refusal, type SimulatedResponse } from '../simulated-response'
import type { Call, Dialect } from '../dialect'
import { objectOr, parseJson, type JsonObject } from '../json'
import { converse } from './converse'
import { eventStream } from './event-stream'
import type { StreamEvent, Wire } from '../wire'

const types: ReadonlyMap<number, string> = new Map([
  [400, 'ValidationException'],
  [401, 'UnrecognizedClientException'],
  [403, 'AccessDeniedException'],
  [404, 'ResourceNotFoundException'],
  [408, 'ModelTimeoutException'],
  [424, 'ModelErrorException'],
  [429, 'ThrottlingException'],
  [500, 'InternalServerException'],
  [503, 'ServiceUnavailableException'],
  [529, 'ServiceUnavailableException'],
])

const typeOf = (status: number): string =>
  types.get(status) ?? (status < 500 ? 'ValidationException' : 'InternalServerException')

/** The name of an exception begins with a small letter inside a stream. */
const errorNameOf = (status: number): string => typeOf(status).replace(/^./, (letter) => letter.toLowerCase())

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html */
const bedrockWire: Wire = {
  errorBody: (_status, { message }) => ({ message }),
  errorHeaders: (status) => ({ 'x-amzn-ErrorType': `${typeOf(status)}:http://internal.amazon.com/` }),
  errorEvent: (status, { message }) => ({
    name: errorNameOf(status),
    data: JSON.stringify({ message }),
    isException: true,
  }),
}

const calls = /\/model\/[^/]+\/(?:invoke(?:-with-response-stream)?|converse(?:-stream)?)$/

/** Amazon Bedrock: Claude, and others by Converse. That calls are signed is checked, the signature is not. */
export const bedrock: Dialect = {
  wire: bedrockWire,
  serves: ({ method, path }) => method === 'POST' && calls.test(path),
  respond(call, behaviour) {
    checkSigned(call)
    if (/\/converse(?:-stream)?$/.test(call.path)) return converse(call, behaviour)
    const body = objectOr(call.json)
    checkBody(body)
    const { model, isStream, number } = call
    return onBedrock(messages({ body, model: nameOf(model), isStream, number }, behaviour))
  },
}

function checkSigned({ headers }: Call): void {
  const authorization = headers['authorization'] ?? ''
  if (/^Bearer \S+/.test(authorization)) return
  const isSigned = ['Credential=', 'SignedHeaders=', 'Signature='].every((part) => authorization.includes(part))
  if (!authorization.startsWith('AWS4-HMAC-SHA256 ') || !isSigned)
    throw new Refusal(403, 'Missing Authentication Token')
  if (headers['x-amz-date'] === undefined)
    throw new Refusal(403, 'Authorization header requires existence of X-Amz-Date')
}

function checkBody(body: JsonObject): void {
  if (body['anthropic_version'] !== 'bedrock-2023-05-31') throw new Refusal(400, 'anthropic_version: Field required')
  for (const name of ['model', 'stream']) {
    if (name in body) throw new Refusal(400, `Malformed input request: #: extraneous key [${name}] is not permitted`)
  }
}

/** The model's own name: `us.anthropic.claude-x-v1:0` is called claude-x. */
const nameOf = (id: string): string => id.replace(/^.*anthropic\./, '').replace(/-v\d+(?::\d+)?$/, '')

function onBedrock(response: SimulatedResponse): SimulatedResponse {
  const { counted } = response
  const counts = {
    'x-amzn-bedrock-input-token-count': String(counted?.promptTokens ?? 0),
    'x-amzn-bedrock-output-token-count': String(counted?.completionTokens ?? 0),
  }
  if (response.kind === 'whole') return { ...response, headers: counts }
  return {
    ...response,
    // no pings here
    events: response.events.filter(({ name }) => name !== 'ping'),
    last: response.last && withMetrics(response.last, response.counted),
    headers: { 'x-amzn-bedrock-content-type': 'application/json' },
    framing: eventStream,
  }
}

function withMetrics(last: StreamEvent, { promptTokens, completionTokens }: Counted): StreamEvent {
  const metrics = {
    inputTokenCount: promptTokens,
    outputTokenCount: completionTokens,
    invocationLatency: 100,
    firstByteLatency: 10,
  }
  return {
    ...last,
    data: JSON.stringify({ ...objectOr(parseJson(last.data)), 'amazon-bedrock-invocationMetrics': metrics }),
  }
}
