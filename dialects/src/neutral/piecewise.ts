import type { AnswerView } from '../dialect'
import type { JsonObject } from '../json'
import { promptUsage } from '../shared/reported-usage'
import { noUsage, type ReportedUsage } from '../usage'
import { objectsOf } from './read'

/*
 * Vendors that make one vector in a call are called once for each input. The body of such a call has `inputs`, of which each becomes the
 * `input` of a body of its own; the responses are read as one object with all of them in `answers`.
 */

/** Returns the bodies to send, one after the other. */
export function pieces(body: JsonObject): readonly JsonObject[] {
  const { inputs, ...common } = body
  return Array.isArray(inputs) ? inputs.map((input: unknown) => ({ ...common, input })) : [body]
}

/** Returns the member that holds these inputs: one is sent as it is. */
export const inputMember = (inputs: readonly unknown[]): JsonObject =>
  inputs.length === 1 ? { input: inputs[0] } : { inputs }

export const answersIn = (answer: JsonObject): readonly JsonObject[] =>
  Array.isArray(answer['answers']) ? objectsOf(answer['answers']) : [answer]

/** Returns the usage of all answers; null where one reported none. */
export function summedUsage(usages: readonly (ReportedUsage | null)[]): ReportedUsage | null {
  const all = usages.flatMap((usage) => usage ?? [])
  if (all.length < usages.length) return null
  const sum = (name: 'promptTokens' | 'imageTokens') => all.reduce((total, usage) => total + usage[name], 0)
  return promptUsage({ ...noUsage, promptTokens: sum('promptTokens'), imageTokens: sum('imageTokens') })
}

/** Reads all answers as one, whose error is that of the first that failed. */
export const readAll =
  (read: (answer: JsonObject) => AnswerView) =>
  (answer: JsonObject): AnswerView => {
    const views = answersIn(answer).map(read)
    const [first = read(answer)] = views
    const usage = summedUsage(views.map((view) => view.usage))
    return { ...first, usage, error: views.find(({ error }) => error !== null)?.error ?? null }
  }
