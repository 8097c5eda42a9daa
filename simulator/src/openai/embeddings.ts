import { whole, type SimulatedResponse } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import { vectorOf } from '../content'
import { numberOr, textOr, type JsonObject } from '../json'
import { countUsage } from './usage'

/** Answer an embedding call: one short vector for each input, made from its text. */
export function embeddings(body: JsonObject, behaviour: Behaviour): SimulatedResponse {
  const input = body['input']
  const isOneTokenList = Array.isArray(input) && typeof input[0] === 'number'
  const inputs = Array.isArray(input) && !isOneTokenList ? input : [input]
  const length = numberOr(body['dimensions'], 8)
  const data = inputs.map((one, index) => {
    const vector = vectorOf(JSON.stringify(one) ?? '', length)
    return { object: 'embedding', index, embedding: body['encoding_format'] === 'base64' ? packVector(vector) : vector }
  })
  const counted = countUsage(body, { completionTokens: 0 }, behaviour)
  const isReported = behaviour.usage !== 'none'
  const usage = { prompt_tokens: counted.promptTokens, total_tokens: counted.promptTokens }
  const reported = 'usageOverride' in behaviour ? behaviour.usageOverride : usage
  const responseBody = {
    object: 'list',
    data,
    model: textOr(body['model'], ''),
    ...(isReported ? { usage: reported } : {}),
  }
  return whole(responseBody, { ...counted, reported: isReported ? reported : undefined })
}

export const packVector = (vector: readonly number[]): string =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64')
