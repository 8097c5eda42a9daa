import * as z from 'zod'

import type { ChargeRecord } from '../charge/charge-record'
import { parsedJson } from '../../../platform/text/parsed-json'

/** A row of a journal. Rows that were written before records had a checksum have neither a version nor a checksum. */
export interface JournalRow {
  readonly seq: number
  readonly at: number
  readonly body: unknown
  readonly version: number | null
  readonly checksum: number | null
}

/** Raised with a shape that earlier releases cannot charge; a field that they may ignore does not need it. */
export const recordVersion = 1

const recordSchema = z.object({
  requestId: z.string().min(1),
  cost: z.int().min(0),
  isLogged: z.boolean(),
  userLease: z.string(),
  tokenLease: z.string(),
  entry: z.object({
    createdAt: z.int(),
    type: z.int(),
    userId: z.int(),
    username: z.string(),
    tokenId: z.int(),
    tokenName: z.string(),
    modelName: z.string(),
    group: z.string(),
    channelId: z.int(),
    channelName: z.string(),
    isStream: z.boolean(),
    useTimeSeconds: z.int(),
    promptTokens: z.int(),
    completionTokens: z.int(),
    content: z.string(),
    clientIp: z.string(),
    other: z.string(),
    measures: z
      .object({
        wholeMs: z.int(),
        firstTokenMs: z.int().nullable(),
        cachedTokens: z.int(),
        cacheSaved: z.int(),
      })
      .optional(),
    vendorCost: z.int().optional(),
    errorCode: z.string().optional(),
  }),
}) satisfies z.ZodType<ChargeRecord>

export const checksumOf = (body: string): number => Bun.hash.crc32(body)

/** Returns the record of a row, or why there is none. */
export function readRecord({ body, version, checksum }: JournalRow): ChargeRecord | string {
  if (typeof body !== 'string') return 'the record is not a text'
  if (version !== null && version > recordVersion) return `version ${version} is newer than this release`
  if (checksum === null ? version !== null : checksum !== checksumOf(body)) return 'the checksum does not match'
  const parsed = recordSchema.safeParse(parsedJson(body))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `the shape is wrong at ${issue?.path.join('.') || 'its root'}: ${issue?.code ?? 'unknown'}`
}
