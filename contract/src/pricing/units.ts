import * as z from 'zod'

import { refusal } from '../stored/phrases'

/** Quota: the integer unit of money. 500,000 quota are one US dollar unless the operator changed `QuotaPerUnit`. */
export const Quota = z.number().int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).brand<'Quota'>()
export type Quota = z.output<typeof Quota>

/** Seconds since 1970-01-01T00:00:00Z. */
export const UnixSeconds = z.number().int().brand<'UnixSeconds'>()
export type UnixSeconds = z.output<typeof UnixSeconds>

const id = () => z.number().int().positive().max(Number.MAX_SAFE_INTEGER)

export const UserId = id().brand<'UserId'>()
export type UserId = z.output<typeof UserId>

export const TokenId = id().brand<'TokenId'>()
export type TokenId = z.output<typeof TokenId>

export const ChannelId = id().brand<'ChannelId'>()
export type ChannelId = z.output<typeof ChannelId>

export const RedemptionId = id().brand<'RedemptionId'>()
export type RedemptionId = z.output<typeof RedemptionId>

/** An id in a path or a query: decimal digits. */
export const idText = <Id extends z.ZodType<number, number>>(schema: Id) =>
  z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .pipe(schema)

/** A flag in a query: `true`, `1` and the bare name are true. */
export const flagText = z.enum(['true', '1', '', 'false', '0']).transform((text) => text !== 'false' && text !== '0')

const maxExact = Number.MAX_SAFE_INTEGER

/** A whole number in a query. An empty text counts as absent. Beyond exact numbers one less may be the same number, so the last exact one stands for it. */
export const wholeNumberText = z
  .string()
  .regex(/^-?\d{0,16}$/)
  .transform((text) =>
    text === '' || text === '-' ? undefined : Math.min(Math.max(Number(text), -maxExact), maxExact),
  )

/** Text without the one character that PostgreSQL cannot store or compare. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => !text.includes('\0'), refusal('reason.null_character'))

/**
 * The name of a thing, or another text of one line: trimmed, without control characters, which lists, mails, files and log lines that show
 * the name cannot show.
 */
export const nameText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !/\p{Cc}/u.test(text), refusal('reason.control_characters'))

/** A list in a query: one value per line, blank lines ignored. */
export const linesText = (maxLines: number, maxLineLength = 255) =>
  plainText(maxLines * (maxLineLength + 1))
    .transform((text) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    )
    .refine((lines) => lines.length <= maxLines)
