import type { PromptMedia } from '@tollgate/dialects'
import { modelOf } from '@tollgate/models'

import { imageSize, type ImageSize } from './image-size'
import { maxSeconds } from './recordings'

/** The images and recordings of a prompt, as far as they can be measured. */
export interface MeasuredMedia {
  readonly images: readonly MeasuredImage[]
  /** Per recording; null where the request has a URL. */
  readonly seconds: readonly (number | null)[]
  /** Audio whose tokens are known: earlier parts of a conversation. */
  readonly audioTokens?: number
}

interface MeasuredImage {
  /** Null where the request has a URL, or an image in a rare format. */
  readonly size: ImageSize | null
  readonly isCoarse: boolean
}

/** The most tokens that the media of a prompt can have. */
export interface MediaTokens {
  readonly image: number
  readonly audio: number
}

export function measureMedia(media: readonly PromptMedia[]): MeasuredMedia {
  return {
    images: media
      .filter(({ kind }) => kind === 'image')
      .map(({ data, isCoarse }) => ({ size: data === null ? null : imageSize(data), isCoarse })),
    seconds: media.filter(({ kind }) => kind === 'audio').map(({ data }) => (data === null ? null : maxSeconds(data))),
  }
}

/** Returns the most tokens that media can have for a model, and never more than its window. */
export function maxMediaTokens({ images, seconds, audioTokens = 0 }: MeasuredMedia, model: string): MediaTokens {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const imageTokens = imageRules.find(([names]) => names.test(name))?.[1] ?? otherImages
  const perSecond = tokensPerSecond.find(([names]) => names.test(name))?.[1] ?? maxPerSecond
  const window = modelOf(model)?.contextTokens ?? Infinity
  const maxOfUnknown = window === Infinity ? unknownSeconds * perSecond : window
  const image = Math.min(sum(images.map(imageTokens)), window)
  const audio = audioTokens + sum(seconds.map((length) => (length === null ? maxOfUnknown : length * perSecond)))
  return { image: Math.ceil(image), audio: Math.ceil(Math.min(audio, window - image)) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)

type ImageRule = (image: MeasuredImage) => number

/** Tiles of 512 pixels, after the image was scaled to fit a square of 2048 and its shorter side 768. */
const tiles =
  (base: number, each: number): ImageRule =>
  ({ size, isCoarse }) =>
    isCoarse ? base : base + each * (size ? tilesOf(size) : 8)

function tilesOf({ width, height }: ImageSize): number {
  const scale = Math.min(1, 2048 / Math.max(width, height), 768 / Math.min(width, height))
  return Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512)
}

/** Square patches of this many pixels, up to a number of them. Some are charged at more than a token each. */
const patches =
  (edge: number, maxPatches: number, factor = 1): ImageRule =>
  ({ size, isCoarse }) => {
    const seen = size ? Math.ceil(size.width / edge) * Math.ceil(size.height / edge) : maxPatches
    return Math.min(seen, isCoarse ? Math.ceil(512 / edge) ** 2 : maxPatches) * factor
  }

const perPixels =
  (pixels: number, maxTokens: number): ImageRule =>
  ({ size }) =>
    Math.min(size ? Math.ceil((size.width * size.height) / pixels) : maxTokens, maxTokens)

const always =
  (tokens: number): ImageRule =>
  () =>
    tokens

/** Tiles as long as two thirds of the shorter side; a small image is one. */
const geminiTiles: ImageRule = ({ size }) => {
  if (size === null) return 12 * 258
  if (Math.max(size.width, size.height) <= 384) return 258
  const edge = Math.max(1, Math.floor(Math.min(size.width, size.height) / 1.5))
  return Math.min(Math.ceil(size.width / edge) * Math.ceil(size.height / edge), 12) * 258
}

/**
 * How images are counted, by the name of a model; the first match counts. Vendors' pages:
 * https://platform.openai.com/docs/guides/images-vision#calculating-costs https://platform.claude.com/docs/en/build-with-claude/vision
 * https://ai.google.dev/gemini-api/docs/media-resolution https://www.alibabacloud.com/help/en/model-studio/vision
 */
const imageRules: readonly (readonly [RegExp, ImageRule])[] = [
  [/^gpt-4o-mini/, tiles(2833, 5667)],
  [/^gpt-(?:4\.1|5(?:\.[0-3])?)-mini/, patches(32, 1536, 1.62)],
  [/^gpt-(?:4\.1|5(?:\.[0-3])?)-nano/, patches(32, 1536, 2.46)],
  [/^o4-mini/, patches(32, 1536, 1.72)],
  [/^gpt-(?:5\.\d|[6-9])[\d.]*-mini/, patches(32, 10_000, 1.62)],
  [/^gpt-(?:5\.\d|[6-9])[\d.]*-nano/, patches(32, 10_000, 2.46)],
  [/^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/, patches(32, 10_000)],
  [/^(?:gpt-4|gpt-5|chatgpt|o1|o3|computer-use)/, tiles(85, 170)],
  [/^claude/, perPixels(750, 4784)],
  [/^gemini-[12]/, geminiTiles],
  [/^gemini/, always(2240)],
  [/^(?:qwen|qvq)/, patches(28, 16_384)],
]

/** An image of known size counts by the smallest patches in use, any other as Anthropic's largest. */
const otherImages: ImageRule = (image) =>
  image.size === null ? 4784 : patches(28, 16_384)({ ...image, isCoarse: false })

/** https://platform.openai.com/docs/guides/realtime-costs, https://ai.google.dev/gemini-api/docs/audio */
const maxPerSecond = 32
const tokensPerSecond: readonly (readonly [RegExp, number])[] = [
  [/^gpt-/, 10],
  [/^qwen/, 25],
]

/** For a recording that is not in the request, by a model whose window is not known: half an hour. */
const unknownSeconds = 1800
