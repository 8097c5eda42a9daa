import { statusOf, type ErrorCode, type PhraseParam, type PhraseParams } from '@tollgate/contract'

export interface AppErrorDetails {
  /** Values for the placeholders of the sentence. */
  params?: PhraseParams
  /** For the log only; never shown to a caller. */
  logMessage?: string
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number
  cause?: unknown
  /** Sibling members of the message in the envelope, where a route has them on failure as well. */
  envelopeFields?: Readonly<Record<string, unknown>>
}

/** Temporary failures, and when a retry makes sense. */
const retryAfterByCode: Partial<Record<ErrorCode, number>> = {
  'ledger.unavailable': 5,
  'db.down': 5,
  'gateway.draining': 1,
  'gateway.files': 5,
}

/** A value may be what the caller sent, of any length; its beginning shows which one is meant. */
const maxValueLength = 256

const shortenAll = (params: PhraseParams): PhraseParams =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shorten(value)]))

function shorten(value: PhraseParam): PhraseParam {
  if (typeof value === 'string' && value.length > maxValueLength)
    return `${value.slice(0, maxValueLength).toWellFormed()}…`
  if (typeof value !== 'object' || !('code' in value) || value.params === undefined) return value
  return { ...value, params: shortenAll(value.params) }
}

/** A failure that is reported to a caller: a machine-readable code, a sentence in the caller's language, nothing secret. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly status: number
  readonly params: PhraseParams
  readonly retryAfterSeconds: number | undefined
  readonly envelopeFields: Readonly<Record<string, unknown>> | undefined

  constructor(
    readonly code: ErrorCode,
    details: AppErrorDetails = {},
  ) {
    super(details.logMessage ?? code, { cause: details.cause })
    this.status = statusOf(code)
    this.params = shortenAll(details.params ?? {})
    this.envelopeFields = details.envelopeFields
    this.retryAfterSeconds = details.retryAfterSeconds ?? retryAfterByCode[code]
  }
}
