import { Refusal, type SimulatedResponse, whole } from '../simulated-response'
import { plainRequest } from '../generation-request'
import type { Behaviour } from '../behaviour'
import type { Dialect } from '../dialect'
import { objectOr, textOr, type JsonObject } from '../json'
import { promptTokensOf } from '../usage-report'
import { generationFor } from '../generation'

const documents = [{ title: 'The manual', url: 'https://docs.example/manual' }]

/** AI Proxy's libraries of documents. They report no usage. */
export const aiProxy: Dialect = {
  wire: { errorBody: (status, { message }) => ({ success: false, errCode: status, message }) },
  serves: ({ method, path }) => method === 'POST' && path.endsWith('/api/library/ask'),
  respond: ({ json, number }, behaviour) => queryLibrary(objectOr(json), number, behaviour),
}

function queryLibrary(body: JsonObject, number: number, behaviour: Behaviour): SimulatedResponse {
  if (textOr(body['libraryId'], '') === '') throw new Refusal(400, 'libraryId is required')
  const prompt = [body['query']]
  const speech = generationFor({ ...plainRequest, prompt }, behaviour)
  const counted = {
    promptTokens: promptTokensOf(prompt),
    completionTokens: speech.completionTokens,
    reported: undefined,
  }
  const responseId = `aiproxy-sim${number}`
  const model = textOr(body['model'], '')
  if (body['stream'] !== true)
    return whole(
      { success: true, answer: speech.pieces.join(''), documents, errCode: 0, message: '' },
      counted,
      responseId,
    )
  const eventOf = (members: JsonObject) => ({ data: JSON.stringify({ finish: false, model, ...members }) })
  const events = speech.pieces.map((content) => eventOf({ content }))
  return { kind: 'stream', events, last: eventOf({ content: '', finish: true, documents }), counted, responseId }
}
