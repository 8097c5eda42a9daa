/** Names that channel forms suggest and that have no price to charge by, by the reason. The operator sets their prices. */
const withoutPrice: readonly (readonly [reason: string, names: readonly string[]])[] = [
  ['the price depends on the model that the router picks', ['openrouter/auto']],
  [
    'the application behind it decides what a call costs',
    ['fastgpt', 'dify', 'dify-agent', 'dify-completion', 'dify-workflow', 'coze-bot'],
  ],
  [
    'known from one weak source; the price sync proposes it',
    [
      'volc.bigasr.auc_turbo',
      'SparkDesk-v3.5-32K',
      'SparkDesk-v3.1-128K',
      'abab6.5-chat',
      'abab6-chat',
      'Doubao-pro-128k',
      'Doubao-pro-4k',
      'jina-embeddings-v4',
      'jina-clip-v1',
    ],
  ],
  ['free by one weak source', ['ernie-speed-8k', '@cf/stabilityai/stable-diffusion-xl-base-1.0']],
  ['a Chinese character counts as two characters', ['qwen3-tts-flash', 'qwen3-tts-instruct-flash']],
  ['sold by the byte of text', ['FunAudioLLM/CosyVoice2-0.5B']],
  [
    'sold by tiles and steps of a picture',
    ['@cf/black-forest-labs/flux-1-schnell', '@cf/black-forest-labs/flux-2-dev'],
  ],
  [
    'sold by the clip, at prices that are not in proportion to its length',
    [
      'viduq2',
      'viduq2-pro',
      'viduq2-turbo',
      'vidu2.0',
      'MiniMax-Hailuo-2.3',
      'MiniMax-Hailuo-2.3-Fast',
      'MiniMax-Hailuo-02',
    ],
  ],
  [
    'no source has a price',
    [
      'glm-tts',
      'glm-asr-2512',
      'jina-clip-v2',
      'jina-code-embeddings-1.5b',
      'jina-embeddings-v5-text-small',
      'jina-embeddings-v5-text-nano',
      'c4ai-aya-23-35b',
      'c4ai-aya-23-8b',
    ],
  ],
]

const reasons: ReadonlyMap<string, string> = new Map(
  withoutPrice.flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
)

/** Why a suggested model has no price of ours; null when it needs no reason. */
export const reasonWithoutPrice = (name: string): string | null => reasons.get(name) ?? null
