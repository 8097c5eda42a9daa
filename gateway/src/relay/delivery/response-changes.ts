import {
  dialects,
  forceChunkFormat,
  forceFormat,
  ThinkingToContent,
  thinkingToContent,
  type ChunkChange,
  type DialectId,
  type JsonObject,
} from '@tollgate/dialects'

import type { ChannelSetting } from '../../catalog/catalog'

/** Returns the changes that a channel makes to the chunks of a stream; undefined when bytes pass unchanged. */
export function chunkChanges(setting: ChannelSetting, dialect: DialectId): ChunkChange[] | undefined {
  if (dialect !== 'openai-chat') return undefined
  const changes: ChunkChange[] = []
  if (setting.thinking_to_content) changes.push(new ThinkingToContent())
  if (setting.force_format) changes.push(forceChunkFormat)
  return changes.length > 0 ? changes : undefined
}

/** Returns a whole response as its client can read it, with the same changes; the very same object when nothing changes. */
export function changedAnswer(answer: JsonObject, setting: ChannelSetting, dialect: DialectId): JsonObject {
  const readable = dialects[dialect].withReadableCalls?.(answer) ?? answer
  if (dialect !== 'openai-chat') return readable
  const thought = setting.thinking_to_content ? thinkingToContent(readable) : readable
  return setting.force_format ? forceFormat(thought) : thought
}
