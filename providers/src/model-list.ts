import { isObject } from '@tollgate/dialects'

import { bearer } from './auth'
import type { ModelListCall, Target } from './provider'

type ListTarget = Pick<Target, 'baseUrl' | 'key' | 'other'>

const chatTail = '/chat/completions'

/** `GET {base}{path}`; a base that is a whole chat address has its tail replaced by `/models`. */
export const openAiModelList = (path = '/v1/models'): ModelListCall =>
  modelListAt(({ baseUrl }) =>
    baseUrl.endsWith(chatTail) ? `${baseUrl.slice(0, -chatTail.length)}/models` : `${baseUrl}${path}`,
  )

/** A list at an address of the vendor's own, authenticated by the bearer key unless said otherwise. */
export const modelListAt = (
  url: (target: ListTarget) => string,
  auth: (target: ListTarget) => Record<string, string> = bearer(),
): ModelListCall => ({
  request: (target) => ({ url: url(target), headers: auth(target) }),
  parse: parseModelList,
})

/** The ids in `data`, or in a bare list. Throws `TypeError` for anything else. */
export const parseModelList = (answer: unknown): string[] =>
  listOf(isObject(answer) ? answer['data'] : answer).map((item) => textOf(item, 'id').replace(/^models\//, ''))

/** The names in `models`. Throws `TypeError` for anything else. */
export const parseNamedModels = (answer: unknown): string[] =>
  listOf(isObject(answer) ? answer['models'] : undefined).map((item) => textOf(item, 'name').replace(/^models\//, ''))

function listOf(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) throw new TypeError('The model list holds no list')
  return list
}

function textOf(item: unknown, member: string): string {
  const text = isObject(item) ? item[member] : undefined
  if (typeof text !== 'string') throw new TypeError(`The model list holds an entry without ${member}`)
  return text
}
