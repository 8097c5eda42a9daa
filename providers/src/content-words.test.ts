import { describe, expect, test } from 'bun:test'

import { isContentRefusalText, isTooLongText } from './content-words'

const isTooLong = (text: string) => isTooLongText((pattern) => pattern.test(text))
const isContentRefusal = (text: string) => isContentRefusalText((pattern) => pattern.test(text))

/** As the vendors write them. */
const tooLong: readonly string[] = [
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
  'prompt is too long: 210000 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length',
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  'Input is too long for requested model.',
  'Range of input length should be [1, 129024]',
  'Invalid request: Your request exceeded model token limit: 8192 (requested: 9001)',
  'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000',
  'Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
  "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
  'Input length 40000 exceeds the maximum length 32768',
  'length of prompt_tokens (33001) must be less than max_seq_len (32768).',
  'invalid params, context window exceeds limit',
  'the request exceeds the available context size. try increasing the context size',
  'Prompt 超长',
  '输入长度超过最大限制',
]

const refusals: readonly string[] = [
  'Your request was rejected as a result of our safety system.',
  'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
  "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  'Output blocked by content filtering policy',
  'Content violates usage guidelines.',
  'Output data may contain inappropriate content.',
  'input new_sensitive',
  '系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语',
  '输入文本包含敏感词',
]

const others: readonly string[] = [
  'Incorrect API key provided',
  'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000.',
  "Unsupported value: 'temperature' does not support 0.2 with this model.",
  'The model `gpt-9` does not exist or you do not have access to it.',
  "Invalid 'messages[1].content': string too short.",
  '余额不足，请充值',
]

describe('what a refusal of the request is about', () => {
  test.each(tooLong)('the length: %s', (text) =>
    expect([isTooLong(text), isContentRefusal(text)]).toEqual([true, false]),
  )

  test.each(refusals)('the content: %s', (text) =>
    expect([isTooLong(text), isContentRefusal(text)]).toEqual([false, true]),
  )

  test.each(others)('neither: %s', (text) => expect([isTooLong(text), isContentRefusal(text)]).toEqual([false, false]))
})
