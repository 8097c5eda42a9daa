import type { Share } from '../dialect'
import { isObject, type JsonObject } from '../json'
import type { NeutralImages, UpstreamImageCodec } from '../neutral/image'
import { objectsOf, textOrNull } from '../neutral/read'
import type { ReportedUsage } from '../usage'
import { addedUsage } from './added-usage'

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
