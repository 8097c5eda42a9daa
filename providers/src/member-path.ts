import { isObject, type JsonObject } from '@tollgate/dialects'

import { withoutMembers } from './shape'

/** The place of a member in a request. */
export interface MemberPath {
  /** From the outermost member in, as `system[].cache_control.scope`; `[]` stands for every element of a list. */
  readonly name: string
  readonly steps: readonly string[]
}

/** Returns the paths with these names. */
export const memberPaths = (...names: readonly string[]): readonly MemberPath[] =>
  names.map((name) => ({ name, steps: name.replaceAll('[]', '.[]').split('.') }))

/** Returns the body without the member at a path, or itself where there is none. */
export const withoutMemberAt = (body: JsonObject, { steps }: MemberPath): JsonObject =>
  without(body, steps, 0) as JsonObject

function without(value: unknown, steps: readonly string[], at: number): unknown {
  const step = steps[at] ?? ''
  if (step === '[]') return Array.isArray(value) ? withoutInEach(value, steps, at + 1) : value
  if (!isObject(value) || !Object.hasOwn(value, step)) return value
  if (at === steps.length - 1) return withoutMembers(value, step)
  const member = value[step]
  const left = without(member, steps, at + 1)
  return left === member ? value : { ...value, [step]: left }
}

function withoutInEach(list: readonly unknown[], steps: readonly string[], at: number): readonly unknown[] {
  const next = list.map((element) => without(element, steps, at))
  return next.some((element, index) => element !== list[index]) ? next : list
}
