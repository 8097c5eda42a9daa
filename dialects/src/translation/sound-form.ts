import type { NeutralCall } from '../core/neutral/call'
import type { EventReader } from '../core/neutral/codec'
import type { AnswerEvent, Delta } from '../core/neutral/events'
import { waveOf } from '../core/neutral/speech'

/*
 * The sound of an answer has the form that was asked for. OpenAI's answers do not say which it is, Google's are samples whatever was asked for.
 */

type Media = Extract<Delta, { kind: 'media' }>

const samples = 'pcm16'
const samplesMime = 'audio/L16;codec=pcm;rate=24000'
const usualRate = 24_000
const mimes: Readonly<Record<string, string>> = {
  [samples]: samplesMime,
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  opus: 'audio/opus',
  aac: 'audio/aac',
}

const areSamples = (mime: string): boolean => /^audio\/(?:l16|pcm)\b/i.test(mime)

function withForm(media: Media, format: string, isWhole: boolean): Media {
  const { mime, data } = media
  if (mime === 'audio/wav') return { ...media, mime: mimes[format] ?? mime }
  if (!isWhole || format === samples || !areSamples(mime)) return media
  const rate = Number(/rate=(\d{4,6})/.exec(mime)?.[1] ?? usualRate)
  const wave = waveOf(Buffer.from(data, 'base64'), rate)
  return { ...media, mime: 'audio/wav', data: Buffer.from(wave).toString('base64') }
}

/** Returns the events of an answer with its sound as it was asked for. `isWhole`: each sound is one event; streams are of samples, as OpenAI's are. */
export function withSoundForm(
  events: readonly AnswerEvent[],
  { voice }: Pick<NeutralCall, 'voice'>,
  isWhole: boolean,
): readonly AnswerEvent[] {
  if (voice === null) return events
  return events.map((event) =>
    event.type === 'block-delta' && event.delta.kind === 'media'
      ? { ...event, delta: withForm(event.delta, voice.format, isWhole) }
      : event,
  )
}

/** Reads a stream with its sound as it was asked for. */
export const readerWithSoundForm = (reader: EventReader, call: Pick<NeutralCall, 'voice'>): EventReader =>
  call.voice === null
    ? reader
    : {
        read: (event) => withSoundForm(reader.read(event), call, false),
        get toolCalls() {
          return reader.toolCalls
        },
        end: () => withSoundForm(reader.end(), call, false),
      }
