import {
  dialects,
  forceChunkFormat,
  forceFormat,
  ThinkingToContent,
  thinkingToContent,
  type ChunkChange,
  type DialectId,
  type JsonObject,
  withoutNullUsage,
  type ResponseOptions,
} from '@tollgate/dialects'

import type { ChannelSetting, Channel } from '../../channels/catalog/catalog'
import { newResponseId } from '../../http/request/request-id'
import { namesOf } from '../turns/open-turn'
import type { CallContext } from '../call-context'

interface ChunkPosition {
  readonly setting: ChannelSetting
  readonly dialect: DialectId
  /** Null where the client asks for usage itself. */
  readonly requestWithoutUsage: Request | null
}

/** Returns the changes of the chunks of a stream for a channel and a client; undefined when bytes pass unchanged. */
export function chunkChanges({ setting, dialect, requestWithoutUsage }: ChunkPosition): ChunkChange[] | undefined {
  if (dialect !== 'openai-chat') return undefined
  const changes: ChunkChange[] = []
  if (requestWithoutUsage !== null && refusesNullUsage(requestWithoutUsage)) changes.push(withoutNullUsage)
  if (setting.thinking_to_content) changes.push(new ThinkingToContent())
  if (setting.force_format) changes.push(forceChunkFormat)
  return changes.length > 0 ? changes : undefined
}

/** https://github.com/mistralai/client-ts: its schema of a chunk has a usage or none. */
const refusesNullUsage = ({ headers }: Request): boolean =>
  headers.get('user-agent')?.startsWith('mistral-client-typescript/') ?? false

/** Returns a whole response as its client can read it, with the same changes; the very same object when nothing changes. */
export function changeResponse(response: JsonObject, setting: ChannelSetting, dialect: DialectId): JsonObject {
  const readable = dialects[dialect].withReadableCalls?.(response) ?? response
  if (dialect !== 'openai-chat') return readable
  const thought = setting.thinking_to_content ? thinkingToContent(readable) : readable
  return setting.force_format ? forceFormat(thought) : thought
}

/** Returns how a translated response is written for its client. */
export const responseOptions = (
  { call, view, turn, deps: { ctx } }: CallContext,
  { setting }: Channel,
): ResponseOptions => ({
  model: view.model,
  includeUsage: view.includeUsage,
  promptTokens: view.promptTokens,
  now: ctx.clock.seconds(),
  clock: ctx.clock,
  startedAt: call.startedAt,
  newId: (prefix) => newResponseId(ctx, prefix),
  thoughtsAsText: setting.thinking_to_content === true,
  taggedThoughts: setting.think_tag_to_reasoning === true,
  ...(turn && { turn: { ...namesOf(turn), isStored: turn.isStored } }),
})
