/** Names that channel forms suggest and that neither list has a price for, by the reason. The operator sets their prices. */
const withoutPrice: readonly (readonly [reason: string, names: readonly string[]])[] = [
  ['the price depends on the model that the router picks', ['openrouter/auto']],
  ['the application behind it decides what a call costs', ['fastgpt']],
  [
    'sold in yuan on the vendor’s own page; neither list has it',
    [
      ...['text-embedding-v4', 'text-embedding-v3', 'text-embedding-v2', 'yi-lightning', 'yi-vision-v2', 'yi-large-fc'],
      ...['yi-large-preview', 'yi-large-rag-preview', 'MiniMax-Text-01', 'abab6.5s-chat', 'abab6.5-chat', 'abab6-chat'],
      ...['abab5.5s-chat', 'abab5.5-chat', 'BAAI/bge-large-zh-v1.5', 'BAAI/bge-reranker-v2-m3', 'BAAI/bge-m3'],
      ...['Qwen/Qwen3-Reranker-8B', 'doubao-seed-1-8-251228', 'doubao-seed-1-6-251015', 'doubao-seed-1-6-flash-250828'],
      ...['doubao-seed-1-6-vision-250815', 'doubao-1-5-pro-32k-250115', 'doubao-1-5-lite-32k-250115'],
      ...['deepseek-v4-pro-ga-260813', 'deepseek-v4-flash-ga-260731', 'Doubao-pro-256k', 'Doubao-pro-128k'],
      ...['Doubao-pro-32k', 'Doubao-pro-4k', 'Doubao-lite-128k', 'Doubao-lite-32k', 'Doubao-lite-4k'],
      ...['Doubao-embedding', 'ernie-5.0', 'ernie-x1.1', 'ernie-x1-turbo-32k', 'ernie-x1-32k', 'ernie-4.5-turbo-128k'],
      ...['ernie-4.5-turbo-32k', 'ernie-4.5-turbo-vl-32k', 'ernie-4.5-8k-preview', 'ernie-4.0-turbo-8k'],
      ...[
        'ernie-4.0-turbo-128k',
        'ernie-4.0-8k',
        'ernie-3.5-8k',
        'ernie-3.5-128k',
        'ernie-speed-8k',
        'ernie-speed-128k',
      ],
      ...['ernie-speed-pro-128k', 'ernie-lite-8k', 'ernie-lite-pro-128k', 'ernie-tiny-8k'],
    ],
  ],
  [
    'sold by tokens on the vendor’s own page; neither list has it',
    [
      ...['jina-embeddings-v4', 'jina-embeddings-v3', 'jina-embeddings-v2-base-en', 'jina-embeddings-v2-base-zh'],
      ...['jina-embeddings-v2-base-code', 'jina-code-embeddings-1.5b', 'jina-clip-v2', 'jina-clip-v1'],
      ...['jina-reranker-v3', 'jina-reranker-m0', '@cf/baai/bge-m3', '@cf/baai/bge-large-en-v1.5'],
      ...['@cf/baai/bge-small-en-v1.5', 'llama-3.1-405b-instruct-maas'],
    ],
  ],
  [
    'retired, and no list keeps its price',
    [
      ...['gemini-2.0-flash-thinking-exp', 'gemini-1.5-flash-8b', 'c4ai-aya-expanse-8b', 'c4ai-aya-23-35b'],
      ...['c4ai-aya-23-8b', 'rerank-english-v2.0', 'rerank-multilingual-v2.0'],
    ],
  ],
]

const reasons: ReadonlyMap<string, string> = new Map(
  withoutPrice.flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
)

/** Why a suggested model has no price of ours; null when it needs no reason. */
export const reasonWithoutPrice = (name: string): string | null => reasons.get(name) ?? null
