import { DialectError } from '../dialect-error'
import type { PathContext } from '../views'
import type { JsonObject } from '../json'
import type { ReportedUsage, UsageDetails } from '../usage'
import type { Source } from './call'
import type { Warn } from './codec'
import { textOf } from './read'

/** A request for images in a neutral form. Null: not specified. */
export interface NeutralImageCall {
  readonly model: string
  readonly prompt: string
  readonly count: number
  /** As `1024x1536` or `2K`. */
  readonly size: string | null
  /** As `16:9`. */
  readonly aspectRatio: string | null
  readonly quality: string | null
  readonly background: string | null
  /** `png`, `jpeg` or `webp`. */
  readonly format: string | null
  /** 0 to 100. */
  readonly compression: number | null
  readonly negativePrompt: string | null
  readonly seed: number | null
  /** Whether the client wants the images inside the response, or only their addresses. */
  readonly isInline: boolean | null
  /** Images to edit or to vary. */
  readonly images: readonly Source[]
  /** The part of the first image to edit. */
  readonly mask: Source | null
  /** The end user, as the client's application names them. */
  readonly user: string | null
}

/** A generated image, as base64 text or as an address. */
export interface NeutralImage {
  readonly source: Extract<Source, { kind: 'data' | 'url' }>
  /** The prompt that the vendor used in place of the client's. */
  readonly revisedPrompt: string | null
}

/** The images of a response. */
export interface NeutralImages {
  readonly images: readonly NeutralImage[]
  /** Null where the vendor reports no tokens. */
  readonly usage: ReportedUsage | null
  readonly size: string | null
  readonly quality: string | null
  /** Why the vendor withheld images; null when it withheld none or gives no reason. */
  readonly refusal: string | null
}

/** What a response is written for. */
interface ImageAnswering {
  readonly model: string
  /** Unix seconds. */
  readonly now: number
  readonly call: NeutralImageCall
}

/** Converts one dialect of image calls to and from the neutral form. Pure. */
export interface ImageCodec {
  /** Reads a client's request. @throws DialectError when it is not allowed. */
  readonly readCall: (body: JsonObject, pathContext: PathContext) => NeutralImageCall
  /** The options of a request that the neutral form has no place for, by the client's names. */
  readonly unreadOptions: (body: JsonObject) => readonly string[]
  readonly writeCall: (call: NeutralImageCall, warn: Warn) => JsonObject
  readonly readAnswer: (answer: JsonObject) => NeutralImages
  readonly writeAnswer: (images: NeutralImages, answering: ImageAnswering) => JsonObject
  /** Writes a response as a stream; absent in dialects that do not stream images. */
  readonly writeStream?: (images: NeutralImages, answering: Pick<ImageAnswering, 'now'>) => string
}

/** A dialect that only upstreams speak. */
export type UpstreamImageCodec = Pick<ImageCodec, 'writeCall' | 'readAnswer'>

/** A response without anything, to be completed. */
export const noImages: NeutralImages = { images: [], usage: null, size: null, quality: null, refusal: null }

export const imageData = (data: string, mime = 'image/png', revisedPrompt: string | null = null): NeutralImage => ({
  source: { kind: 'data', data, mime },
  revisedPrompt,
})

export const imageAt = (url: string): NeutralImage => ({ source: { kind: 'url', url }, revisedPrompt: null })

/**
 * Returns an image as an address: a data URL where the request holds it.
 * @throws DialectError for a file that another vendor keeps.
 */
export function addressOf(source: Source): string {
  if (source.kind === 'data') return `data:${source.mime};base64,${source.data}`
  if (source.kind === 'url') return source.url
  throw unreadable('images', source)
}

type InlineSource = Extract<Source, { kind: 'data' }>

/**
 * Returns the images of a request for a vendor that takes none by its address: drawn without them, the picture would be another one.
 * @throws DialectError where one is an address or a file that another vendor keeps.
 */
export function requireInline(images: readonly Source[], param: 'images' | 'mask' = 'images'): readonly InlineSource[] {
  return images.map((source) => {
    if (source.kind === 'data') return source
    throw unreadable(param, source)
  })
}

/** Returns the error for an image that the vendor cannot read where it is. */
export function unreadable(param: 'images' | 'mask', { kind }: Exclude<Source, InlineSource>): DialectError {
  const place = kind === 'id' ? 'ids of files' : 'addresses'
  return new DialectError(
    param,
    'invalid_value',
    `Invalid '${param}': this model takes no ${place}. Send the image itself.`,
  )
}

/** No vendor's word is longer; anything longer is not recorded. */
const maxWordLength = 40

/** Returns how many pictures were drawn, of which size and quality, named as the log row names them. */
export function imageDetails({ size, quality }: JsonObject, count: number): UsageDetails {
  const [drawn, qualityText] = [textOf(size), textOf(quality)]
  return {
    image_count: count,
    ...(drawn !== '' && drawn.length <= maxWordLength && { image_size: drawn }),
    ...(qualityText !== '' && qualityText.length <= maxWordLength && { image_quality: qualityText }),
  }
}

/** How OpenAI's requests name the options, which is what callers know. */
const optionNames = {
  size: 'size',
  aspectRatio: 'aspect_ratio',
  quality: 'quality',
  background: 'background',
  format: 'output_format',
  compression: 'output_compression',
  negativePrompt: 'negative_prompt',
  seed: 'seed',
  images: 'image',
  mask: 'mask',
  user: 'user',
} as const satisfies Partial<Record<keyof NeutralImageCall, string>>

/** Warns of those options that the request sets and the target dialect cannot express. */
export function warnOf(call: NeutralImageCall, options: readonly (keyof typeof optionNames)[], warn: Warn): void {
  for (const option of options) if (isSet(call, option)) warn(optionNames[option])
}

function isSet(call: NeutralImageCall, option: keyof typeof optionNames): boolean {
  if (option === 'images') return call.images.length > 0
  return call[option] !== null
}
