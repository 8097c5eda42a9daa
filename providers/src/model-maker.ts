import type { Text } from './provider'

/** The maker of a model, regardless of the vendor that serves it. */
export interface ModelMaker {
  /** Lower-case, stable. */
  readonly id: string
  readonly name: Text
}

interface Known extends ModelMaker {
  /** Beginnings of the names of its models, in lower case. */
  readonly prefixes: readonly string[]
}

const maker = (id: string, en: string, zh: string, ...prefixes: readonly string[]): Known => ({
  id,
  name: { en, zh },
  prefixes,
})

const known: readonly Known[] = [
  maker('openai', 'OpenAI', 'OpenAI', 'gpt-', 'chatgpt-', 'o1', 'o3', 'o4', 'codex-', 'computer-use', 'dall-e', 'sora'),
  maker('openai', 'OpenAI', 'OpenAI', 'whisper', 'tts-', 'text-embedding-3', 'text-embedding-ada', 'text-moderation'),
  maker('openai', 'OpenAI', 'OpenAI', 'omni-moderation', 'davinci', 'babbage', 'curie', 'text-davinci', 'openai.'),
  maker('anthropic', 'Anthropic', 'Anthropic', 'claude', 'anthropic.'),
  maker(
    'google',
    'Google',
    'Google',
    'gemini',
    'gemma',
    'palm',
    'imagen',
    'veo-',
    'learnlm',
    'text-bison',
    'chat-bison',
  ),
  maker(
    'google',
    'Google',
    'Google',
    'embedding-001',
    'text-embedding-004',
    'text-embedding-005',
    'text-multilingual-embedding',
    'aqa',
  ),
  maker('deepseek', 'DeepSeek', '深度求索', 'deepseek'),
  maker('alibaba', 'Alibaba Qwen', '通义千问', 'qwen', 'qwq', 'qvq', 'text-embedding-v', 'gte-'),
  maker('alibaba', 'Alibaba Qwen', '通义千问', 'wan2', 'wan3', 'wanx', 'happyhorse', 'cosyvoice', 'sensevoice'),
  maker('zhipu', 'Zhipu AI', '智谱 AI', 'glm', 'chatglm', 'codegeex', 'cogview', 'cogvideo', 'charglm'),
  maker('zhipu', 'Zhipu AI', '智谱 AI', 'embedding-2', 'embedding-3'),
  maker('moonshot', 'Moonshot AI', '月之暗面', 'moonshot', 'kimi'),
  maker('bytedance', 'ByteDance Doubao', '字节豆包', 'doubao', 'skylark', 'seedream', 'seedance', 'seed-', 'volc.'),
  maker('bytedance', 'ByteDance Doubao', '字节豆包', 'jimeng'),
  maker('kling', 'Kling AI', '可灵 AI', 'kling', 'kolors'),
  maker('vidu', 'Vidu', 'Vidu', 'vidu'),
  maker('baidu', 'Baidu ERNIE', '百度文心', 'ernie', 'bloomz', 'tao-8k', 'embedding-v1'),
  maker('tencent', 'Tencent Hunyuan', '腾讯混元', 'hunyuan', 'hy3', 'hy4'),
  maker('iflytek', 'iFlytek Spark', '讯飞星火', 'sparkdesk', 'spark-'),
  maker('lingyiwanwu', '01.AI', '零一万物', 'yi-'),
  maker('minimax', 'MiniMax', 'MiniMax', 'minimax', 'abab', 'speech-0', 'speech-2', 'image-01', 'hailuo'),
  maker('ai360', '360 AI', '360 智脑', '360gpt', 'embedding_s1', 'embedding-bert', 'semantic_similarity'),
  maker('stepfun', 'StepFun', '阶跃星辰', 'step-'),
  maker('baichuan', 'Baichuan', '百川智能', 'baichuan'),
  maker('internlm', 'InternLM', '书生', 'internlm', 'internvl'),
  maker('mistral', 'Mistral AI', 'Mistral AI', 'mistral', 'mixtral', 'ministral', 'magistral', 'codestral', 'devstral'),
  maker('mistral', 'Mistral AI', 'Mistral AI', 'pixtral', 'voxtral', 'open-mistral', 'open-mixtral', 'open-codestral'),
  maker('xai', 'xAI', 'xAI', 'grok'),
  maker('meta', 'Meta', 'Meta', 'llama', 'codellama', 'meta-llama', 'meta.llama'),
  maker('cohere', 'Cohere', 'Cohere', 'command', 'c4ai-', 'aya-', 'embed-v', 'embed-english', 'embed-multilingual'),
  maker('cohere', 'Cohere', 'Cohere', 'rerank-v', 'rerank-english', 'rerank-multilingual'),
  maker('jina', 'Jina AI', 'Jina AI', 'jina'),
  maker('baai', 'BAAI', '智源研究院', 'bge-'),
  maker('moka', 'Moka', 'Moka', 'm3e'),
  maker('microsoft', 'Microsoft', '微软', 'phi-', 'wizardlm'),
  maker('amazon', 'Amazon', '亚马逊', 'nova-', 'titan-', 'amazon.'),
  maker('nvidia', 'NVIDIA', '英伟达', 'nemotron', 'nvidia'),
  maker('black-forest-labs', 'Black Forest Labs', 'Black Forest Labs', 'flux'),
  maker('stability', 'Stability AI', 'Stability AI', 'stability.', 'stable-', 'sd3', 'sdxl'),
  maker('midjourney', 'Midjourney', 'Midjourney', 'mj_', 'midjourney', 'swap_face'),
  maker('suno', 'Suno', 'Suno', 'suno', 'chirp-'),
]

/** Every maker by its id. */
export const makers: ReadonlyMap<string, ModelMaker> = new Map(known.map(({ id, name }) => [id, { id, name }]))

/** The longest beginning first: `text-embedding-v4` is not who `text-embedding-` would be. */
const rules: readonly (readonly [prefix: string, maker: ModelMaker])[] = known
  .flatMap(({ id, name, prefixes }) => prefixes.map((prefix) => [prefix, { id, name }] as const))
  .sort(([one], [other]) => other.length - one.length)

/**
 * Who makes the model of this name, by the longest known beginning; undefined where the name tells nothing.
 * What stands before a slash is where it is served (`openai/gpt-4o`, `Pro/deepseek-ai/DeepSeek-R1`), and does not count.
 */
export function makerOf(model: string): ModelMaker | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  return rules.find(([prefix]) => name.startsWith(prefix))?.[1]
}
