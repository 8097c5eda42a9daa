import {
  forceChunkFormat,
  forceFormat,
  ThinkingToContent,
  thinkingToContent,
  type ChunkChange,
  type DialectId,
  type JsonObject,
} from '@tollgate/dialects'

import type { ChannelSetting } from '../../catalog/catalog'

/** The changes a channel asks for in the chunks of a stream; undefined when bytes pass as they are. */
export function chunkChanges(setting: ChannelSetting, dialect: DialectId): ChunkChange[] | undefined {
  if (dialect !== 'openai-chat') return undefined
  const changes: ChunkChange[] = []
  if (setting.thinking_to_content) changes.push(new ThinkingToContent())
  if (setting.force_format) changes.push(forceChunkFormat)
  return changes.length > 0 ? changes : undefined
}

/** The same for a whole answer; the very same object when nothing changes. */
export function changedAnswer(answer: JsonObject, setting: ChannelSetting, dialect: DialectId): JsonObject {
  if (dialect !== 'openai-chat') return answer
  const thought = setting.thinking_to_content ? thinkingToContent(answer) : answer
  return setting.force_format ? forceFormat(thought) : thought
}
