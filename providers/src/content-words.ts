import { matchSequence } from './refusal-words'

/** What a text is searched for. */
type TextPattern = Pick<RegExp, 'test'>

/** What vendors say of a prompt that is longer than the window of the model. */
const tooLongWords: readonly TextPattern[] = [
  // OpenAI, and the many hosts with its words.
  /\bmaximum (?:context|prompt|model|sequence) length\b/i,
  // https://platform.claude.com/docs/en/api/errors
  /\bprompt is too long\b/i,
  matchSequence(/\binput length and\b/gi, 40, /\bexceed context limit\b/i),
  // Gemini, Bedrock
  matchSequence(/\binput token count\b/gi, 40, /\bexceeds the maximum\b/i),
  /\binput is too long for requested model\b|\btoo many input tokens\b/i,
  // https://help.aliyun.com/zh/model-studio/error-code
  /\brange of input length should be\b/i,
  // https://platform.moonshot.cn/docs/api/errors
  /\bexceeded model token limit\b/i,
  // Cohere, Mistral, VolcEngine, SiliconFlow, MiniMax, llama.cpp
  matchSequence(/\btoo many tokens\b/gi, 60, /\bcannot exceed\b/i),
  matchSequence(/\bprompt contains\b/gi, 80, /\btoo large for model\b/i),
  matchSequence(/\binput length\b/gi, 30, /\bexceeds the maximum length\b/i),
  matchSequence(/\blength of prompt_tokens\b/gi, 30, /\bmust be less than\b/i),
  /\bcontext window exceeds limit\b|\bexceeds? the available context size\b/i,
  matchSequence(/\b(?:exceeds?|exceeded|longer than)\b/gi, 40, /\bcontext (?:window|length|size)\b/i),
  /prompt\s?超长|(?:输入|上下文|提示词)(?:的?长度|内容)?[^。\n]{0,8}(?:超长|过长|超过|超出)[^。\n]{0,12}(?:限制|上限|长度|最大)/i,
]

/** What vendors say of a content that they do not answer. */
const contentRefusalWords: readonly TextPattern[] = [
  // OpenAI and Azure
  /\brejected as a result of our safety system\b/i,
  matchSequence(/\bprompt was flagged\b/gi, 40, /\bviolating our usage policy\b/i),
  matchSequence(/\btriggering\b/gi, 40, /\bcontent management policy\b/i),
  // Anthropic
  /\bblocked by content filtering policy\b/i,
  // xAI, Bedrock
  /\bcontent violates usage guidelines\b/i,
  matchSequence(/\bblocked by\b/gi, 20, /\b(?:content filters?|guardrails?)\b/i),
  // DashScope, iFlytek, MiniMax
  /\b(?:input|output) (?:data|text|image)? ?may contain inappropriate content\b/i,
  /\bcontent audit failed\b|\bnew_sensitive\b/i,
  // Zhipu, Baidu, Tencent
  /(?:内容|输入|文本|提示词)[^。\n]{0,16}(?:不安全|敏感|违规|违法|不合规)|(?:涉及|包含|存在)[^。\n]{0,8}(?:敏感|违规|不安全)(?:内容|信息|词)/,
]

type Matches = (pattern: TextPattern) => boolean

/** Returns whether a refusal says that the prompt is longer than the window of the model. */
export const isTooLongText = (matches: Matches): boolean => tooLongWords.some(matches)

/** Returns whether a refusal says that the vendor does not answer the content. */
export const isContentRefusalText = (matches: Matches): boolean => contentRefusalWords.some(matches)
