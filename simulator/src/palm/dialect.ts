import { Refusal, type SimulatedResponse, whole } from '../simulated-response'
import { plainRequest } from '../generation-request'
import type { Behaviour } from '../behaviour'
import type { Dialect } from '../dialect'
import { geminiWire } from '../gemini/wire'
import { generationFor } from '../generation'
import { listOr, objectOr, textOr, type JsonObject } from '../json'
import { promptTokensOf } from '../usage-report'

/** Google's models before Gemini, in one piece and without usage. */
export const palm: Dialect = {
  wire: geminiWire,
  serves: ({ method, path }) => method === 'POST' && path.endsWith(':generateMessage'),
  respond: ({ json, number }, behaviour) => generateMessage(objectOr(json), number, behaviour),
}

function generateMessage(body: JsonObject, number: number, behaviour: Behaviour): SimulatedResponse {
  const { context, messages: sent } = objectOr(body['prompt'])
  const messages = listOr(sent).map(objectOr)
  if (messages.length === 0) throw new Refusal(400, 'prompt.messages: at least one is required')
  const prompt = [textOr(context, ''), ...messages.map(({ content }) => content)]
  const speech = generationFor({ ...plainRequest, prompt }, behaviour)
  const counted = {
    promptTokens: promptTokensOf(prompt),
    completionTokens: speech.completionTokens,
    reported: undefined,
  }
  const candidate = { author: '1', content: speech.pieces.join('') }
  const outcome = speech.ending === 'blocked' ? { filters: [{ reason: 'SAFETY' }] } : { candidates: [candidate] }
  return whole({ ...outcome, messages }, counted, `palm-sim${number}`)
}
