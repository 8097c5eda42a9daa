import type { EmbeddingCodec, UpstreamEmbeddingCodec } from '../neutral/embedding'
import type { Translate } from './translate'

/** The way of a call for vectors. Never streams. */
export function embeddingTranslation(client: EmbeddingCodec, upstream: UpstreamEmbeddingCodec): Translate {
  return (body, place, upstreamModel) => {
    const call = client.readCall(body, place)
    const warnings = new Set<string>()
    const written = upstream.writeCall({ ...call, model: upstreamModel }, (what) => warnings.add(what))
    return {
      body: written,
      warnings: [...warnings],
      answer: (answer, usage, { model }) =>
        client.writeAnswer({ ...upstream.readAnswer(answer), usage }, { model, call }),
    }
  }
}
