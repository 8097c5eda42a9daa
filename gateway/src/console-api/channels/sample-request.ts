import { channelRoutes } from '@tollgate/contract'
import { inBody } from '@tollgate/dialects'

import { maskAddress, maskMembers, secretMask } from '../../channels/catalog/channel-secrets'
import type { Candidate, Catalog } from '../../channels/catalog/catalog'
import type { Lesson } from '../../channels/calls/requested-call'
import { bodyOf } from '../../channels/calls/parsed-body'
import { prepare } from '../../channels/calls/prepare'
import { isPlainHeader } from '../../channels/calls/sent-secrets'
import { parsedJson } from '../../platform/text/parsed-json'

/** Returns what a candidate would send for a short chat, without credentials; null where it cannot serve one. */
export function sampleRequest(
  { channel, model }: Candidate,
  catalog: Catalog,
  lesson: Lesson | undefined,
): channelRoutes.SampleRequest | null {
  const key = channel.keys.find(({ isEnabled }) => isEnabled)
  if (!key) return null
  const body = bodyOf({ model, messages: [{ role: 'user', content: 'Hello' }] })
  const sampleCall = {
    mode: 'chat',
    dialect: 'openai-chat',
    pathContext: inBody,
    isStream: false,
    body,
    path,
    lesson,
  } as const
  try {
    const { request } = prepare(sampleCall, { channel, key, model }, catalog)
    const withoutKey = (text: string) =>
      text.replaceAll(key.value, secretMask).replaceAll(encodeURIComponent(key.value), secretMask)
    return {
      url: withoutKey(maskAddress(request.url)),
      headers: shownHeaders(request.headers, withoutKey, channel.setting.rewrites ?? []),
      body: typeof request.body === 'string' ? withoutKey(shownBody(request.body)) : '',
    }
  } catch {
    // No chat model, or a key that the vendor's form of address needs and that is not valid.
    return null
  }
}

const path = '/v1/chat/completions'

type Rewrites = NonNullable<Candidate['channel']['setting']['rewrites']>

/** Values of headers that neither the protocol nor a rewrite sets are credentials; those of rewrites may be. */
function shownHeaders(
  headers: Readonly<Record<string, string>>,
  withoutKey: (text: string) => string,
  rewrites: Rewrites,
): Record<string, string> {
  const rewritten = new Set(
    rewrites.flatMap(({ header_override: set = {} }) => Object.keys(set).map((name) => name.toLowerCase())),
  )
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    isPlainHeader(name) || rewritten.has(name.toLowerCase()) ? withoutKey(value) : secretMask,
  ])
  return channelRoutes.SampleRequest.shape.headers.parse(maskMembers(Object.fromEntries(shown)))
}

const shownBody = (text: string): string => JSON.stringify(maskMembers(parsedJson(text)), null, 2)
