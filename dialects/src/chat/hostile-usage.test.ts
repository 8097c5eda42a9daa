import { expect, test } from 'bun:test'

import { dialects } from '../dialects'
import { miniMaxSpeechCodec } from '../audio/minimax-speech'

const hostile: readonly unknown[] = [-5, -1e9, 0.5, 2 ** 53, 1e20, 1e300, Infinity, NaN, '7', [7], { count: 7 }, true]

/** An answer in which every member that any vendor counts by says the same. */
function answerWith(count: unknown) {
  const details = {
    cached_tokens: count,
    cache_write_tokens: count,
    image_tokens: count,
    audio_tokens: count,
    text_tokens: 7,
    reasoning_tokens: count,
  }
  const ofModality = [{ modality: 'IMAGE', tokenCount: count }]
  return {
    type: 'message',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    content: [{ type: 'text', text: 'hi' }],
    output: [
      { type: 'message', content: [{ type: 'output_text', text: 'hi' }] },
      { type: 'image_generation_call', result: 'AAAA' },
    ],
    candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
    message: { role: 'assistant', content: 'hi' },
    data: [{ b64_json: 'AAAA', embedding: [1] }],
    pages: [{ markdown: 'hi' }],
    results: [{ index: 0, relevance_score: 1 }],
    done: true,
    prompt_eval_count: count,
    eval_count: count,
    duration: count,
    tool_usage: { image_gen: { output_tokens: count } },
    usage_info: { pages_processed: count },
    meta: {
      billed_units: { search_units: count, input_tokens: count, output_tokens: count },
      tokens: { input_tokens: count },
    },
    usageMetadata: {
      promptTokenCount: count,
      candidatesTokenCount: count,
      thoughtsTokenCount: count,
      totalTokenCount: count,
      candidatesTokensDetails: ofModality,
      promptTokensDetails: ofModality,
    },
    usage: {
      type: 'duration',
      seconds: count,
      prompt_tokens: count,
      input_tokens: count,
      completion_tokens: count,
      output_tokens: count,
      total_tokens: count,
      image_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
      cache_creation: { ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count },
      server_tool_use: { web_search_requests: count, web_fetch_requests: count },
      search_units: count,
      num_search_queries: count,
      prompt_tokens_details: details,
      input_tokens_details: details,
      output_tokens_details: details,
      completion_tokens_details: details,
    },
  }
}

/** Returns the numbers of a usage that no call can have. Only seconds may be fractions. */
const impossible = (usage: unknown, name = ''): unknown[] => {
  if (typeof usage === 'object' && usage !== null)
    return Object.entries(usage).flatMap(([inner, value]) => impossible(value, inner))
  if (typeof usage !== 'number') return []
  const isPossible = name === 'seconds' ? Number.isFinite(usage) : Number.isSafeInteger(usage)
  // Tools are cut to what the request allows.
  return (isPossible && usage >= 0) || (name === 'imageGeneration' && usage > 0) ? [] : [[name, usage]]
}

test.each(Object.keys(dialects) as (keyof typeof dialects)[])(
  'no figure of an answer of %s is negative, a fraction or enormous, whatever its vendor reports',
  (id) => {
    for (const count of hostile)
      expect([count, impossible(dialects[id].readAnswer(answerWith(count)).usage)]).toEqual([count, []])
    // Where only the kinds of tokens are wrong.
    for (const count of hostile) {
      const usage = {
        input_tokens: 5,
        output_tokens: 9,
        total_tokens: 14,
        output_tokens_details: { text_tokens: 1, image_tokens: count },
      }
      expect([count, impossible(dialects[id].readAnswer({ ...answerWith(1), usage }).usage)]).toEqual([count, []])
    }
  },
)

test('no count of characters of MiniMax is negative, a fraction or enormous', () => {
  const call = { model: 'm', input: 'hi', voice: 'v', format: 'mp3', speed: null, instructions: null }
  for (const usage_characters of hostile) {
    const answer = { data: { audio: 'ff' }, extra_info: { usage_characters } }
    expect(miniMaxSpeechCodec.readAnswer?.(answer, call)?.usage ?? null).toBeNull()
  }
})
