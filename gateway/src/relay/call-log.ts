import type { WrittenLogDetails } from '@tollgate/contract'

import type { IncomingCall } from './call'
import type { Clock } from '../platform/time/clock'
import type { Channel, Choice } from '../channels/catalog/catalog'
import type { UpstreamError, UpstreamFault } from '../channels/calls/upstream-error'
import { mask } from '../platform/text/mask'

type CallFacts = Pick<WrittenLogDetails, 'dialect' | 'endpoint' | 'task_id'> & { readonly use_time_ms: number }

interface Caused {
  readonly call: Pick<IncomingCall, 'startedAt' | 'dialect' | 'path' | 'taskId'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Returns how the caller called and how long the call has taken so far, for any row of the call. */
export const callFacts = ({ call, clock }: Caused): CallFacts => ({
  use_time_ms: Math.round(clock.monotonic() - call.startedAt),
  dialect: call.dialect,
  endpoint: call.path.slice(0, maxPathLength),
  task_id: call.taskId,
})

/** A path may contain a model name of any length. */
const maxPathLength = 200

/** The headers in which vendors report their own request id. */
const idHeaders = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'] as const

const maxIdLength = 128

/** Returns the upstream's own request id, which its vendor's support asks for; undefined when there is none. */
export function upstreamRequestId(headers: Pick<Headers, 'get'>): string | undefined {
  for (const name of idHeaders) {
    const id = headers.get(name)?.trim() ?? ''
    if (id !== '' && id.length <= maxIdLength && /^[\x21-\x7e]+$/.test(id)) return id
  }
  return undefined
}

/** One attempt at one channel. */
export interface AttemptRecord {
  readonly channel: Channel
  readonly keyFingerprint: string
  /** As requested, before the channel's mapping. */
  readonly model: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  /** The upstream's status, 200 when it served. */
  readonly status: number
  readonly milliseconds: number
  /** Why it failed; empty for the attempt that served. */
  readonly fault: UpstreamFault | ''
  /** The upstream's own description of the failure, masked. */
  readonly reason: string
}

/** Returns the record of an attempt that ends now. */
export function recordOf(
  { channel, key, model }: Choice,
  startedAt: number,
  { clock }: Pick<Caused, 'clock'>,
  error?: UpstreamError,
): AttemptRecord {
  const milliseconds = Math.round(clock.monotonic() - startedAt)
  return {
    channel,
    keyFingerprint: key.fingerprint,
    model,
    startedAt,
    milliseconds,
    status: error?.status ?? 200,
    fault: error?.fault ?? '',
    reason: error ? mask(error.message, error.secrets) : '',
  }
}

/** Returns the route that a call took, for administrators. */
export const adminInfo = (records: readonly AttemptRecord[]) => ({
  use_channel: records.map(({ channel }) => String(channel.id)),
  attempts: records.map(({ channel, keyFingerprint, status, milliseconds, reason }) => ({
    channel: channel.id,
    key: keyFingerprint,
    status,
    ms: milliseconds,
    reason: reason || undefined,
  })),
})
