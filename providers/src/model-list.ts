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
export function parseModelList(answer: unknown): string[] {
  const list: unknown = isObject(answer) ? answer['data'] : answer
  if (!Array.isArray(list)) throw new TypeError('The model list holds no list')
  return list.map(idOf)
}

function idOf(item: unknown): string {
  const id = isObject(item) ? item['id'] : undefined
  if (typeof id !== 'string') throw new TypeError('The model list holds an entry without an id')
  return id.startsWith('models/') ? id.slice('models/'.length) : id
}
