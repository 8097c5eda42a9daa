import { useRef, useState } from 'react'
import * as z from 'zod'

import { loggedCall } from '../../../lib/api/logged-call'
import type { Failure } from '../session/session'
import { newId } from '../session/new-id'
import { answeredBy, ChatError, failIfRefused, failureOf, postAsUser } from '../stream/post-as-user'
import { parseJson } from '../../../lib/text/parse-json'
import { webAddress } from '../../../lib/url/web-address'
import type { Parameters } from './initial-request'

/** One request and its outcome. */
export interface ImageRun {
  readonly id: string
  readonly request: ImageRequest
  /** Milliseconds. */
  readonly startedAt: number
  readonly tookMs?: number
  readonly images?: readonly string[]
  readonly failure?: Failure
  readonly requestId?: string | undefined
  /** The charge, once the log has it. */
  readonly quota?: number
}

/** The requests of this visit, newest first, and functions that start and stop one. */
export function useImageRuns() {
  const [runs, setRuns] = useState<readonly ImageRun[]>([])
  const current = useRef(new Map<string, AbortController>())
  const change = (id: string, changes: Partial<ImageRun>) =>
    setRuns((known) => known.map((run) => (run.id === id ? { ...run, ...changes } : run)))
  const remove = (id: string) => setRuns((known) => known.filter((run) => run.id !== id))

  async function make(request: ImageRequest) {
    const run: ImageRun = { id: newId(), request, startedAt: Date.now() }
    const controller = new AbortController()
    current.current.set(run.id, controller)
    setRuns((known) => [run, ...known])
    try {
      const result = await makeImages(request, controller.signal)
      change(run.id, { ...result, tookMs: Date.now() - run.startedAt })
      const logged = result.requestId ? await loggedCall(result.requestId) : undefined
      if (logged) change(run.id, { quota: logged.quota })
    } catch (error) {
      if (controller.signal.aborted) remove(run.id)
      else change(run.id, { failure: failureOf(error), tookMs: Date.now() - run.startedAt })
    } finally {
      current.current.delete(run.id)
    }
  }

  return {
    runs,
    make: (request: ImageRequest) => void make(request),
    stop: (id: string) => current.current.get(id)?.abort(),
  }
}

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

interface GeneratedImages {
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
async function makeImages(request: ImageRequest, signal: AbortSignal): Promise<GeneratedImages> {
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
