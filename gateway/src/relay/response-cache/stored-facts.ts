import { isDialectId, type Usage } from '@tollgate/dialects'
import * as z from 'zod'

import { rewritesFor } from '../../channels/calls/rewrite'
import type { Catalog, Channel } from '../../channels/catalog/catalog'
import { parsedJson } from '../../platform/text/parsed-json'
import { sha256 } from '../../platform/store/seal'

const count = z.number().min(0)
const byName = z.record(z.string(), z.number())

const StoredUsage: z.ZodType<Usage> = z.object({
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  cachedAudioTokens: count.exactOptional(),
  cacheWriteTokens: count,
  cacheWriteHourTokens: count,
  imageTokens: count,
  audioInputTokens: count,
  audioOutputTokens: count,
  reasoningTokens: count,
  seconds: count.exactOptional(),
  toolCalls: z.object({
    webSearch: count.exactOptional(),
    fileSearch: count.exactOptional(),
    codeInterpreter: count.exactOptional(),
    imageGeneration: count.exactOptional(),
    webFetch: count.exactOptional(),
  }),
  details: z
    .object({
      service_tier: z.string().exactOptional(),
      speed: z.string().exactOptional(),
      inference_geo: z.string().exactOptional(),
      iterations: z.array(z.record(z.string(), z.union([z.string(), z.number()]))).exactOptional(),
      tool_use_prompt_tokens: count.exactOptional(),
      prompt_modalities: byName.exactOptional(),
      completion_modalities: byName.exactOptional(),
      image_count: count.exactOptional(),
      image_size: z.string().exactOptional(),
      image_quality: z.string().exactOptional(),
    })
    .exactOptional(),
})

const StoredFacts = z.object({
  /** Unix milliseconds. */
  keptAt: z.number(),
  contentType: z.string(),
  isStream: z.boolean(),
  /** Where the response came from, and what of that decides about its price. */
  channelId: z.int(),
  channelPrint: z.string(),
  dialect: z.string().refine(isDialectId),
  upstreamModel: z.string(),
  serviceTier: z.string().nullable(),
  usage: StoredUsage,
  /** The totals that the gateway counted itself. */
  estimated: z.enum(['prompt', 'completion', 'all']).exactOptional(),
  /** What the request contains and the upstream could not be told. */
  dropped: z.array(z.string()).readonly(),
})

/** What is kept of a response beside its bytes. */
export type StoredFacts = z.output<typeof StoredFacts>

/** Returns the facts in a text; null where another release wrote others. */
export const readStoredFacts = (text: string): StoredFacts | null =>
  StoredFacts.safeParse(parsedJson(text)).data ?? null

interface PrintedCall {
  readonly request: Pick<Request, 'headers'>
  readonly catalog: Pick<Catalog, 'options'>
}

/** Returns a short text that differs where a channel's responses to the same request may, also by the headers that it passes on. */
export const printOf = (
  channel: Channel,
  upstreamModel: string,
  { catalog: { options }, request }: PrintedCall,
): string =>
  sha256(
    JSON.stringify([
      channel.provider.id,
      channel.baseUrl,
      channel.other,
      upstreamModel,
      channel.paramOverride,
      channel.systemPrompt,
      channel.setting,
      channel.organization,
      options['global.pass_through_request_enabled'],
      rewritesFor(channel, upstreamModel).flatMap(({ header_pass: passed = [] }) =>
        passed.map((name) => request.headers.get(name)),
      ),
    ]),
  ).slice(0, 16)
