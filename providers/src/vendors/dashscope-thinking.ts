import type { JsonObject, ThinkingForm } from '@tollgate/dialects'

import type { Target } from '../provider'
import { type Change, withMember } from '../shape'

/** The most of any model; a model's own limit is lower and counts. */
const budget = { min: 1, max: 81_920 }
const switched: ThinkingForm = { switch: 'enable_thinking', budget }
const always: ThinkingForm = { switch: null, budget }

const alwaysThink = /^qwq|^qvq|-thinking|^deepseek-r1|^kimi-k2\.7-code|^qwen3\.\d+-max-preview/
/** Those that can do both. Coders, instructed ones and those before the third generation never think. */
const hybrid =
  /^(?:qwen-(?:plus|turbo|flash)|qwen3-(?:max|vl-(?:plus|flash)|omni-flash|\d)|qwen3\.|qwen[4-9]|deepseek-v(?:3\.[12]|[4-9])|glm-(?:4\.[5-9]|[5-9])|kimi-k(?:2\.[56]|[3-9]))/
const neverThink = /-instruct|coder|-mt|-realtime|-character|-ocr/
/** Open models think unless told not to, and refuse to do so in one piece. */
const openHybrid = /^qwen3-\d+(?:\.\d+)?b(?:-a\d+b)?$/

/** https://help.aliyun.com/zh/model-studio/deep-thinking */
export function dashScopeThinking(model: string): ThinkingForm | null {
  if (alwaysThink.test(model)) return always
  return hybrid.test(model) && !neverThink.test(model) ? switched : null
}

/**
 * Most models think only in streams. A call in one piece is streamed where it asks for thinking, and otherwise says that nothing is to be
 * thought where the model would.
 */
export const thoughtInStreams: Change = (body, target) => {
  if (target.stream || body['stream'] === true) return body
  if (thinks(body, target)) return { ...body, stream: true, stream_options: { include_usage: true } }
  return openHybrid.test(target.model) ? withMember(body, 'enable_thinking', false) : body
}

const thinks = (body: JsonObject, { model }: Pick<Target, 'model'>): boolean =>
  alwaysThink.test(model) || body['enable_thinking'] === true
