import { z } from 'zod'

/** A vendor that serves a mode in the form of OpenAI or Jina, and what its channel needs. */
export interface PlainVendor {
  readonly name: string
  readonly type: number
  readonly model: string
  readonly key?: string
  readonly other?: string
  /** With its query. */
  readonly path: string
  /** The channel's address is that of the call. */
  readonly isWhole?: boolean
}

/** Input tokens of every call. */
const read = 26

const usage = { prompt_tokens: read, total_tokens: read }

export const embedders: readonly PlainVendor[] = [
  { name: 'OpenAI', type: 1, model: 'text-embedding-3-small', path: '/v1/embeddings' },
  {
    name: 'Azure OpenAI',
    type: 3,
    model: 'text-embedding-3-large',
    other: '2025-01-01-preview',
    path: '/openai/deployments/text-embedding-3-large/embeddings?api-version=2025-01-01-preview',
  },
  { name: 'Alibaba DashScope', type: 17, model: 'text-embedding-v4', path: '/compatible-mode/v1/embeddings' },
  {
    name: 'Zhipu',
    type: 16,
    model: 'embedding-3',
    key: 'an-id.not-a-real-secret',
    path: '/api/paas/v4/embeddings',
  },
  { name: 'VolcEngine', type: 45, model: 'doubao-embedding-text', path: '/api/v3/embeddings' },
  { name: 'Qianfan', type: 46, model: 'tao-8k', path: '/v2/embeddings' },
  { name: 'SiliconCloud', type: 40, model: 'BAAI/bge-m3', path: '/v1/embeddings' },
  { name: 'OpenRouter', type: 20, model: 'openai/text-embedding-ada-002', path: '/v1/embeddings' },
  { name: 'GitHub', type: 49, model: 'cohere/embed-v3-english', path: '/embeddings' },
  {
    name: 'Cloudflare',
    type: 39,
    model: '@cf/baai/bge-m3',
    other: 'an-account',
    path: '/client/v4/accounts/an-account/ai/v1/embeddings',
  },
  { name: 'Mistral', type: 42, model: 'mistral-embed', path: '/v1/embeddings' },
  { name: 'Jina', type: 38, model: 'jina-embeddings-v3', path: '/v1/embeddings' },
  { name: 'Voyage', type: 8, model: 'voyage-4', path: '/v1/embeddings', isWhole: true },
  { name: 'MokaAI', type: 44, model: 'm3e-base', path: '/embeddings' },
  { name: '360', type: 19, model: 'embedding_s1_v1', path: '/v1/embeddings' },
  { name: 'Xinference', type: 47, model: 'bge-base-en', path: '/v1/embeddings' },
]

export const rankers: readonly PlainVendor[] = [
  { name: 'Voyage', type: 8, model: 'rerank-2.5', path: '/v1/rerank', isWhole: true },
  { name: 'Alibaba DashScope', type: 17, model: 'qwen3-rerank', path: '/compatible-api/v1/reranks' },
  { name: 'Zhipu', type: 16, model: 'rerank', key: 'an-id.not-a-real-secret', path: '/api/paas/v4/rerank' },
  { name: 'Qianfan', type: 46, model: 'bce-reranker-base', path: '/v2/rerank' },
  {
    name: 'Baidu',
    type: 15,
    model: 'bce-reranker-base_v1',
    key: 'an-id|not-a-real-secret',
    path: '/rpc/2.0/ai_custom/v1/wenxinworkshop/reranker/bce_reranker_base?access_token=a-token',
  },
  { name: 'SiliconCloud', type: 40, model: 'BAAI/bge-reranker-v2-m3', path: '/v1/rerank' },
  { name: 'Xinference', type: 47, model: 'jina-reranker-v2', path: '/v1/rerank' },
]

export const judges: readonly PlainVendor[] = [
  { name: 'OpenAI', type: 1, model: 'omni-moderation-latest', path: '/v1/moderations' },
  { name: 'Mistral', type: 42, model: 'mistral-moderation-latest', path: '/v1/moderations' },
]

const Call = z.object({
  input: z.union([z.string(), z.array(z.unknown())]).optional(),
  documents: z.array(z.unknown()).optional(),
})

/** Responds as most vendors do. Some do not return documents, some count tokens in `meta`; some know no packed vectors. */
function responseTo({ input, documents }: z.infer<typeof Call>, { name }: PlainVendor, path: string): object {
  if (path.includes('/moderations'))
    return { results: [{ categories: { sexual: false, pii: true }, category_scores: { pii: 0.97 } }] }
  if (documents) {
    const results = documents.map((_, index) => ({ index, relevance_score: 1 / (index + 1) }))
    if (name === 'Voyage') {
      const data = results.map((result, index) => ({ ...result, document: documents[index] }))
      return { object: 'list', data, usage: { total_tokens: read } }
    }
    if (name === 'SiliconCloud' || name === 'Xinference')
      return { id: 'a', results, meta: { tokens: { input_tokens: read, output_tokens: 0 } } }
    return { id: 'a', object: 'rerank_list', results, usage }
  }
  const inputs = Array.isArray(input) ? input : [input]
  const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding: [0.5, index / 4, -1] }))
  return { object: 'list', model: name, data, usage }
}

export const plainVendors: readonly PlainVendor[] = [...embedders, ...rankers, ...judges]

/** Stands in for all of them, each behind its own prefix, and gives tokens. */
export function startPlainStudio() {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (pathname.endsWith('/token')) return Response.json({ access_token: 'a-token', expires_in: 2_592_000 })
      const [, place = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(pathname) ?? []
      const vendor = plainVendors[Number(place)]
      if (vendor?.path !== path + search)
        return Response.json({ error: { message: `Not served: ${path}${search}` } }, { status: 404 })
      return Response.json(responseTo(Call.parse(await request.json()), vendor, path))
    },
  })
}
