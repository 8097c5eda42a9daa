import * as z from 'zod'

import type { ChargeRecord } from '../charge/charge-record'
import { leaseId } from '../lease/lease-charges'
import { drawsPattern } from '../window/named-draws'
import { parsedJson } from '../../../platform/text/parsed-json'

/** Raised with a shape that earlier releases cannot charge; a field that they may ignore does not need it. */
export const recordVersion = 2

/** Builds before the first release wrote each draw by itself, with the name of its lease. */
const earlierDraws = z
  .array(z.object({ lease: z.string(), period: z.int(), amount: z.int().min(0) }))
  .transform((draws) =>
    draws.map(({ lease, period, amount }) => ({
      series: lease.slice(0, -leaseId('', 'window', period).length),
      drawn: [period, amount],
    })),
  )

/** Releases before version 2 wrote the amounts. */
const windowDraws = z.union([
  z.array(z.union([z.string().regex(drawsPattern), z.object({ series: z.string(), drawn: z.array(z.int().min(0)) })])),
  earlierDraws,
])

const recordSchema = z.object({
  requestId: z.string().min(1),
  cost: z.int().min(0),
  isLogged: z.boolean(),
  userLease: z.string(),
  tokenLease: z.string(),
  windows: windowDraws.optional(),
  subscription: z.int().optional(),
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
        wholeMs: z.int().nullable(),
        firstTokenMs: z.int().nullable(),
        cachedTokens: z.int(),
        cacheSaved: z.int(),
      })
      .optional(),
    vendorCost: z.int().optional(),
    vendorSaved: z.int().optional(),
    upstreamKey: z.string().optional(),
    errorCode: z.string().optional(),
  }),
}) satisfies z.ZodType<ChargeRecord>

/** What stands before the charge in a line of a journal. */
export interface LineHead {
  /** Rises from line to line. */
  readonly seq: number
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  readonly version: number
  /** The charge as JSON. */
  readonly body: string
}

const checksumLength = 8

const checksumOf = (text: string): string => Bun.hash.crc32(text).toString(16).padStart(checksumLength, '0')

/**
 * Returns the line of a charge: the CRC-32 of what follows it, number, time, version and the charge as JSON. JSON has no line break, so a
 * damaged line hides no other, and one that was cut has no end.
 */
export function lineOf(record: ChargeRecord, seq: number, at: number): string {
  const text = `${seq} ${at} ${recordVersion} ${JSON.stringify(record)}`
  return `${checksumOf(text)} ${text}\n`
}

/** Returns what stands in a line, without its end; null when that is not what was written. */
export function readHead(line: string): LineHead | null {
  const text = line.slice(checksumLength + 1)
  if (line.slice(0, checksumLength) !== checksumOf(text)) return null
  const found = /^(\d{1,15}) (\d{1,15}) (\d{1,9}) /.exec(text)
  if (!found) return null
  const [start, seq, at, version] = found
  return { seq: Number(seq), at: Number(at), version: Number(version), body: text.slice(start.length) }
}

/** Returns the charge of a line, or why it has none. */
export function readRecord({ version, body }: Pick<LineHead, 'version' | 'body'>): ChargeRecord | string {
  if (version > recordVersion) return `version ${version} is newer than this release`
  const parsed = recordSchema.safeParse(parsedJson(body))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `the shape is wrong at ${issue?.path.join('.') || 'its root'}: ${issue?.code ?? 'unknown'}`
}
