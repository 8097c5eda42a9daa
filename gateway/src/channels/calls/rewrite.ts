import type { ChannelRewrite } from '@tollgate/contract'
import { withParamDefaults, withParamOverride, type JsonObject } from '@tollgate/dialects'

import type { Channel } from '../catalog/catalog'

/** Returns the changes that a channel makes to requests for a model, by the upstream's name. */
export const rewritesFor = ({ setting }: Pick<Channel, 'setting'>, model: string): readonly ChannelRewrite[] =>
  setting.rewrites?.filter(({ models }) => models?.some((pattern) => matches(pattern, model)) ?? true) ?? noRewrites

const noRewrites: readonly ChannelRewrite[] = []

/** Returns the body with the channel's changes: its overrides, then each rewrite in order. */
export function rewrittenBody(
  body: JsonObject,
  { paramOverride }: Pick<Channel, 'paramOverride'>,
  rewrites: readonly ChannelRewrite[],
): JsonObject {
  let result = withParamOverride(body, paramOverride)
  for (const { param_default: defaults = {}, param_override: override = null } of rewrites)
    result = withParamOverride(withParamDefaults(result, defaults), override)
  return result
}

/** Returns the headers with the changes of each rewrite: those passed from the client, then those set or removed. */
export function rewrittenHeaders(
  headers: Record<string, string>,
  rewrites: readonly ChannelRewrite[],
  client: Headers | undefined,
): Record<string, string> {
  let result = headers
  for (const { header_pass: passed = [], header_override: override = {} } of rewrites) {
    for (const name of passed) {
      const value = client?.get(name)
      if (value) result = withHeader(result, name, value)
    }
    for (const [name, value] of Object.entries(override)) result = withHeader(result, name, value)
  }
  return result
}

/** Names are the same in whatever case they are written. */
function withHeader(headers: Record<string, string>, name: string, value: string | null): Record<string, string> {
  const lower = name.toLowerCase()
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== lower)
  return Object.fromEntries(value === null ? others : [...others, [lower, value]])
}

/** Returns whether a name fits a pattern, in which `*` stands for any text. */
function matches(pattern: string, name: string): boolean {
  const [start = '', ...parts] = pattern.split('*')
  const end = parts.pop()
  if (end === undefined) return name === start
  if (!name.startsWith(start)) return false
  let at = start.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - end.length >= at && name.endsWith(end)
}
