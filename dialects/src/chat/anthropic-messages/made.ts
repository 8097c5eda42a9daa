import type { CreatedObject } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf } from '../../core/neutral/read'

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
