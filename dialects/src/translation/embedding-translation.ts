import type { JsonObject } from '../core/json'
import type { ClientEmbeddingCodec, NeutralEmbedding, UpstreamEmbeddingCodec } from '../core/neutral/embedding'
import { objectOf } from '../core/neutral/read'
import type { Translate } from './translate'

/** The way of a call for vectors. Never streams. */
export function embeddingTranslation(client: ClientEmbeddingCodec, upstream: UpstreamEmbeddingCodec): Translate {
  return (body, pathContext, upstreamModel) => {
    const call = client.readCall(body, pathContext)
    const warnings = new Set<string>()
    const written = upstream.writeCall({ ...call, model: upstreamModel }, (what) => warnings.add(what))
    for (const name of lostMembers(call, written)) warnings.add(name)
    return {
      body: written,
      warnings: [...warnings],
      read: (answer) => ({
        leftOut: [],
        write: (usage, options) => client.writeAnswer({ ...upstream.readAnswer(answer), usage }, { ...options, call }),
      }),
    }
  }
}

/** Members that did not reach the upstream, be it among its options. */
const lostMembers = ({ own }: NeutralEmbedding, written: JsonObject): readonly string[] =>
  Object.keys(own).filter((name) => !(name in written) && !(name in objectOf(written['options'])))
