import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { dialects } from '../dialects'
import { FormFile } from '../core/form-file'
import type { DialectId } from '../core/mode'
import { noUsage } from '../core/usage'
import type { ResponseOptions } from './translate'
import { translationOf } from './translation'

const file = new FormFile('a.mp3', '', new Uint8Array([0, 0, 0]))
const answer = {
  choices: [{ message: { role: 'assistant', content: 'Hello.' } }],
  usage: { prompt_tokens: 42, completion_tokens: 2, seconds: 3 },
}
const options = { model: 'mine', now: 5, promptTokens: 0 } as ResponseOptions

const translateRequest = (body: object = {}, upstream: DialectId = 'dashscope-transcriptions') => {
  const translate = translationOf('openai-transcriptions', upstream)
  const call = translate?.({ model: 'mine', file, ...body }, inBody, 'qwen3-asr-flash')
  if (!call) throw new Error('There is no translation')
  return call
}

describe('DashScope transcriptions', () => {
  test('the recording is written into a chat, with its context and language', () => {
    const { body, warnings } = translateRequest({ prompt: 'Ships', language: 'en', temperature: '0.2' })
    expect(body).toEqual({
      model: 'qwen3-asr-flash',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Ships' }] },
        { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'data:audio/mpeg;base64,AAAA' } }] },
      ],
      stream: false,
      asr_options: { language: 'en', enable_itn: false },
    })
    expect(warnings).toEqual(['the temperature'])
  })

  test('what only OpenAI’s models tell of a recording is named', () => {
    expect(translateRequest({ 'include[]': 'logprobs', 'known_speaker_names[]': 'Ann' }).warnings).toEqual([
      'include[]',
      'known_speaker_names[]',
    ])
  })

  test('the transcript reaches the client as JSON, as text and as events', () => {
    const usage = { ...noUsage, seconds: 3 }
    const reported = { text: 'Hello.', usage: { type: 'duration', seconds: 3 } }
    expect(translateRequest().read(answer).write(usage, options)).toEqual(reported)
    expect(translateRequest()).not.toHaveProperty('raw')
    const text = translateRequest({ response_format: 'text' }).raw?.(answer, usage)
    expect(text?.contentType).toStartWith('text/plain')
    expect(Buffer.from(text?.bytes ?? []).toString()).toBe('Hello.\n')
    const events = translateRequest({ stream: 'true' }).raw?.(answer, {
      ...noUsage,
      promptTokens: 42,
      completionTokens: 2,
    })
    const tap = dialects['openai-transcriptions'].createTap({ swallowUsage: false, addUsage: false })
    tap.push(events?.bytes ?? new Uint8Array())
    expect(tap.completionText()).toBe('Hello.')
    expect(tap.usage).toMatchObject({ promptTokens: 42, completionTokens: 2 })
  })

  test.each(['srt', 'vtt', 'verbose_json', 'diarized_json'])(
    'the format %s, which tells times, is refused',
    (format) => {
      expect(() => translateRequest({ response_format: format })).toThrow("Invalid 'response_format'")
    },
  )

  test('usage is the seconds that the vendor reports, and its tokens where it reports none', () => {
    const { readAnswer } = dialects['dashscope-transcriptions']
    expect(readAnswer(answer)).toMatchObject({ error: null, usage: { seconds: 3 } })
    expect(readAnswer({ ...answer, usage: { prompt_tokens: 42, completion_tokens: 2 } }).usage).toMatchObject({
      promptTokens: 42,
      completionTokens: 2,
    })
    expect(readAnswer({ choices: [] }).error).not.toBeNull()
  })
})

describe('VolcEngine transcriptions', () => {
  const response = { audio_info: { duration: 2499 }, result: { text: 'Hello.', utterances: [] } }

  test('the recording is written into one request, with its language where that has to be named', () => {
    const { body, warnings } = translateRequest({ prompt: 'Ships', language: 'en' }, 'volcengine-transcriptions')
    expect(body).toEqual({
      user: { uid: 'tollgate' },
      audio: { data: 'AAAA', language: 'en-US' },
      request: { model_name: 'bigmodel', enable_itn: true, enable_punc: true },
    })
    expect(warnings).toEqual(['the prompt'])
    expect(translateRequest({ language: 'zh' }, 'volcengine-transcriptions').body).toMatchObject({
      audio: { data: 'AAAA' },
    })
  })

  test('the transcript reaches the client with the seconds of the recording', () => {
    const { readAnswer } = dialects['volcengine-transcriptions']
    expect(readAnswer(response)).toMatchObject({ error: null, usage: { seconds: 2.499 } })
    expect(readAnswer({}).error).not.toBeNull()
    const usage = { ...noUsage, seconds: 2.499 }
    expect(translateRequest({}, 'volcengine-transcriptions').read(response).write(usage, options)).toMatchObject({
      text: 'Hello.',
    })
  })
})

const requested = { prompt: 'Ships', language: 'en', temperature: '0.2' }

describe('Gemini transcriptions', () => {
  const heard = (text: string, finishReason = 'STOP') => ({
    candidates: [{ content: { parts: [{ text: 'Hm.', thought: true }, { text }] }, finishReason }],
    usageMetadata: {
      promptTokenCount: 116,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 20 },
        { modality: 'AUDIO', tokenCount: 96 },
      ],
      candidatesTokenCount: 8,
      totalTokenCount: 124,
    },
  })

  test('the recording goes with an instruction, and what the client says of it', () => {
    const { body, warnings } = translateRequest(requested, 'gemini-transcriptions')
    expect(body).toMatchObject({
      contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'audio/mpeg', data: 'AAAA' } }] }],
      generationConfig: { temperature: 0.2 },
    })
    const instruction = JSON.stringify(body['systemInstruction'])
    for (const part of ['in the language in which it is said', 'recording: en', 'before: Ships'])
      expect(instruction).toContain(part)
    expect(warnings).toEqual([])
    const english = translateRequest({}, 'gemini-translations').body
    expect(JSON.stringify(english['systemInstruction'])).toContain('Write down in English')
    expect(english['generationConfig']).toMatchObject({ temperature: 0 })
  })

  test('usage keeps the tokens of audio, and the transcript leaves thoughts out', () => {
    const { usage, error } = dialects['gemini-transcriptions'].readAnswer(heard(' Hello.\n'))
    expect(error).toBeNull()
    expect(usage).toMatchObject({ promptTokens: 116, audioInputTokens: 96, completionTokens: 8 })
    expect(
      translateRequest({}, 'gemini-transcriptions')
        .read(heard(' Hello.\n'))
        .write(usage ?? noUsage, options),
    ).toEqual({
      text: 'Hello.',
      usage: { type: 'tokens', input_tokens: 116, output_tokens: 8, total_tokens: 124 },
    })
  })

  test('silence is an empty transcript, a refusal is a failure', () => {
    const { readAnswer } = dialects['gemini-transcriptions']
    expect(readAnswer(heard('')).error).toBeNull()
    expect(readAnswer(heard('', 'SAFETY')).error).not.toBeNull()
    expect(readAnswer({ promptFeedback: { blockReason: 'SAFETY' } }).error).not.toBeNull()
  })

  test.each(['srt', 'vtt', 'verbose_json'])('the format %s, which tells times, is refused', (format) => {
    expect(() => translateRequest({ response_format: format }, 'gemini-transcriptions')).toThrow(
      "Invalid 'response_format'",
    )
  })
})

describe('transcriptions of vendors with one format', () => {
  test('a form has the recording as its last field', () => {
    const { body } = translateRequest(requested, 'plain-transcriptions')
    expect(Object.entries(body)).toEqual([
      ['model', 'qwen3-asr-flash'],
      ['prompt', 'Ships'],
      ['language', 'en'],
      ['temperature', 0.2],
      ['file', file],
    ])
  })

  test('OpenRouter gets the recording inside JSON, with the name of its format', () => {
    const { body, warnings } = translateRequest(requested, 'openrouter-transcriptions')
    expect(body).toEqual({
      model: 'qwen3-asr-flash',
      input_audio: { data: 'AAAA', format: 'mp3' },
      language: 'en',
      temperature: 0.2,
    })
    expect(warnings).toEqual(['the prompt'])
    const typed = new FormFile('blob', 'audio/x-wav', new Uint8Array([0]))
    expect(translateRequest({ file: typed }, 'openrouter-transcriptions').body).toMatchObject({
      input_audio: { format: 'wav' },
    })
  })

  test.each([
    ['cloudflare-transcriptions', 'transcribe'],
    ['cloudflare-translations', 'translate'],
  ] as const)('Cloudflare is told the task of %s', (upstream, task) => {
    const { body, warnings } = translateRequest(requested, upstream)
    expect(body).toEqual({ audio: 'AAAA', task, language: 'en', initial_prompt: 'Ships' })
    expect(warnings).toEqual(['the temperature'])
  })

  test.each<[DialectId, object, object]>([
    [
      'plain-transcriptions',
      { text: 'a', usage: { prompt_audio_seconds: 3, prompt_tokens: 4, completion_tokens: 5 } },
      { seconds: 3 },
    ],
    [
      'plain-transcriptions',
      { text: 'a', usage: { prompt_tokens: 4, completion_tokens: 5 } },
      { promptTokens: 4, completionTokens: 5 },
    ],
    ['plain-transcriptions', { text: 'a', duration: 2.5 }, { seconds: 2.5 }],
    ['openrouter-transcriptions', { text: 'a', usage: { seconds: 9.2, cost: 0.01 } }, { seconds: 9.2 }],
    [
      'openrouter-transcriptions',
      { text: 'a', usage: { input_tokens: 83, output_tokens: 30 } },
      { promptTokens: 83, completionTokens: 30 },
    ],
    ['cloudflare-transcriptions', { result: { text: 'a', transcription_info: { duration: 4 } } }, { seconds: 4 }],
  ])('%s reads %j', (id, response, used) => {
    const { error, usage } = dialects[id].readAnswer(response as Record<string, unknown>)
    expect(error).toBeNull()
    expect(usage).toMatchObject(used)
  })
})
