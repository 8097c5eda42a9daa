import type { JsonObject } from '../json'

/** Members of both of OpenAI's dialects that mean the same in each. */
const common = ['prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'moderation'] as const

export const commonMembers = (members: JsonObject): JsonObject =>
  Object.fromEntries(common.flatMap((name) => (members[name] == null ? [] : [[name, members[name]]])))
