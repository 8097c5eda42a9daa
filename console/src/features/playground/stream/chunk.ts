import * as z from 'zod'

import type { Arrived, ToolCallPiece } from '../session/grow-answer'
import type { Facts } from '../session/reducer'
import type { Usage } from '../session/session'

/** A frame of a streamed response, parsed loosely: vendor extensions are ignored. */

const Count = z.number().nonnegative().nullish().catch(undefined)

const UsageFields = z.object({
  prompt_tokens: Count,
  completion_tokens: Count,
  prompt_tokens_details: z.object({ cached_tokens: Count }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: Count }).nullish().catch(undefined),
})

const Image = z.object({ image_url: z.object({ url: z.string() }) })
const Part = z.object({
  text: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional(),
  thinking: z
    .array(z.object({ text: z.string() }))
    .optional()
    .catch(undefined),
})
const Parts = z.array(Part.catch({}))

const Called = z.object({
  index: z.number().int().min(0).max(127).optional().catch(undefined),
  id: z.string().nullish().catch(undefined),
  function: z
    .object({ name: z.string().nullish().catch(undefined), arguments: z.string().nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
})

const Message = z.object({
  content: z.union([z.string(), Parts]).nullish().catch(undefined),
  reasoning_content: z.string().nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
  refusal: z.string().nullish().catch(undefined),
  images: z.array(Image).nullish().catch(undefined),
  tool_calls: z.array(Called).nullish().catch(undefined),
})

const Choice = z.object({
  delta: Message.nullish().catch(undefined),
  /** Present in responses that were not streamed. */
  message: Message.nullish().catch(undefined),
  finish_reason: z.string().nullish().catch(undefined),
})

const Chunk = z.object({
  choices: z.array(Choice).nullish().catch(undefined),
  usage: UsageFields.nullish().catch(undefined),
})

const ErrorFrame = z.object({
  error: z.union([
    z.string(),
    z.object({ message: z.string().catch(''), code: z.union([z.string(), z.number()]).nullish().catch(undefined) }),
  ]),
})

/** Content of a frame. */
export interface Frame {
  readonly arrived: Arrived | undefined
  readonly facts: Facts
}

/** Returns the frame in a parsed JSON text; undefined for anything else. */
export function frameOf(value: unknown): Frame | undefined {
  const chunk = Chunk.safeParse(value).data
  if (!chunk) return undefined
  const choice = chunk.choices?.[0]
  const facts: Facts = {
    ...(chunk.usage && { usage: usageOf(chunk.usage) }),
    ...(choice?.finish_reason && { finishReason: choice.finish_reason }),
  }
  const message = choice?.delta ?? choice?.message
  return { arrived: message ? readMessage(message) : undefined, facts }
}

/** Returns the error in a frame or a refusal. */
export function errorIn(value: unknown): { readonly message: string; readonly code?: string } | undefined {
  const error = ErrorFrame.safeParse(value).data?.error
  if (error === undefined) return undefined
  if (typeof error === 'string') return { message: error }
  return {
    message: error.message,
    ...(error.code !== undefined && error.code !== null && { code: String(error.code) }),
  }
}

function readMessage(message: z.output<typeof Message>): Arrived | undefined {
  const parts = typeof message.content === 'string' ? [{ text: message.content }] : (message.content ?? [])
  const thinking = parts.flatMap((part) => ('thinking' in part ? (part.thinking ?? []) : [])).map(({ text }) => text)
  const shown = parts.flatMap((part) => ('image_url' in part && part.image_url ? [part.image_url.url] : []))
  const arrived: Arrived = {
    content: parts.map(({ text }) => text ?? '').join('') + (message.refusal ?? ''),
    reasoning: (message.reasoning_content ?? message.reasoning ?? '') + thinking.join(''),
    images: [...shown, ...(message.images ?? []).map(({ image_url: { url } }) => url)],
  }
  const toolCalls = (message.tool_calls ?? []).map(pieceOf)
  if (toolCalls.length > 0) return { ...arrived, toolCalls }
  return arrived.content || arrived.reasoning || arrived.images.length > 0 ? arrived : undefined
}

/** In a response of one piece the place in the list replaces the index. */
const pieceOf = ({ index, id, function: called }: z.output<typeof Called>, position: number): ToolCallPiece => ({
  index: index ?? position,
  ...(id && { id }),
  ...(called?.name && { name: called.name }),
  ...(called?.arguments && { input: called.arguments }),
})

const usageOf = (usage: z.output<typeof UsageFields>): Usage => ({
  promptTokens: usage.prompt_tokens ?? 0,
  completionTokens: usage.completion_tokens ?? 0,
  cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
  reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
})
