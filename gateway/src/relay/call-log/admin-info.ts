import type { AttemptRecord } from '../attempt/attempts'

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
