import type { Dialect, Share } from '../dialect'
import type { JsonObject } from '../json'
import { objectsOf } from '../neutral/read'
import { noUsage, type ReportedUsage } from '../usage'
import { joinedAnswers } from './joined-images'
import { promptUsage } from './reported-usage'

/** Returns the part of a list of inputs that one of several calls has. */
export const sharedList = (list: unknown, { count, before }: Share): unknown =>
  Array.isArray(list) ? list.slice(before, before + count) : list

/** Returns the answers of all calls that were made for one request. */
export const answersIn = (answer: JsonObject): readonly JsonObject[] =>
  Array.isArray(answer['answers']) ? objectsOf(answer['answers']) : [answer]

/** Returns the usage of all answers; null where one reported none. */
export function summedUsage(usages: readonly (ReportedUsage | null)[]): ReportedUsage | null {
  const all = usages.flatMap((usage) => usage ?? [])
  if (all.length < usages.length) return null
  const sum = (name: 'promptTokens' | 'imageTokens') => all.reduce((total, usage) => total + usage[name], 0)
  return promptUsage({ ...noUsage, promptTokens: sum('promptTokens'), imageTokens: sum('imageTokens') })
}

/** Returns the dialect that reads the answers of several calls, too. */
export const readsSeveral = (one: Dialect): Dialect => ({
  ...one,
  joinAnswers: joinedAnswers,
  readAnswer: (answer) => {
    const views = answersIn(answer).map((each) => one.readAnswer(each))
    const [first = one.readAnswer(answer)] = views
    return {
      ...first,
      usage: summedUsage(views.map(({ usage }) => usage)),
      error: views.find(({ error }) => error !== null)?.error ?? null,
    }
  },
})
