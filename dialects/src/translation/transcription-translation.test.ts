import { describe, expect, test } from 'bun:test'

import { inBody } from '../dialect'
import { dialects } from '../dialects'
import { FormFile } from '../form-file'
import { noUsage } from '../usage'
import type { ResponseOptions } from './translate'
import { translationOf } from './translation'

const file = new FormFile('a.mp3', '', new Uint8Array([0, 0, 0]))
const answer = {
  choices: [{ message: { role: 'assistant', content: 'Hello.' } }],
  usage: { prompt_tokens: 42, completion_tokens: 2, seconds: 3 },
}
const options = { model: 'mine', now: 5, promptTokens: 0 } as ResponseOptions

const translated = (
  body: object = {},
  upstream: 'dashscope-transcriptions' | 'volcengine-transcriptions' = 'dashscope-transcriptions',
) => {
  const translate = translationOf('openai-transcriptions', upstream)
  const call = translate?.({ model: 'mine', file, ...body }, inBody, 'qwen3-asr-flash')
  if (!call) throw new Error('There is no translation')
  return call
}

describe('DashScope transcriptions', () => {
  test('the recording is written into a chat, with its context and language', () => {
    const { body, warnings } = translated({ prompt: 'Ships', language: 'en', temperature: '0.2' })
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

  test('the transcript reaches the client as JSON, as text and as events', () => {
    const usage = { ...noUsage, seconds: 3 }
    const told = { text: 'Hello.', usage: { type: 'duration', seconds: 3 } }
    expect(translated().answer(answer, usage, options)).toEqual(told)
    expect(translated()).not.toHaveProperty('raw')
    const text = translated({ response_format: 'text' }).raw?.(answer, usage)
    expect(text?.contentType).toStartWith('text/plain')
    expect(Buffer.from(text?.bytes ?? []).toString()).toBe('Hello.\n')
    const events = translated({ stream: 'true' }).raw?.(answer, { ...noUsage, promptTokens: 42, completionTokens: 2 })
    const tap = dialects['openai-transcriptions'].createTap({ swallowUsage: false, addUsage: false })
    tap.push(events?.bytes ?? new Uint8Array())
    expect(tap.completionText()).toBe('Hello.')
    expect(tap.usage).toMatchObject({ promptTokens: 42, completionTokens: 2 })
  })

  test.each(['srt', 'vtt', 'verbose_json', 'diarized_json'])(
    'the format %s, which tells times, is refused',
    (format) => {
      expect(() => translated({ response_format: format })).toThrow("Invalid 'response_format'")
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
    const { body, warnings } = translated({ prompt: 'Ships', language: 'en' }, 'volcengine-transcriptions')
    expect(body).toEqual({
      user: { uid: 'tollgate' },
      audio: { data: 'AAAA', language: 'en-US' },
      request: { model_name: 'bigmodel', enable_itn: true, enable_punc: true },
    })
    expect(warnings).toEqual(['the prompt'])
    expect(translated({ language: 'zh' }, 'volcengine-transcriptions').body).toMatchObject({ audio: { data: 'AAAA' } })
  })

  test('the transcript reaches the client with the seconds of the recording', () => {
    const { readAnswer } = dialects['volcengine-transcriptions']
    expect(readAnswer(response)).toMatchObject({ error: null, usage: { seconds: 2.499 } })
    expect(readAnswer({}).error).not.toBeNull()
    const usage = { ...noUsage, seconds: 2.499 }
    expect(translated({}, 'volcengine-transcriptions').answer(response, usage, options)).toMatchObject({
      text: 'Hello.',
    })
  })
})
