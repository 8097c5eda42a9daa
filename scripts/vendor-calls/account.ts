import { modelOf, type ModelKind } from '../../models/src/index'
import type { Provider } from '../../providers/src/provider'

/** What a vendor is called with. */
export interface VendorAccount {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly key: string
  readonly other: string
  readonly model: string
  /** Null: the vendor has no embeddings, or no name of one is known. */
  readonly embeddingModel: string | null
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the name of a vendor's variable, such as `DEEPSEEK_API_KEY`. */
const variableOf = ({ id }: Pick<Provider, 'id'>, name: string): string =>
  `${id.toUpperCase().replaceAll('-', '_')}_${name}`

/** Returns what the environment says of a vendor, or why it cannot be called. */
export function accountOf(provider: Provider, environment: Environment): VendorAccount | { readonly missing: string } {
  const read = (name: string): string | undefined => environment[variableOf(provider, name)]?.trim() || undefined
  const missing = (name: string) => ({ missing: `${variableOf(provider, name)} is not set` })
  const key = read('API_KEY')
  if (key === undefined) return missing('API_KEY')
  const baseUrl = read('BASE_URL') ?? provider.baseUrl
  if (baseUrl === null) return missing('BASE_URL')
  const model = read('MODEL') ?? suggestModel(provider, 'chat')
  if (model === null) return missing('MODEL')
  const embeddingModel = read('EMBEDDING_MODEL') ?? suggestModel(provider, 'embedding')
  const other = read('OTHER') ?? provider.fields.find(({ name }) => name === 'other')?.default ?? ''
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    key,
    other,
    model,
    embeddingModel: provider.modes.embeddings ? embeddingModel : null,
  }
}

/** Models that no catalog knows are likely to chat: those of other kinds are named for it. */
function suggestModel({ models }: Provider, kind: ModelKind): string | null {
  const unknown = kind === 'chat' ? models.find((name) => modelOf(name) === null && !isEmbedding.test(name)) : null
  return models.find((name) => modelOf(name)?.kind === kind) ?? unknown ?? null
}

const isEmbedding = /embed|bge|m3e|rerank|similarity/i
