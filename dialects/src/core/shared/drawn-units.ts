import { isObject, type JsonObject } from '../json'
import { elementsOf } from '../neutral/read'

/*
 * Pictures of OpenAI's image tool, which are billed by tokens. Here they are counted in pictures of the lowest quality.
 * https://platform.openai.com/docs/guides/image-generation#cost-and-latency
 */
const tokensPerUnit = 272

const tokens: ReadonlyMap<unknown, number> = new Map([
  ['low', 272],
  ['medium', 1056],
  ['high', 4160],
])
const maxTokens = 4160
const square = '1024x1024'
const largerFactor = 1.5

const units = (count: number): number => Math.max(1, Math.round(count / tokensPerUnit))

/** What a picture counts as at most. */
export const maxDrawnUnits = units(maxTokens * largerFactor)

/** Returns what pictures of this many tokens count as. */
export const unitsOfTokens = (count: number): number => Math.max(1, Math.ceil(count / tokensPerUnit))

/** Returns what a picture of this quality and size counts as: a square of high quality, where neither is known. */
export function drawnUnits({ quality, size }: JsonObject): number {
  const isLarger = typeof size === 'string' && /^\d+x\d+$/.test(size) && size !== square
  return units((tokens.get(quality) ?? maxTokens) * (isLarger ? largerFactor : 1))
}

export const noImageTool: JsonObject = Object.freeze({})

/** Returns the image tool that a request offers, which its response repeats. */
export function imageToolOf({ tools }: JsonObject): JsonObject {
  return (
    elementsOf(tools)
      .filter(isObject)
      .find(({ type }) => type === 'image_generation') ?? noImageTool
  )
}

/** Returns what a picture may count as that a request asks for: the most, where it leaves quality or size to the vendor. */
export function possibleUnits(tool: JsonObject): number {
  const { size } = tool
  return drawnUnits({ ...tool, size: size === square ? size : '1024x1536' })
}
