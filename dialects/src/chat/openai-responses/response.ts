import type { AnswerView, CreatedObject } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { jsonTextOf, objectOf, objectsOf, textOf } from '../../core/neutral/read'
import { believedUsage } from '../../core/shared/reported-usage'
import { AnswerWords } from '../../core/shared/inline-images'
import { failureIn } from '../../core/shared/reported-failure'
import { errorIn } from './errors'
import { allCalls, usageIn } from './usage'

/** A whole response. */
export function readResponse(response: JsonObject): AnswerView {
  const items = objectsOf(response['output'])
  const texts = items.flatMap(textsOfItem).filter((text) => text !== '')
  const toolCalls = items.filter(isCall).length
  const words = new AnswerWords(texts)
  const drawn = items.filter(({ type, result }) => type === 'image_generation_call' && textOf(result) !== '').length
  return {
    usage: believedUsage(usageIn(response), {
      hasOutput: texts.length > 0 || drawn > 0,
      isCovered: true,
      toolCalls: allCalls(response),
    }),
    error: errorIn(response) ?? failureIn(response, Array.isArray(response['output'])),
    toolCalls,
    isEmpty: toolCalls === 0 && drawn === 0 && texts.every((text) => text.trim() === ''),
    completionText: () => words.text,
    images: () => words.images + drawn,
    createdObjects: () => createdObjectsIn(response),
  }
}

/** A call that the client is asked to make. */
export const isCall = ({ type }: JsonObject): boolean => type === 'function_call' || type === 'custom_tool_call'

export function textsOfItem(item: JsonObject): string[] {
  switch (item['type']) {
    case 'message':
    case 'reasoning':
      return [...objectsOf(item['summary']), ...objectsOf(item['content'])].map(
        (part) => textOf(part['text']) || textOf(part['refusal']),
      )
    default:
      return [textOf(item['name']), jsonTextOf(item['arguments']), textOf(item['input']), textOf(item['code'])]
  }
}

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
