import type { CallPlace, PromptShape, RequestView } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import { member } from '../../core/shared/google-members'
import { contentsPrompt } from '../../chat/gemini/prompt'
import { isObject, type JsonObject } from '../../core/json'
import { objectOf, objectsOf } from '../../core/neutral/read'
import { missing, readModel, wholeView, wrongType } from '../../core/shared/fields'

/**
 * The view of `embedContent`, or of `batchEmbedContents`, which has a list of such requests.
 * https://ai.google.dev/api/embeddings
 * @throws DialectError
 */
export function readEmbedRequest(body: JsonObject, { model }: CallPlace): RequestView {
  const requests = body['requests']
  if (requests === undefined || requests === null) requireContent(body, '')
  else if (!Array.isArray(requests)) throw wrongType('requests', 'an array of objects', requests)
  else if (requests.length === 0)
    throw new DialectError('requests', 'empty_array', "Invalid 'requests': expected at least one request.")
  else
    requests.forEach((request: unknown, place) => {
      if (!isObject(request)) throw wrongType(`requests[${place}]`, 'an object', request)
      requireContent(request, `requests[${place}].`)
    })
  const named = model || (body['model'] ?? objectOf(embedRequests(body)[0])['model'])
  return wholeView(readModel({ model: typeof named === 'string' ? withoutKind(named) : named }))
}

function requireContent({ content = null }: JsonObject, place: string): void {
  if (content === null) throw missing(`${place}content`)
  if (!isObject(content)) throw wrongType(`${place}content`, 'an object', content)
  const { parts = null } = content
  if (parts === null) throw missing(`${place}content.parts`)
  if (!Array.isArray(parts) && !isObject(parts)) throw wrongType(`${place}content.parts`, 'an array of objects', parts)
}

/** The requests of a batch, or the one that stands alone. */
export const embedRequests = (body: JsonObject): readonly JsonObject[] =>
  Array.isArray(body['requests']) ? objectsOf(body['requests']) : [body]

/** A model's name without the kind of resource it is. */
const withoutKind = (model: string): string => model.replace(/^models\//, '')

/** The contents to embed, which are not a conversation, and their titles. */
export function embedPrompt(body: JsonObject): PromptShape {
  const requests = embedRequests(body)
  const prompt = contentsPrompt({ contents: requests.map(({ content }) => content) })
  const titles = requests.map((request) => member(request, 'title'))
  return {
    ...prompt,
    texts: [...prompt.texts, ...titles.filter((title): title is string => typeof title === 'string' && title !== '')],
    messages: 0,
  }
}

/** The model stands in the path; the requests repeat it and must agree. */
export function withEmbedModel(body: JsonObject, model: string): JsonObject {
  const renamed = renamedIn(body, model)
  const requests = objectsOf(body['requests'])
  const changed = requests.map((request) => renamedIn(request, model))
  return changed.every((request, index) => request === requests[index]) ? renamed : { ...renamed, requests: changed }
}

const renamedIn = (request: JsonObject, model: string): JsonObject => {
  const named = request['model']
  return typeof named !== 'string' || withoutKind(named) === model ? request : { ...request, model: `models/${model}` }
}
