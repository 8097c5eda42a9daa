/** A vendor of LiteLLM as a channel here. */
interface Vendor {
  readonly type: number
  /** Where it is called, if its channels have no address of their own. */
  readonly baseUrl?: string
}

const openAi = 1
const atAddress = (baseUrl: string): Vendor => ({ type: openAi, baseUrl })
const anyAddress: Vendor = { type: openAi }

/** By the prefix of a model, as `openai/gpt-4o`: https://docs.litellm.ai/docs/providers */
const vendors: Readonly<Record<string, Vendor>> = {
  openai: anyAddress,
  'text-completion-openai': anyAddress,
  custom_openai: anyAddress,
  openai_like: anyAddress,
  hosted_vllm: anyAddress,
  vllm: anyAddress,
  lm_studio: anyAddress,
  llamafile: anyAddress,
  litellm_proxy: anyAddress,
  azure: { type: 3 },
  azure_text: { type: 3 },
  anthropic: { type: 14 },
  bedrock: { type: 33 },
  bedrock_converse: { type: 33 },
  vertex_ai: { type: 41 },
  vertex_ai_beta: { type: 41 },
  gemini: { type: 24 },
  cohere: { type: 34 },
  cohere_chat: { type: 34 },
  mistral: { type: 42 },
  deepseek: { type: 43 },
  openrouter: { type: 20 },
  ollama: { type: 4 },
  ollama_chat: { type: 4 },
  xai: { type: 48 },
  jina_ai: { type: 38 },
  dashscope: { type: 17 },
  moonshot: { type: 25 },
  volcengine: { type: 45 },
  zai: { type: 16 },
  minimax: { type: 35 },
  siliconflow: { type: 40 },
  xinference: { type: 47 },
  groq: atAddress('https://api.groq.com/openai'),
  together_ai: atAddress('https://api.together.xyz'),
  fireworks_ai: atAddress('https://api.fireworks.ai/inference'),
  novita: atAddress('https://api.novita.ai/v3/openai'),
  nvidia_nim: atAddress('https://integrate.api.nvidia.com'),
  cerebras: atAddress('https://api.cerebras.ai'),
}

/** Which vendor a model is of, and what that vendor calls it. */
interface NamedModel {
  readonly vendor: Vendor | null
  readonly prefix: string
  readonly model: string
}

/** Returns the vendor that the prefix of a model names; without a prefix, the one whose models begin so. */
export function vendorOf(text: string): NamedModel {
  const slash = text.indexOf('/')
  const prefix = slash < 0 ? '' : text.slice(0, slash)
  const vendor = Object.hasOwn(vendors, prefix) ? vendors[prefix] : undefined
  if (vendor) return { vendor, prefix, model: modelName(prefix, text.slice(slash + 1)) }
  if (slash >= 0) return { vendor: null, prefix, model: text }
  if (/^(?:gpt-|o\d|chatgpt-|text-embedding-|dall-e|tts-|whisper)/.test(text))
    return { vendor: anyAddress, prefix: 'openai', model: text }
  if (text.startsWith('claude')) return { vendor: { type: 14 }, prefix: 'anthropic', model: text }
  return { vendor: null, prefix: text, model: text }
}

/** Bedrock's names may say by which of its APIs a model is called. */
const modelName = (prefix: string, name: string): string =>
  prefix.startsWith('bedrock') ? name.replace(/^(?:converse|invoke|converse_like)\//, '') : name
