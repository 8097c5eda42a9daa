import type { Dialect, Share } from '../dialect'
import { isObject, type JsonObject } from '../json'
import type { NeutralImages, UpstreamImageCodec } from '../neutral/image'
import { objectsOf, textOrNull } from '../neutral/read'
import { noUsage, type ReportedUsage, type ToolCalls } from '../usage'
import { promptUsage } from './reported-usage'

/** Returns one response that stands for several, for `readImages`. */
export const joinedAnswers = (answers: readonly JsonObject[]): JsonObject => ({ answers })

/** Reads the images of a response, or of several that were joined. */
export function readImages({ readAnswer }: UpstreamImageCodec, answer: JsonObject): NeutralImages {
  const { answers } = answer
  return Array.isArray(answers) ? joinImages(objectsOf(answers).map(readAnswer)) : readAnswer(answer)
}

function joinImages(all: readonly NeutralImages[]): NeutralImages {
  const images = all.flatMap((one) => one.images)
  const refusals = all.flatMap(({ refusal }) => refusal ?? [])
  return {
    images,
    usage: all.reduce<ReportedUsage | null>(
      (sum, { usage }) => (sum && usage ? addedUsage(sum, usage) : (sum ?? usage)),
      null,
    ),
    size: common(all.map(({ size }) => size)),
    quality: common(all.map(({ quality }) => quality)),
    refusal: images.length > 0 ? null : textOrNull(refusals.join(' ')),
  }
}

const common = (values: readonly (string | null)[]): string | null =>
  new Set(values).size === 1 ? (values[0] ?? null) : null

/** Returns the seed of a share, where the request has one: the same seed would draw the same image again. */
export const seedForShare = (seed: unknown, { before }: Share): { seed?: number } =>
  typeof seed === 'number' ? { seed: seed + before } : {}

/** Returns an object with the sum of each number in several objects. */
export function sumMembers(objects: readonly JsonObject[]): JsonObject {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  return Object.fromEntries(names.map((name) => [name, sumOf(objects.map((object) => object[name]))]))
}

function sumOf(values: readonly unknown[]): unknown {
  const numbers = values.filter((value) => typeof value === 'number')
  if (numbers.length > 0) return numbers.reduce((sum, value) => sum + value, 0)
  const objects = values.filter(isObject)
  return objects.length > 0 ? sumMembers(objects) : values.find((value) => value !== undefined)
}

const countNames = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'cacheWriteHourTokens',
  'imageTokens',
  'audioInputTokens',
  'audioOutputTokens',
  'reasoningTokens',
] as const satisfies readonly (keyof ReportedUsage)[]

/** Returns what two responses used together, with what the later one says of itself. */
export function addedCounts(one: ReportedUsage, other: ReportedUsage): ReportedUsage {
  const unreported = one.unreported ?? other.unreported
  const unexplainedTokens = (one.unexplainedTokens ?? 0) + (other.unexplainedTokens ?? 0)
  return {
    ...other,
    ...Object.fromEntries(countNames.map((name) => [name, one[name] + other[name]])),
    ...(unreported !== undefined && { unreported }),
    ...(unexplainedTokens > 0 && { unexplainedTokens }),
    toolCalls: addedToolCalls(one.toolCalls, other.toolCalls),
  }
}

const addedToolCalls = (one: ToolCalls, other: ToolCalls): ToolCalls => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([tool, count]: [string, number]) => [tool, count + (one[tool as keyof ToolCalls] ?? 0)]),
  ),
})

/** Returns what two responses with images used together, with what the later one says of itself. */
export function addedUsage(one: ReportedUsage, other: ReportedUsage): ReportedUsage {
  const unreported = one.unreported ?? other.unreported
  return {
    ...other,
    ...Object.fromEntries(countNames.map((name) => [name, one[name] + other[name]])),
    ...(unreported !== undefined && { unreported }),
    details: {
      ...one.details,
      ...other.details,
      image_count: (one.details?.image_count ?? 0) + (other.details?.image_count ?? 0),
      ...addedModalities('prompt_modalities', one, other),
      ...addedModalities('completion_modalities', one, other),
    },
  }
}

function addedModalities(
  name: 'prompt_modalities' | 'completion_modalities',
  { details: one }: ReportedUsage,
  { details: other }: ReportedUsage,
) {
  const [first, second] = [one?.[name], other?.[name]]
  if (first === undefined || second === undefined) return {}
  const kinds = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return { [name]: Object.fromEntries(kinds.map((kind) => [kind, (first[kind] ?? 0) + (second[kind] ?? 0)])) }
}

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
