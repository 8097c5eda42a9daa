import * as z from 'zod'

/** Parses a chat completion's messages and parameters, as far as other dialects can express them. */

const Part = z.object({
  type: z.string().optional(),
  text: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional(),
})
export type ChatPart = z.output<typeof Part>

const ToolCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })
export type ChatToolCall = z.output<typeof ToolCall>

const Message = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  tool_calls: z.array(ToolCall).optional(),
  tool_call_id: z.string().optional(),
})
export type ChatMessage = z.output<typeof Message>

const Tool = z.object({
  function: z.object({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
})

const Parameters = z.object({
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  max_tokens: z.number().optional(),
  frequency_penalty: z.number().optional(),
  presence_penalty: z.number().optional(),
  seed: z.number().optional(),
  stop: z.array(z.string()).optional(),
  tools: z.array(Tool).optional().catch(undefined),
  response_format: z
    .object({
      type: z.string(),
      json_schema: z
        .object({ name: z.string(), schema: z.record(z.string(), z.unknown()) })
        .loose()
        .optional(),
    })
    .optional()
    .catch(undefined),
})
type ChatParameters = z.output<typeof Parameters>

export interface ChatCall {
  readonly system: string
  /** All but the system messages. */
  readonly messages: readonly ChatMessage[]
  readonly parameters: ChatParameters
}

/** Returns what a chat completion requests; invalid parts are left out. */
export function chatCallOf(messages: readonly unknown[], parameters: unknown): ChatCall {
  const known = messages.flatMap((message) => Message.safeParse(message).data ?? [])
  const isSystem = ({ role }: ChatMessage) => role === 'system' || role === 'developer'
  return {
    system: known
      .filter(isSystem)
      .map((message) => textOf(message))
      .join('\n\n'),
    messages: known.filter((message) => !isSystem(message)),
    parameters: Parameters.safeParse(parameters).data ?? {},
  }
}

export const partsOf = ({ content }: ChatMessage): readonly ChatPart[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ text: content }]) : (content ?? [])

export const textOf = (message: ChatMessage): string =>
  partsOf(message)
    .map(({ text = '' }) => text)
    .join('')

/** Returns the type and the content of an image in a `data:` address; undefined for any other. */
export function inlineImage(url: string): { readonly type: string; readonly data: string } | undefined {
  const [, type, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url) ?? []
  return type !== undefined && data !== undefined ? { type, data } : undefined
}

/** Returns a tool's arguments as an object, or as they are if they are not one. */
export function argumentsOf({ function: { arguments: text } }: ChatToolCall): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { text }
  }
}

/** Returns the defined members. */
export const present = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''))
