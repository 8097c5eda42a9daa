import type { CallPlace, PromptShape, RequestView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { objectsOf, textsOf } from '../../core/neutral/read'
import { missing, readMaxTokens, readModel, wholeView, wrongType } from '../../core/shared/fields'
import { inputPrompt } from '../../core/shared/prompt'

const lists = ['texts', 'images', 'inputs'] as const

/**
 * The view of a request for vectors. https://docs.cohere.com/reference/embed
 * @throws DialectError
 */
export function readEmbedRequest(body: JsonObject, { model }: CallPlace): RequestView {
  const view = wholeView(readModel(body, model || undefined))
  const given = lists.filter((name) => body[name] !== undefined && body[name] !== null)
  if (given.length === 0) throw missing('texts')
  for (const name of given) requireList(name, body[name])
  readMaxTokens(body, 'output_dimension')
  return view
}

function requireList(name: (typeof lists)[number], list: unknown): void {
  if (!Array.isArray(list)) throw wrongType(name, 'an array', list)
  const isRight = name === 'inputs' ? isObject : (item: unknown) => typeof item === 'string'
  const place = list.findIndex((item: unknown) => !isRight(item))
  if (place >= 0) throw wrongType(`${name}[${place}]`, name === 'inputs' ? 'an object' : 'a string', list[place])
}

export function embedPrompt(body: JsonObject): PromptShape {
  const parts = objectsOf(body['inputs']).flatMap(({ content }) => objectsOf(content))
  const shape = inputPrompt({ texts: body['texts'], parts }, 'texts', 'parts')
  return { ...shape, images: shape.images + textsOf(body['images']).length }
}
