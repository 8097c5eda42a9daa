import { whole, type Answer } from '../answer'
import type { Behaviour } from '../behaviour'
import { vectorOf } from '../content'
import { listOr, numberOr, type JsonObject } from '../json'
import { packed } from '../openai/embeddings'
import { inputTokensOf } from '../prompt-tokens'

/** Answer a call of v2/embed. https://docs.cohere.com/reference/embed */
export function embed(body: JsonObject, behaviour: Behaviour, number: number): Answer {
  const texts = listOr(body['texts'])
  const inputs = [...texts, ...listOr(body['images']), ...listOr(body['inputs'])]
  const vectors = inputs.map((one) => vectorOf(JSON.stringify(one), numberOr(body['output_dimension'], 8)))
  const kinds = listOr(body['embedding_types'])
  const answerId = `cohere-sim${number}`
  const promptTokens = behaviour.promptTokens ?? inputTokensOf(inputs)
  const reported = behaviour.usage === 'none' ? undefined : { input_tokens: promptTokens }
  const answer = {
    id: answerId,
    embeddings: {
      ...(kinds.length === 0 || kinds.includes('float') ? { float: vectors } : {}),
      ...(kinds.includes('base64') ? { base64: vectors.map(packed) } : {}),
    },
    texts,
    meta: { api_version: { version: '2' }, ...(reported ? { billed_units: reported } : {}) },
    response_type: 'embeddings_by_type',
  }
  return whole(answer, { promptTokens, completionTokens: 0, reported }, answerId)
}
