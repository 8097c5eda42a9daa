import { channelNumberNames, channelNumbers, type ChannelNumber } from '@tollgate/contract'

import type { Config } from '../../platform/config/config'

/** Returns the numbers in force where the setting of a channel has none: those of the contract, or of the environment. */
export function channelDefaults({
  firstByteTimeoutMs,
  firstByteTimeoutWholeMs,
}: Config): Record<ChannelNumber, number> {
  const defaults = Object.fromEntries(channelNumberNames.map((name) => [name, channelNumbers[name].otherwise]))
  return {
    ...(defaults as Record<ChannelNumber, number>),
    first_byte_timeout: firstByteTimeoutMs / 1000,
    first_byte_timeout_whole: firstByteTimeoutWholeMs / 1000,
  }
}
