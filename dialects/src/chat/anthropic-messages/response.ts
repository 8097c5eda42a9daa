import type { AnswerView, CreatedObject } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf } from '../../core/neutral/read'
import { believedUsage } from '../../core/shared/reported-usage'
import { AnswerWords } from '../../core/shared/inline-images'
import { failureIn } from '../../core/shared/reported-failure'
import { errorIn } from './errors'
import { readUsage } from './usage'

/** A whole message. */
export function readMessage(answer: JsonObject): AnswerView {
  const blocks = objectsOf(answer['content'])
  const texts = blocks.flatMap(textsOfBlock).filter((text) => text !== '')
  const words = new AnswerWords(texts)
  const toolCalls = blocks.filter((block) => block['type'] === 'tool_use').length
  return {
    usage: believedUsage(readUsage(answer['usage']), { hasOutput: texts.length > 0, isCovered: true }),
    error: errorIn(answer) ?? failureIn(answer, Array.isArray(answer['content'])),
    toolCalls,
    isEmpty: toolCalls === 0 && texts.every((text) => text.trim() === ''),
    completionText: () => words.text,
    images: () => words.images,
    createdObjects: () => [...containerIn(answer), ...blocks.flatMap(filesIn)],
  }
}

function textsOfBlock(block: JsonObject): string[] {
  switch (block['type']) {
    case 'text':
      return [textOf(block['text'])]
    case 'thinking':
      return [textOf(block['thinking'])]
    case 'tool_use':
    case 'server_tool_use':
      return [textOf(block['name']), JSON.stringify(block['input'] ?? {})]
    default:
      return []
  }
}

/** Returns the container in which a message, or a change of one, says that code ran. */
export const containerIn = (message: JsonObject): readonly CreatedObject[] =>
  toolObject(objectOf(message['container'])['id'])

/** Returns the files that code made. https://docs.claude.com/en/docs/agents-and-tools/tool-use/code-execution-tool */
export function filesIn(block: JsonObject): readonly CreatedObject[] {
  if (!textOf(block['type']).endsWith('_tool_result')) return noObjects
  return objectsOf(objectOf(block['content'])['content']).flatMap(({ file_id: id }) => toolObject(id))
}

const noObjects: readonly CreatedObject[] = []

const toolObject = (id: unknown): readonly CreatedObject[] =>
  typeof id === 'string' && id !== '' ? [{ kind: 'tool', id }] : noObjects
