import type { ChatCodec, UpstreamCodec } from '../../core/neutral/codec'
import { dialects } from '../../dialects'

type Entry<Codec> = readonly [id: string, codec: Codec]

/** The dialects that clients and upstreams chat in. */
export const chatCodecs: Readonly<Record<string, ChatCodec>> = Object.fromEntries(
  Object.entries(dialects).flatMap(([id, { codec }]): Entry<ChatCodec>[] =>
    codec?.kind === 'chat' && codec.client && codec.upstream ? [[id, { ...codec.upstream, ...codec.client }]] : [],
  ),
)

/** The dialects that upstreams chat in. */
export const upstreamCodecs: Readonly<Record<string, UpstreamCodec>> = Object.fromEntries(
  Object.entries(dialects).flatMap(([id, { codec }]): Entry<UpstreamCodec>[] =>
    codec?.kind === 'chat' && codec.upstream ? [[id, codec.upstream]] : [],
  ),
)

/** The dialects in which upstreams draw. */
export const imageUpstreams: readonly string[] = Object.values(dialects)
  .filter(({ codec }) => codec?.kind === 'images')
  .map(({ id }) => id)
