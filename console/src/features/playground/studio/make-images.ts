import * as z from 'zod'

import { webAddress } from '../../../lib/url/web-address'
import { ChatError } from '../stream/chat-error'
import { answeredBy, failIfRefused, parseJson, postAsUser } from '../stream/post-as-user'
import type { Parameters } from './initial-request'

/** What the reader asks for; empty texts leave the choice to the model. */
export interface ImageRequest {
  readonly model: string
  readonly group: string
  readonly prompt: string
  readonly count: number
  readonly size: string
  readonly quality: string
  readonly others: Parameters
}

export interface GeneratedImages {
  /** Addresses that a browser can show. */
  readonly images: readonly string[]
  readonly requestId: string | undefined
}

const ImagesResponse = z.object({
  data: z.array(z.object({ url: z.string().nullish(), b64_json: z.string().nullish() })),
})

/**
 * Makes images as the signed-in user.
 * @throws ChatError when the gateway refuses or the response has no images; TypeError without a network; AbortError when aborted.
 */
export async function makeImages(request: ImageRequest, signal: AbortSignal): Promise<GeneratedImages> {
  const response = await postAsUser('/pg/images/generations', bodyOf(request), signal)
  const answer = answeredBy(response)
  const value = parseJson(await response.text())
  failIfRefused(value, answer)
  const imagesResponse = ImagesResponse.safeParse(value).data
  const images = (imagesResponse?.data ?? []).flatMap(({ url, b64_json: bytes }) => addressOf(url, bytes) ?? [])
  if (!response.ok || images.length === 0) throw new ChatError({ kind: 'malformed', ...answer })
  return { images, requestId: answer.requestId }
}

const bodyOf = ({ model, group, prompt, count, size, quality, others }: ImageRequest) => ({
  ...others,
  model,
  group,
  prompt,
  n: count,
  ...(size !== '' && { size }),
  ...(quality !== '' && { quality }),
})

const addressOf = (url: string | null | undefined, bytes: string | null | undefined): string | undefined => {
  if (bytes) return `data:${typeOf(bytes)};base64,${bytes}`
  return url ? webAddress(url) : undefined
}

/** How the Base64 of each format begins. */
const beginnings = [
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
] as const

const typeOf = (base64: string): string => beginnings.find(([start]) => base64.startsWith(start))?.[1] ?? 'image/png'
