import type { JsonObject } from '../../core/json'
import { objectsOf } from '../../core/neutral/read'

/**
 * Returns the items that a request brings. A text is one of them: what the user says.
 * https://platform.openai.com/docs/api-reference/responses/create
 */
export function inputItems({ input }: JsonObject): readonly JsonObject[] {
  if (typeof input === 'string') return input === '' ? noItems : [{ role: 'user', content: input }]
  return objectsOf(input)
}

/** Returns the items of a response that its client would send with its next request. */
export const outputItems = ({ output }: JsonObject): readonly JsonObject[] => objectsOf(output)

/** Members that name earlier turns instead of repeating them. */
const turnNames: ReadonlySet<string> = new Set(['previous_response_id', 'conversation'])

/**
 * Returns the request of a client that repeats the items of earlier turns, in place of one that names them. Instructions are those of the
 * request alone.
 */
export function withEarlierItems(body: JsonObject, earlier: readonly JsonObject[]): JsonObject {
  const own = Object.fromEntries(Object.entries(body).filter(([name]) => !turnNames.has(name)))
  return earlier.length === 0 ? own : { ...own, input: [...earlier, ...inputItems(body)] }
}

const noItems: readonly JsonObject[] = []
