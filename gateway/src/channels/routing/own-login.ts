import type { Mode } from '@tollgate/dialects'
import { descriptionOf, takesOwnLogins, type Service } from '@tollgate/providers'

import type { Candidate, Channel, ChannelKey, OwnLogin } from '../catalog/catalog'
import { loginFingerprint } from '../catalog/channel-keys'

/** Sessions are opened with the keys of channels, and so are tasks. */
const modes: ReadonlySet<Service> = new Set<Mode>(['chat', 'completions', 'embeddings', 'images', 'moderation'])
const isMode = (service: Service): service is Mode => modes.has(service)

/**
 * Returns whether a channel serves calls with a client's login: its operator allows it, and nothing is translated, as a login must not
 * reach a vendor that its client does not mean.
 */
export function takesLogin(
  { channel, model }: Pick<Candidate, 'channel' | 'model'>,
  { dialect }: Pick<OwnLogin, 'dialect'>,
  service: Service,
): boolean {
  const { provider, setting, modelMapping, other } = channel
  if (!takesOwnLogins({ setting }) || !isMode(service)) return false
  const target = { model: modelMapping.get(model) ?? model, key: '', other, dialect }
  return descriptionOf(provider, { mode: service, dialect }, target)?.dialect === dialect
}

/**
 * Returns which channels may see a client's login once one has: those at the same host. Others may be of another vendor that speaks the same
 * dialect. `seenBy`: the channel that was called first; absent: none was yet.
 */
export const mayFollow = (
  seenBy: Pick<Channel, 'baseUrl'> | undefined,
  { channel }: Pick<Candidate, 'channel'>,
): boolean => seenBy === undefined || originOf(channel) === originOf(seenBy)

const originOf = ({ baseUrl }: Pick<Channel, 'baseUrl'>): string => URL.parse(baseUrl)?.origin ?? baseUrl

/** Returns a client's login as the key of one call. */
export const loginKey = ({ value }: OwnLogin): ChannelKey => ({
  value,
  fingerprint: loginFingerprint,
  isEnabled: true,
})
