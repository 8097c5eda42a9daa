import { whole, type Answer } from '../answer'
import type { Behaviour } from '../behaviour'
import { vectorOf } from '../content'
import { listOr, numberOr, objectOr, type JsonObject } from '../json'
import { inputTokensOf } from '../prompt-tokens'
import { contentOf } from './request'

/** Answer embedContent: one vector, and no usage. */
export function embedContent(body: JsonObject, behaviour: Behaviour): Answer {
  return whole({ embedding: embeddingOf(body) }, countedOf([body], behaviour))
}

/** Answer batchEmbedContents: a vector for each request. */
export function batchEmbedContents(body: JsonObject, behaviour: Behaviour): Answer {
  const requests = listOr(body['requests']).map(objectOr)
  return whole({ embeddings: requests.map(embeddingOf) }, countedOf(requests, behaviour))
}

function embeddingOf(request: JsonObject): JsonObject {
  const text = JSON.stringify(contentOf(request['content']))
  return { values: vectorOf(text, numberOr(request['outputDimensionality'], 8)) }
}

const countedOf = (requests: readonly JsonObject[], behaviour: Behaviour) => ({
  promptTokens: behaviour.promptTokens ?? inputTokensOf(requests.map(({ content }) => contentOf(content))),
  completionTokens: 0,
  reported: undefined,
})
