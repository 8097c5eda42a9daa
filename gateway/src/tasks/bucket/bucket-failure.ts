import { AppError } from '../../platform/app-error'
import type { Phrase, PhraseCode } from '@tollgate/contract'

import type { Bucket } from './bucket'

const maxErrorTextLength = 200

/** The storage failed, or refused a call. */
export class BucketFailure extends Error {
  override readonly name = 'BucketFailure'

  constructor(
    /** What is wrong, for the operator who set the bucket up. */
    readonly reason: Phrase,
    /** 0: there was no response. */
    readonly status: number,
    cause?: unknown,
  ) {
    super(reason.code, { cause })
  }

  /** The connection failed, or no response came in time. */
  static ofConnection(bucket: Bucket, cause: unknown): BucketFailure {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    const detail = cause instanceof Error ? cause.message : String(cause)
    return failure(isLate ? 's3.timeout' : 's3.unreachable', bucket, { status: 0, detail, cause })
  }

  /** `body` is the beginning of an error response. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
  static ofResponse(bucket: Bucket, status: number, body: string): BucketFailure {
    const code = textIn(body, 'Code')
    const detail = [code || `HTTP ${status}`, textIn(body, 'Message')].filter(Boolean).join(': ')
    return failure(reasons[code] ?? byStatus(status), bucket, { status, detail })
  }
}

function failure(
  code: PhraseCode,
  { endpoint, name }: Bucket,
  { status, detail, cause }: { readonly status: number; readonly detail: string; readonly cause?: unknown },
): BucketFailure {
  const params = {
    server: new URL(endpoint).host,
    bucket: name,
    answer: detail.replaceAll(/\p{Cc}+/gu, ' ').slice(0, maxErrorTextLength),
  }
  return new BucketFailure({ code, params }, status, cause)
}

const reasons: Readonly<Record<string, PhraseCode>> = {
  InvalidAccessKeyId: 's3.key',
  SignatureDoesNotMatch: 's3.key',
  AccessDenied: 's3.denied',
  NoSuchBucket: 's3.bucket_none',
  PermanentRedirect: 's3.region',
  AuthorizationHeaderMalformed: 's3.region',
  RequestTimeTooSkewed: 's3.clock',
}

function byStatus(status: number): PhraseCode {
  if (status >= 300 && status < 400) return 's3.region'
  return status === 401 || status === 403 ? 's3.denied' : 's3.failed'
}

const textIn = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''

/** Resolves with what a call for a file of a user resolves with. @throws AppError `file.away` where the storage fails. */
export const orAway = <Value>(call: Promise<Value>): Promise<Value> =>
  call.catch((cause: unknown) => {
    throw cause instanceof BucketFailure ? new AppError('file.away', { cause }) : cause
  })
