import type { AnswerView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectsOf, textOf } from '../../core/neutral/read'
import { believedUsage } from '../../core/shared/reported-usage'
import { AnswerWords } from '../../core/shared/inline-images'
import { failureIn } from '../../core/shared/reported-failure'
import { errorIn } from './errors'
import { containerIn, filesIn } from './made'
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
