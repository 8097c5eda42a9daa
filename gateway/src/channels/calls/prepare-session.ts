import type { DialectId, Mode } from '@tollgate/dialects'
import { descriptionOf, type Target } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import type { Catalog, Choice } from '../catalog/catalog'
import type { Prepared } from './prepare'
import { signingOf } from './signing'

/** A session that is requested, regardless of the channel. */
interface RequestedSession {
  readonly mode: Mode
  readonly dialect: DialectId
  /** The client's path with its query. */
  readonly path: string
  /** The client's headers that belong to its dialect. */
  readonly dialectHeaders: Readonly<Record<string, string>>
}

/**
 * Writes the handshake of a session at one channel.
 * @throws AppError `endpoint.unsupported` when the vendor has no sessions.
 */
export function prepareSession(
  { mode, dialect, path, dialectHeaders }: RequestedSession,
  { channel, key, model }: Choice,
  { options }: Catalog,
): Prepared {
  const { provider, other } = channel
  const upstreamModel = channel.modelMapping.get(model) ?? model
  const of = { model: upstreamModel, key: key.value, other }
  const description = descriptionOf(provider, { mode, dialect }, of)
  if (!description) throw new AppError('endpoint.unsupported', { params: { model } })
  const target: Target = {
    ...of,
    baseUrl: channel.baseUrl,
    mode,
    stream: true,
    path,
    organization: channel.organization,
    site: { name: options.SystemName, url: options.ServerAddress },
    setting: channel.setting,
    dialectHeaders,
  }
  const request = {
    url: description.url(target),
    headers: { 'user-agent': 'Tollgate', ...provider.auth(target), ...description.headers?.(target) },
    body: '',
    proxy: channel.setting.proxy || undefined,
  }
  return {
    request,
    ...signingOf(provider, request, target),
    description,
    isGathered: false,
    isUntouched: true,
    without: [],
    serviceTier: null,
    upstreamModel,
    isModelMapped: upstreamModel !== model,
  }
}
