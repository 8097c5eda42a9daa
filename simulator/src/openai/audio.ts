import { type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import { wordsOf } from '../content'
import { objectOr, numberOr, textOr, type JsonObject } from '../json'
import { reportUsage } from './images'

const usualTokens = 8
/** Frames of an MP3 file of silence for each token: about a second of speech for forty of them. */
const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])
/** Tokens that are heard in a second, and bytes of a second in a WAV file of telephone quality. */
const heardTokensPerSecond = 10
const bytesPerSecond = 32_000

/** Answer a call for speech: the audio itself, or events that carry it. Whole speech is counted by characters. */
export function speech(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const input = textOr(body['input'], '')
  const responseId = `speech-sim${number}`
  const completionTokens = behaviour.tokens ?? usualTokens
  const sound = Buffer.concat(Array.from({ length: completionTokens }, () => frame))
  if (body['stream_format'] !== 'sse') {
    const counted = { promptTokens: Array.from(input).length, completionTokens: 0, reported: undefined }
    return { ...whole(sound, counted, responseId), headers: { 'Content-Type': 'audio/mpeg' } }
  }
  const promptTokens = behaviour.promptTokens ?? Math.max(1, Math.ceil(input.length / 4))
  const usage = {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
  const counted = { promptTokens, completionTokens, reported: reportUsage(usage, behaviour) }
  const pieces = Array.from({ length: completionTokens }, () =>
    eventOf('speech.audio.delta', { audio: frame.toString('base64') }),
  )
  const done = eventOf('speech.audio.done', counted.reported === undefined ? {} : { usage: counted.reported })
  return { kind: 'stream', events: pieces, last: done, counted, responseId }
}

/** Answer a call for a transcript of the file in a form: words, counted by tokens. */
export function transcriptions(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const responseId = `transcript-sim${number}`
  const completionTokens = behaviour.tokens ?? usualTokens
  const words = wordsOf(completionTokens)
  const text = behaviour.text ?? words.join('')
  const seconds = Math.ceil(numberOr(objectOr(body['file'])['bytes'], 0) / bytesPerSecond)
  const promptTokens = behaviour.promptTokens ?? Math.max(1, seconds * heardTokensPerSecond)
  const usage = {
    type: 'tokens',
    input_tokens: promptTokens,
    input_token_details: { text_tokens: 0, audio_tokens: promptTokens },
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
  const counted = { promptTokens, completionTokens, reported: reportUsage(usage, behaviour) }
  const reported = counted.reported === undefined ? {} : { usage: counted.reported }
  if (body['stream'] === 'true') {
    const deltas = words.map((delta) => eventOf('transcript.text.delta', { delta }))
    return {
      kind: 'stream',
      events: deltas,
      last: eventOf('transcript.text.done', { text, ...reported }),
      counted,
      responseId,
    }
  }
  if (body['response_format'] !== 'text') return whole({ text, ...reported }, counted, responseId)
  const plain = Buffer.from(`${text}\n`)
  return { ...whole(plain, { ...counted, reported: undefined }, responseId), headers: { 'Content-Type': 'text/plain' } }
}

const eventOf = (type: string, more: JsonObject): StreamEvent => ({ data: JSON.stringify({ type, ...more }) })
