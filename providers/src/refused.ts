import { isObject, ownToolLabel, type JsonObject } from '@tollgate/dialects'

import { withoutMemberAt, type MemberPath } from './member-path'
import { type Change, mapObjects, withMember, withoutMembers } from './shape'

/** What a vendor refuses of the dialect that it speaks, where it takes the rest. */
export interface Refused {
  readonly members?: readonly MemberPath[]
  /** Types of tools. */
  readonly tools?: RegExp
}

type Warn = (what: string) => void

/** Leaves out what a vendor refuses for a model, and names it. */
export const withoutRefused =
  (refusalsOf: (model: string) => Refused): Change =>
  (body, { model }, warn) => {
    const { members = [], tools } = refusalsOf(model)
    const left = withoutMembersAt(body, members, warn)
    return tools ? withoutTools(left, ({ type }) => typeof type === 'string' && tools.test(type), warn) : left
  }

/** Leaves out the members at these paths, and names those that there are. */
export const withoutMembersAt = (body: JsonObject, paths: readonly MemberPath[], warn: Warn): JsonObject =>
  paths.reduce((current, path) => {
    const left = withoutMemberAt(current, path)
    if (left !== current) warn(path.name)
    return left
  }, body)

/** Leaves out some tools, and names them. A choice that needs one of them goes with it, and all choices go with the last tool. */
export function withoutTools(body: JsonObject, isOut: (tool: JsonObject) => boolean, warn: Warn): JsonObject {
  const { tools, tool_choice: choice } = body
  if (!Array.isArray(tools)) return body
  const out = tools.filter((tool): tool is JsonObject => isObject(tool) && isOut(tool))
  if (out.length === 0) return body
  for (const tool of out) warn(ownToolLabel(tool))
  const remainingTools = tools.filter((tool) => !isObject(tool) || !isOut(tool))
  if (remainingTools.length === 0) return withoutMembers(body, 'tools', 'tool_choice')
  const isChosen =
    isObject(choice) && out.some(({ type, name }) => choice['name'] === (name ?? type) || choice['type'] === type)
  return withMember(isChosen ? withoutMembers(body, 'tool_choice') : body, 'tools', remainingTools)
}

/** For vendors that know no developer: OpenAI's newer word for the system. */
export const developerAsSystem: Change = (body) => withoutDeveloper(body)

export const withoutDeveloper = (body: JsonObject): JsonObject =>
  mapObjects(body, 'messages', (message) =>
    message['role'] === 'developer' ? withMember(message, 'role', 'system') : message,
  )
