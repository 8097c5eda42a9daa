import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { dialects } from '../dialects'
import type { DialectId } from '../core/mode'
import { noUsage } from '../core/usage'
import { plainOptions } from './test/answers'
import { translationOf } from './translation'

const requested = { model: 'tts', input: 'hello', voice: 'alloy' }

const translateRequest = (upstream: DialectId, body: object = {}, model = 'upstream-model') => {
  const call = translationOf('openai-speech', upstream)?.({ ...requested, ...body }, inBody, model)
  if (!call) throw new Error('There is no translation')
  return call
}

const usage = { ...noUsage, promptTokens: 5, completionTokens: 40 }

describe('MiniMax speech', () => {
  const answer = { data: { audio: 'ff00aa', status: 2 }, extra_info: { audio_format: 'mp3', usage_characters: 5 } }

  test('writes the request with the vendor’s members', () => {
    expect(
      translateRequest('minimax-speech', { speed: 4, voice: 'male-qn-qingse', response_format: 'wav' }).body,
    ).toEqual({
      model: 'upstream-model',
      text: 'hello',
      stream: false,
      voice_setting: { voice_id: 'male-qn-qingse', speed: 2 },
      audio_setting: { format: 'wav' },
      output_format: 'hex',
    })
  })

  test('replaces the voices of OpenAI with one of its own, and warns of what it cannot express', () => {
    const { body, warnings } = translateRequest('minimax-speech', { instructions: 'softly', response_format: 'opus' })
    expect(body).toMatchObject({ voice_setting: { voice_id: 'English_expressive_narrator' } })
    expect(warnings).toEqual(['the instructions', 'the format opus'])
  })

  test('turns hexadecimal text into bytes', () => {
    const raw = translateRequest('minimax-speech').raw?.(answer, usage)
    expect(raw).toMatchObject({ bytes: Uint8Array.from([255, 0, 170]), contentType: 'audio/mpeg' })
  })

  test('turns the response into events where the client requested a stream', () => {
    const raw = translateRequest('minimax-speech', { stream_format: 'sse' }).raw?.(answer, usage)
    expect(raw?.contentType).toBe('text/event-stream')
    expect(Buffer.from(raw?.bytes ?? []).toString()).toBe(
      'data: {"type":"speech.audio.delta","audio":"/wCq"}\n\n' +
        'data: {"type":"speech.audio.done","usage":{"input_tokens":5,"output_tokens":40,"total_tokens":45}}\n\n',
    )
  })
})

describe('Gemini speech', () => {
  const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=16000', data: 'AQACAA==' }
  const answer = { candidates: [{ content: { parts: [{ inlineData }] } }] }

  test('writes a request for audio with the voice and the instructions', () => {
    expect(translateRequest('gemini-speech', { voice: 'Puck', instructions: 'Whisper:' }).body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Whisper:\n\nhello' }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
      },
    })
  })

  test('turns PCM into a WAV file at the reported rate', () => {
    const raw = translateRequest('gemini-speech', { response_format: 'wav' }).raw?.(answer, usage)
    const file = Buffer.from(raw?.bytes ?? [])
    expect(raw?.contentType).toBe('audio/wav')
    expect([file.toString('latin1', 0, 4), file.readUInt32LE(24), file.readUInt32LE(40)]).toEqual(['RIFF', 16_000, 4])
    expect([...file.subarray(44)]).toEqual([1, 0, 2, 0])
  })

  test('returns PCM without a header where the client requested it', () => {
    const raw = translateRequest('gemini-speech', { response_format: 'pcm' }).raw?.(answer, usage)
    expect(raw).toMatchObject({ bytes: Uint8Array.from([1, 0, 2, 0]), contentType: 'audio/pcm' })
  })
})

describe('xAI speech', () => {
  test('writes the request with the vendor’s members and forwards the response', () => {
    const { body, raw } = translateRequest('xai-speech', { voice: 'eve', response_format: 'pcm', speed: 1.2 })
    expect(raw).toBeUndefined()
    expect(body).toEqual({
      text: 'hello',
      voice_id: 'eve',
      language: 'auto',
      speed: 1.2,
      output_format: { codec: 'pcm', sample_rate: 24_000 },
    })
    expect(translateRequest('xai-speech').body).not.toHaveProperty('voice_id')
  })

  test('a vendor without events refuses to stream speech', () => {
    expect(() => translateRequest('xai-speech', { stream_format: 'sse' })).toThrow("Invalid 'stream_format'")
  })
})

describe('plain speech', () => {
  test('writes OpenAI’s request, with the format that clients expect where they name none', () => {
    expect(translateRequest('plain-speech', { voice: 'eve', instructions: 'softly' }).body).toEqual({
      model: 'upstream-model',
      input: 'hello',
      voice: 'eve',
      response_format: 'mp3',
      instructions: 'softly',
    })
    expect(() => translateRequest('plain-speech', { stream_format: 'sse' })).toThrow("Invalid 'stream_format'")
  })
})

describe('Cloudflare speech', () => {
  test('writes the format in Deepgram’s words and leaves OpenAI’s voices out', () => {
    expect(translateRequest('cloudflare-speech').body).toEqual({ text: 'hello', encoding: 'mp3' })
    const wav = translateRequest('cloudflare-speech', { voice: 'luna', response_format: 'wav', speed: 2 })
    expect(wav.body).toEqual({ text: 'hello', speaker: 'luna', encoding: 'linear16', container: 'wav' })
    expect(wav.warnings).toEqual(['the speed'])
    expect(translateRequest('cloudflare-speech', { response_format: 'amr' }).warnings).toEqual(['the format amr'])
  })
})

describe('Mistral speech', () => {
  test('asks for the vendor’s voice in place of OpenAI’s, and names what it cannot say', () => {
    const { body, warnings } = translateRequest('mistral-speech', { voice: 'alloy', speed: 2, response_format: 'aac' })
    expect(body).toMatchObject({ input: 'hello', voice_id: 'en_paul_neutral', response_format: 'wav' })
    expect(warnings).toEqual(['the speed', 'the format aac'])
    expect(translateRequest('mistral-speech', { voice: 'voice_478' }).body).toMatchObject({ voice_id: 'voice_478' })
  })

  test('the audio of a vendor is read out of JSON', () => {
    const raw = translateRequest('mistral-speech').raw?.({ audio_data: 'AQACAA==' }, noUsage)
    expect(raw?.contentType).toBe('audio/mpeg')
    expect([...(raw?.bytes ?? [])]).toEqual([1, 0, 2, 0])
    expect(dialects['mistral-speech'].readAnswer({}).error).not.toBeNull()
  })
})

describe('DashScope speech', () => {
  const answer = { output: { audio: { data: 'AQACAA==' } }, usage: { input_tokens: 5, output_tokens: 40 } }

  test('writes the request of each kind of model', () => {
    const options = { instructions: 'softly', speed: 1.5, response_format: 'opus' }
    const qwen = translateRequest('dashscope-speech', options, 'qwen3-tts-flash')
    expect(qwen.body).toEqual({
      model: 'qwen3-tts-flash',
      input: { text: 'hello', voice: 'Cherry', language_type: 'Auto' },
    })
    expect(qwen.warnings).toEqual(['the instructions', 'the speed', 'the format opus'])
    const instructed = translateRequest(
      'dashscope-speech',
      { instructions: 'softly', voice: 'Ethan' },
      'qwen3-tts-instruct-flash',
    )
    expect(instructed.body).toMatchObject({ input: { voice: 'Ethan', instructions: 'softly' } })
    const cosy = translateRequest('dashscope-speech', options, 'cosyvoice-v3-flash')
    expect(cosy.body).toEqual({
      model: 'cosyvoice-v3-flash',
      input: {
        text: 'hello',
        voice: 'longanyang',
        format: 'opus',
        sample_rate: 24_000,
        rate: 1.5,
        instruction: 'softly',
      },
    })
    expect(cosy.warnings).toEqual([])
  })

  test('returns samples as a WAV file, and what the model packed as it is', () => {
    const whole = (format: string, model: string) =>
      translateRequest('dashscope-speech', { response_format: format }, model).raw?.(answer, usage)
    expect(whole('mp3', 'qwen3-tts-flash')?.contentType).toBe('audio/wav')
    expect(whole('pcm', 'qwen3-tts-flash')).toMatchObject({ bytes: Uint8Array.from([1, 0, 2, 0]) })
    expect(whole('mp3', 'cosyvoice-v3-flash')).toMatchObject({
      bytes: Uint8Array.from([1, 0, 2, 0]),
      contentType: 'audio/mpeg',
    })
    const file = Buffer.from(whole('wav', 'cosyvoice-v3-flash')?.bytes ?? [])
    expect([file.toString('latin1', 0, 4), file.byteLength]).toEqual(['RIFF', 48])
  })

  test('leaves out the header that samples came with', () => {
    const data = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(40), Buffer.from([1, 0])]).toString('base64')
    const raw = translateRequest('dashscope-speech', { response_format: 'pcm' }).raw?.(
      { output: { audio: { data } } },
      usage,
    )
    expect(raw?.bytes).toEqual(new Uint8Array([1, 0]))
  })
})

describe('VolcEngine speech', () => {
  test('writes the request with the vendor’s members', () => {
    const options = { instructions: 'softly', speed: 0.25, response_format: 'wav' }
    const { body, warnings, raw } = translateRequest('volcengine-speech', options, 'seed-tts-2.0')
    expect(body).toEqual({
      req_params: {
        text: 'hello',
        speaker: 'zh_female_vv_uranus_bigtts',
        audio_params: { format: 'pcm', sample_rate: 24_000, speech_rate: -50 },
        additions: '{"context_texts":["softly"]}',
      },
    })
    expect(warnings).toEqual([])
    expect(raw?.({ code: 0, data: 'AQACAA==' }, usage)).toMatchObject({ contentType: 'audio/wav' })
  })

  test('warns of what the model cannot express', () => {
    const { warnings } = translateRequest(
      'volcengine-speech',
      { instructions: 'x', response_format: 'flac' },
      'seed-tts-1.0',
    )
    expect(warnings).toEqual(['the instructions', 'the format flac'])
  })
})

describe('the sound of a chat', () => {
  const speechRequest = (voice: string, format: string) => ({
    messages: [{ role: 'user', content: 'hi' }],
    modalities: ['text', 'audio'],
    audio: { voice, format },
  })
  const geminiRequest = (voiceName: string) => ({
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
    },
  })
  const translate = (client: DialectId, upstream: DialectId, body: object, model: string) => {
    const call = translationOf(client, upstream)?.({ model, ...body }, { ...inBody, model }, model)
    if (!call) throw new Error('both chat')
    return call
  }
  const samples = Buffer.from([1, 0, 2, 0]).toString('base64')

  test.each([
    ['alloy', 'wav', 'Kore', [], 'RIFF'],
    ['Puck', 'pcm16', 'Puck', [], '\x01\0\x02\0'],
    ['alloy', 'mp3', 'Kore', ['the format mp3'], 'RIFF'],
  ])('a chat in the voice %s as %s gets that form from Gemini', (voice, format, name, warned, beginning) => {
    const call = translate('openai-chat', 'gemini', speechRequest(voice, format), 'gemini-2.5-flash-preview-tts')
    expect(call.body['generationConfig']).toMatchObject({
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: name } } },
    })
    expect(call.warnings).toEqual(warned)
    const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: samples }
    const answer = call.read({ candidates: [{ content: { parts: [{ inlineData }] }, finishReason: 'STOP' }] })
    const { choices } = answer.write(noUsage, plainOptions) as { choices: [{ message: { audio: { data: string } } }] }
    const bytes = Buffer.from(choices[0].message.audio.data, 'base64').toString('latin1')
    expect(bytes.slice(0, 4)).toBe(beginning)
  })

  test.each([
    ['Kore', 'alloy', ['the voice Kore']],
    ['alloy', 'alloy', []],
  ])('a client of Gemini that wants the voice %s gets samples from OpenAI', (voice, sent, warned) => {
    const call = translate('gemini', 'openai-chat', geminiRequest(voice), 'gpt-audio')
    expect(call.body['audio']).toEqual({ voice: sent, format: 'pcm16' })
    expect(call.warnings).toEqual(warned)
    const message = { role: 'assistant', audio: { id: 'a', data: samples, transcript: 'hi' } }
    const answer = call.read({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    expect(JSON.stringify(answer.write(noUsage, plainOptions))).toContain(
      `"inlineData":{"mimeType":"audio/L16;codec=pcm;rate=24000","data":"${samples}"}`,
    )
  })
})
