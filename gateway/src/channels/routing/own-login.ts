import type { Mode } from '@tollgate/dialects'
import { descriptionOf, takesOwnLogins, type Service } from '@tollgate/providers'

import type { Candidate, ChannelKey, OwnLogin } from '../catalog/catalog'
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

/** Returns a client's login as the key of one call. */
export const loginKey = ({ value }: OwnLogin): ChannelKey => ({
  value,
  fingerprint: loginFingerprint,
  isEnabled: true,
})
