import type { ResponseOptions } from '@tollgate/dialects'

import type { Channel } from '../../channels/catalog/catalog'
import { newAnswerId } from '../../http/request/request-id'
import type { CallContext } from '../call-context'

/** Returns how a translated response is written for its client. */
export const responseOptions = ({ call, view, deps: { ctx } }: CallContext, { setting }: Channel): ResponseOptions => ({
  model: view.model,
  includeUsage: view.includeUsage,
  promptTokens: view.promptTokens,
  now: Math.floor(ctx.clock.now() / 1000),
  clock: ctx.clock,
  startedAt: call.startedAt,
  newId: (prefix) => newAnswerId(ctx, prefix),
  thoughtsAsText: setting.thinking_to_content === true,
  taggedThoughts: setting.think_tag_to_reasoning === true,
})
