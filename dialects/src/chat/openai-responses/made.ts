import type { CreatedObject } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf } from '../../core/neutral/read'

/**
 * Returns what the vendor keeps of a response. Files that a search found were there before; those of an interpreter's container are new.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export function createdObjectsIn(response: JsonObject): readonly CreatedObject[] {
  const items = objectsOf(response['output'])
  return [
    { kind: 'answer' as const, id: textOf(response['id']) },
    { kind: 'conversation' as const, id: textOf(objectOf(response['conversation'])['id']) },
    ...items.map(({ id }) => ({ kind: 'item' as const, id: textOf(id) })),
    { kind: 'sealed' as const, id: textOf(items.findLast(isSealed)?.['encrypted_content']) },
    ...items.flatMap(ofTools).map((id) => ({ kind: 'tool' as const, id: textOf(id) })),
  ].filter(({ id }) => id !== '')
}

const isSealed = ({ encrypted_content }: JsonObject): boolean => textOf(encrypted_content) !== ''

function ofTools({ container_id, content }: JsonObject): unknown[] {
  const cited = objectsOf(content)
    .flatMap(({ annotations }) => objectsOf(annotations))
    .filter(({ type }) => type === 'container_file_citation')
  return [container_id, ...cited.flatMap((citation) => [citation['container_id'], citation['file_id']])]
}
