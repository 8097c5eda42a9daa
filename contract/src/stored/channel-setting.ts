import * as z from 'zod'

import { ownKeyHeader } from '../http/headers'
import { refusal } from './phrases'

/** The numeric keys of a channel's setting: the server's bounds, and the default where a channel sets nothing. */
export const channelNumbers = {
  /** Concurrent calls of one worker; 0: any number. */
  max_concurrency: { min: 0, max: 100_000, otherwise: 0 },
  /** Calls that may wait for a slot. */
  max_waiting: { min: 0, max: 100_000, otherwise: 100 },
  /** The longest wait of each. */
  max_wait_seconds: { min: 0, max: 3600, otherwise: 10 },
  /** Seconds until a stream must begin. The environment may set another default. */
  first_byte_timeout: { min: 1, max: 86_400, otherwise: 60 },
  /** Seconds until a response in one piece must begin, which is when it is ready. */
  first_byte_timeout_whole: { min: 1, max: 86_400, otherwise: 300 },
} as const
export type ChannelNumber = keyof typeof channelNumbers
export const channelNumberNames = Object.keys(channelNumbers) as [ChannelNumber, ...ChannelNumber[]]

const number = (name: ChannelNumber) =>
  z.number().int().min(channelNumbers[name].min).max(channelNumbers[name].max).optional()

/** Headers of the connection, and of the body that the gateway writes. */
const unchangeable: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that tell who the client is. */
const personal: ReadonlySet<string> = new Set([
  'api-key',
  'authorization',
  'cookie',
  'forwarded',
  'mj-api-secret',
  ownKeyHeader.toLowerCase(),
  'x-api-key',
  'x-forwarded-for',
  'x-goog-api-key',
  'x-real-ip',
])

const headerName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/)
  .refine((name) => !unchangeable.has(name.toLowerCase()), refusal('reason.header_fixed'))
const headerText = z
  .string()
  .max(8192)
  .regex(/^[\x20-\x7e]*$/)
const members = z.record(z.string().min(1).max(255), z.unknown()).optional()

/** One of the changes that a channel makes to its requests, in the upstream's dialect. */
export const ChannelRewrite = z.strictObject({
  /** Patterns of the upstream's names of the models, in which `*` stands for any text. Absent: all. */
  models: z.array(z.string().min(1).max(255)).min(1).max(100).optional(),
  /** Null removes. */
  header_override: z.record(headerName, headerText.nullable()).optional(),
  /** Names of headers of the client that go on to the upstream. */
  header_pass: z
    .array(headerName.refine((name) => !personal.has(name.toLowerCase()), refusal('reason.header_personal')))
    .max(50)
    .optional(),
  /** Members of the body, with dots for those of objects in it; null removes. */
  param_override: members,
  /** Members for bodies that have none of that name. */
  param_default: members,
})
export type ChannelRewrite = Readonly<z.infer<typeof ChannelRewrite>>

/** The keys of a channel's `setting`, a JSON text, that every vendor's channels may have. */
export const ChannelSetting = z.object({
  proxy: z.string().optional(),
  force_format: z.boolean().optional(),
  thinking_to_content: z.boolean().optional(),
  think_tag_to_reasoning: z.boolean().optional(),
  /** The upstream does nothing but stream: responses in one piece are gathered from a stream. */
  stream_only: z.boolean().optional(),
  pass_through_body_enabled: z.boolean().optional(),
  system_prompt_override: z.boolean().optional(),
  /** Applied in order, after `param_override` of the channel. */
  rewrites: z.array(ChannelRewrite).max(50).optional(),
  /** What happens upstream when the client leaves. */
  on_disconnect: z.enum(['cancel', 'drain']).optional(),
  max_concurrency: number('max_concurrency'),
  max_waiting: number('max_waiting'),
  max_wait_seconds: number('max_wait_seconds'),
  first_byte_timeout: number('first_byte_timeout'),
  first_byte_timeout_whole: number('first_byte_timeout_whole'),
  /** Calls of one conversation need not stay with this channel and one of its keys, whose caches know it. */
  no_session_affinity: z.boolean().optional(),
})
export type ChannelSetting = Readonly<z.infer<typeof ChannelSetting>>

export const fieldKinds = ['text', 'number', 'switch', 'json', 'select'] as const

/** A field of the channel editor by which a vendor describes a value of its own. */
interface VendorField {
  /** A column of the channel, or `setting.<key>`. */
  readonly name: string
  readonly kind: (typeof fieldKinds)[number]
  readonly options?: readonly { readonly value: string }[]
}

const prefix = 'setting.'

/** Returns the schema of the setting of a vendor's channels: the keys that all have, and those of the vendor's own fields. */
export function channelSettingOf(fields: readonly VendorField[]): typeof ChannelSetting {
  const own: Record<string, z.ZodType> = {}
  for (const field of fields) {
    if (field.name.startsWith(prefix)) own[field.name.slice(prefix.length)] = valueOf(field).optional()
  }
  const shape: typeof ChannelSetting.shape = { ...own, ...ChannelSetting.shape }
  return z.object(shape)
}

function valueOf({ kind, options = [] }: VendorField): z.ZodType {
  switch (kind) {
    case 'switch':
      return z.boolean()
    case 'number':
      return z.number().min(0)
    case 'select':
      return z.enum(options.map(({ value }) => value))
    default:
      return z.string()
  }
}
