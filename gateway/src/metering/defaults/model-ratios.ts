/** The same ratio under several names. */
const each = (ratio: number, ...names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, ratio]))

/** Names with each of these endings, and without. */
const ending = (endings: readonly string[], ...names: readonly string[]): string[] =>
  names.flatMap((name) => [name, ...endings.map((one) => name + one)])

const efforts = ['-low', '-medium', '-high'] as const
const gpt5Efforts = ['-minimal', ...efforts] as const
const thinking = ['-thinking'] as const

/** A price in yuan for a thousand tokens. */
const yuan = (price: number): number => Number(((price * 500) / 7.3).toFixed(4))

const openAi = {
  ...each(15, 'gpt-4', 'gpt-4-0314', 'gpt-4-0613', 'gpt-4-all', 'gpt-4o-all', 'gpt-4-gizmo-*'),
  ...each(30, 'gpt-4-32k', 'gpt-4-32k-0314', 'gpt-4-32k-0613'),
  ...each(
    5,
    'gpt-4-turbo',
    'gpt-4-turbo-2024-04-09',
    'gpt-4-turbo-preview',
    'gpt-4-1106-preview',
    'gpt-4-0125-preview',
  ),
  ...each(5, 'gpt-4-vision-preview', 'gpt-4-1106-vision-preview'),
  ...each(1.25, 'gpt-4o', 'gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'),
  ...each(1.25, 'gpt-4o-search-preview', 'gpt-4o-search-preview-2025-03-11'),
  ...each(2.5, 'gpt-4o-2024-05-13', 'chatgpt-4o-latest', 'gpt-4o-gizmo-*'),
  ...each(0.075, 'gpt-4o-mini', 'gpt-4o-mini-2024-07-18', 'gpt-4o-mini-search-preview'),
  ...each(37.5, 'gpt-4.5-preview', 'gpt-4.5-preview-2025-02-27'),
  ...each(1, 'gpt-4.1', 'gpt-4.1-2025-04-14'),
  ...each(0.2, 'gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14'),
  ...each(0.05, 'gpt-4.1-nano', 'gpt-4.1-nano-2025-04-14'),
  ...each(0.625, ...ending(gpt5Efforts, 'gpt-5', 'gpt-5-2025-08-07'), 'gpt-5-chat-latest', 'gpt-5-codex'),
  ...each(0.625, ...ending(gpt5Efforts, 'gpt-5.1', 'gpt-5.1-2025-11-13'), 'gpt-5.1-chat-latest', 'gpt-5.1-codex'),
  ...each(0.875, ...ending(gpt5Efforts, 'gpt-5.2'), 'gpt-5.2-chat-latest'),
  ...each(0.125, ...ending(gpt5Efforts, 'gpt-5-mini', 'gpt-5-mini-2025-08-07')),
  ...each(0.025, ...ending(gpt5Efforts, 'gpt-5-nano', 'gpt-5-nano-2025-08-07')),
  ...each(7.5, ...ending(efforts, 'o1', 'o1-2024-12-17'), 'o1-preview', 'o1-preview-2024-09-12'),
  ...each(0.55, 'o1-mini', 'o1-mini-2024-09-12', ...ending(efforts, 'o3-mini', 'o3-mini-2025-01-31')),
  ...each(0.55, ...ending(efforts, 'o4-mini', 'o4-mini-2025-04-16')),
  ...each(75, 'o1-pro', 'o1-pro-2025-03-19'),
  ...each(1, ...ending(efforts, 'o3', 'o3-2025-04-16')),
  ...each(10, 'o3-pro', 'o3-pro-2025-06-10'),
  ...each(0.25, 'gpt-3.5-turbo', 'gpt-3.5-turbo-0125'),
  ...each(0.75, 'gpt-3.5-turbo-0301', 'gpt-3.5-turbo-0613', 'gpt-3.5-turbo-instruct'),
  ...each(0.5, 'gpt-3.5-turbo-1106'),
  ...each(1.5, 'gpt-3.5-turbo-16k', 'gpt-3.5-turbo-16k-0613'),
  ...each(1.25, 'gpt-4o-audio-preview', 'gpt-4o-audio-preview-2024-10-01', 'gpt-4o-audio-preview-2024-12-17'),
  ...each(0.075, 'gpt-4o-mini-audio-preview', 'gpt-4o-mini-audio-preview-2024-12-17'),
  ...each(2.5, 'gpt-4o-realtime-preview', 'gpt-4o-realtime-preview-2024-10-01', 'gpt-4o-realtime-preview-2024-12-17'),
  ...each(0.3, 'gpt-4o-mini-realtime-preview', 'gpt-4o-mini-realtime-preview-2024-12-17', 'gpt-4o-mini-tts'),
  ...each(1, 'davinci-002', 'text-curie-001'),
  ...each(0.2, 'babbage-002', 'text-ada-001'),
  ...each(0.25, 'text-babbage-001'),
  ...each(10, 'davinci', 'curie', 'babbage', 'ada', 'text-davinci-edit-001', 'code-davinci-edit-001'),
  'gpt-image-1': 2.5,
  'dall-e-2': 8,
  'text-embedding-3-small': 0.01,
  'text-embedding-3-large': 0.065,
  'text-embedding-ada-002': 0.05,
  ...each(0.1, 'text-moderation-stable', 'text-moderation-latest', 'text-moderation-007'),
  ...each(0.1, 'omni-moderation-latest', 'omni-moderation-2024-09-26'),
  'whisper-1': 15,
  ...each(7.5, 'tts-1', 'tts-1-1106'),
  ...each(15, 'tts-1-hd', 'tts-1-hd-1106'),
}

const anthropic = {
  'claude-instant-1.2': 0.4,
  ...each(4, 'claude-2', 'claude-2.0', 'claude-2.1'),
  'claude-3-haiku-20240307': 0.125,
  ...each(0.5, 'claude-3-5-haiku-20241022', 'claude-haiku-4-5', 'claude-haiku-4-5-20251001'),
  ...each(1.5, 'claude-3-sonnet-20240229', 'claude-3-5-sonnet-20240620', 'claude-3-5-sonnet-20241022'),
  ...each(1.5, ...ending(thinking, 'claude-3-7-sonnet-20250219', 'claude-sonnet-4-20250514')),
  ...each(1.5, ...ending(thinking, 'claude-sonnet-4-5', 'claude-sonnet-4-5-20250929')),
  ...each(7.5, 'claude-3-opus-20240229', ...ending(thinking, 'claude-opus-4-20250514', 'claude-opus-4-1-20250805')),
  ...each(2.5, ...ending(thinking, 'claude-opus-4-5', 'claude-opus-4-5-20251101')),
}

const google = {
  ...each(1.25, 'gemini-1.5-pro', 'gemini-1.5-pro-latest', 'gemini-1.5-pro-002'),
  ...each(0.075, 'gemini-1.5-flash', 'gemini-1.5-flash-latest', 'gemini-1.5-flash-002'),
  ...each(0.05, 'gemini-2.0-flash', 'gemini-2.0-flash-001'),
  ...each(0.625, 'gemini-2.5-pro', 'gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro-preview-06-05'),
  'gemini-2.5-flash': 0.15,
  ...each(0.075, 'gemini-2.5-flash-preview-04-17', 'gemini-2.5-flash-preview-04-17-nothinking'),
  ...each(0.075, 'gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash-preview-05-20-nothinking'),
  'gemini-embedding-001': 0.075,
  'text-embedding-004': 0.001,
  'PaLM-2': 1,
}

const baidu = {
  'ERNIE-4.0-8K': yuan(0.12),
  ...each(yuan(0.012), 'ERNIE-3.5-8K', 'ERNIE-3.5-8K-1222', 'ERNIE-3.5-4K-0205'),
  ...each(yuan(0.024), 'ERNIE-3.5-8K-0205', 'ERNIE-Bot-8K'),
  ...each(yuan(0.004), 'ERNIE-Speed-8K', 'ERNIE-Speed-128K', 'BLOOMZ-7B'),
  'ERNIE-Lite-8K-0922': yuan(0.008),
  'ERNIE-Lite-8K-0308': yuan(0.003),
  'ERNIE-Tiny-8K': yuan(0.001),
  ...each(yuan(0.002), 'Embedding-V1', 'bge-large-zh', 'bge-large-en', 'tao-8k'),
  'ERNIE-Bot': 0.8572,
  'ERNIE-Bot-turbo': 0.5715,
  'ERNIE-Bot-4': 8.572,
}

const zhipu = {
  ...each(0.3572, 'chatglm_turbo', 'glm-3-turbo'),
  chatglm_pro: 0.7143,
  chatglm_std: 0.3572,
  chatglm_lite: 0.1429,
  'glm-4': 7.143,
  ...each(yuan(0.05), 'glm-4v', 'glm-4-plus'),
  ...each(yuan(0.1), 'glm-4-0520', 'glm-4-alltools'),
  ...each(yuan(0.001), 'glm-4-air', 'glm-4-long'),
  ...each(yuan(0.01), 'glm-4-airx', 'glm-4v-plus'),
  'glm-4-flash': 0,
}

const otherChinese = {
  'qwen-turbo': 0.8572,
  'qwen-plus': 10,
  'text-embedding-v1': 0.05,
  ...each(
    1.2858,
    'SparkDesk',
    'SparkDesk-v1.1',
    'SparkDesk-v2.1',
    'SparkDesk-v3.1',
    'SparkDesk-v3.5',
    'SparkDesk-v4.0',
  ),
  ...each(0.8572, '360GPT_S2_V9', '360gpt-pro', '360gpt2-pro', '360GPT_S2_V9.4', '360gpt-turbo-responsibility-8k'),
  '360gpt-turbo': 0.0858,
  ...each(0.0715, 'embedding-bert-512-v1', 'embedding_s1_v1', 'semantic_similarity_s1_v1'),
  hunyuan: 7.143,
  'yi-34b-chat-0205': 0.18,
  'yi-34b-chat-200k': 0.864,
  'yi-vl-plus': 0.432,
  'yi-large': yuan(0.02),
  'yi-large-rag': yuan(0.025),
  'yi-medium': yuan(0.0025),
  ...each(yuan(0.012), 'yi-medium-200k', 'yi-large-turbo'),
  'yi-vision': yuan(0.006),
  'yi-spark': yuan(0.001),
  ...each(0.135, 'deepseek-chat', 'deepseek-coder'),
  'deepseek-reasoner': 0.275,
}

const others = {
  ...each(0.5, 'command', 'command-light', 'command-nightly', 'command-light-nightly'),
  'command-r': 0.25,
  'command-r-plus': 1.5,
  'command-r-08-2024': 0.075,
  'command-r-plus-08-2024': 1.25,
  ...each(1.5, 'grok-3', 'grok-3-beta'),
  ...each(0.15, ...ending(efforts, 'grok-3-mini', 'grok-3-mini-beta')),
  ...each(2.5, 'grok-3-fast', 'grok-3-fast-beta', 'grok-beta', 'grok-vision-beta'),
  ...each(0.3, ...ending(efforts, 'grok-3-mini-fast', 'grok-3-mini-fast-beta')),
  ...each(1.5, 'grok-4', 'grok-4-0709'),
  ...each(0.1, 'grok-code-fast-1', 'grok-4-1-fast-reasoning', 'grok-4-1-fast-non-reasoning'),
  ...each(1, 'grok-2', 'grok-2-1212', 'grok-2-vision', 'grok-2-vision-1212'),
  'llama-3-sonar-small-32k-chat': 0.1,
  'llama-3-sonar-small-32k-online': 0.1,
  'llama-3-sonar-large-32k-chat': 0.5,
  'llama-3-sonar-large-32k-online': 0.5,
}

/** Model ratios where the operator set none: 1 is 2 US dollars for a million prompt tokens. */
export const defaultModelRatios: Readonly<Record<string, number>> = {
  ...openAi,
  ...anthropic,
  ...google,
  ...baidu,
  ...zhipu,
  ...otherChinese,
  ...others,
}
