/** Hosts that made the models they list, or those whose name matches. What they say of their own counts alone. */
export const makers: Readonly<Record<string, RegExp>> = {
  openai: /./,
  'text-completion-openai': /./,
  anthropic: /./,
  google: /^(gemini|gemma|veo|imagen)/,
  gemini: /./,
  'google-vertex': /^(gemini|gemma|veo|imagen)/,
  'vertex_ai-language-models': /^gemini/,
  mistral: /./,
  deepseek: /./,
  xai: /./,
  moonshotai: /./,
  'moonshotai-cn': /./,
  moonshot: /./,
  minimax: /./,
  'minimax-cn': /./,
  alibaba: /^(qwen|qwq|qvq|wan)/,
  'alibaba-cn': /^(qwen|qwq|qvq|wan)/,
  dashscope: /^(qwen|qwq|qvq|wan)/,
  zhipuai: /^(glm|cog)/,
  zai: /^(glm|cog)/,
  cohere: /./,
  cohere_chat: /./,
  perplexity: /^(sonar|pplx|r1-1776)/,
  volcengine: /^(doubao|seed)/,
  tencent: /^(hunyuan|hy)/,
  'tencent-tokenhub': /^(hunyuan|hy)/,
  stepfun: /^step/,
  xiaomi: /^mimo/,
  upstage: /^solar/,
  voyage: /./,
  jina_ai: /./,
}

/** Hosts whose names tell the kind of work in their last part: `flux/dev/image-to-image`. */
const anonymous: ReadonlySet<string> = new Set(['fal_ai'])

/** What stands before the name of a model that is listed once for each size of its pictures. */
const imageSize = /^(?:(?:\w+\/)?\d+-x-\d+|\d+-steps|max-steps|hd|low|medium|high|standard)\//

/** The name is a model's own, not that of a size, a pattern or a kind of work. */
export const namesModel = ({ name, host }: { readonly name: string; readonly host: string }): boolean =>
  !imageSize.test(name) && !/\s|\*/.test(name) && !anonymous.has(host)
