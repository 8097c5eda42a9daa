import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { anMp3, aWav } from '../../gateway/test/recordings'
import { ModeTable } from './mode-table'
import { speakers, spoken } from './speech-studio'
import { aStudioWorld, type StudioWorld } from './studio'
import { listeners, transcript, translated } from './transcript-studio'

setDefaultTimeout(120_000)

const columns = ['speech', 'transcripts', 'translations'] as const
const table = new ModeTable({
  heading: '# Audio',
  intro:
    'Speech, transcripts and translations into English from each vendor by OpenAI’s SDK, whole (w) and as a stream of events (s), with charges by the published formula. Recordings are real WAV and MP3 files.',
  columns,
})

let world: StudioWorld
beforeAll(async () => {
  world = await aStudioWorld([...speakers, ...listeners])
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await table.keep()
})

const types = { mp3: 'audio/mpeg', wav: 'audio/wav' } as const

describe.each(speakers)('$name', ({ name, model, quota, format, streams }) => {
  test('a vendor of speech speaks', async () => {
    const { response: speech, quota: cost } = await world.measureCharge(model, async () => {
      const options = { model, input: spoken, voice: 'alloy', response_format: format } as const
      const response = await world.client.audio.speech.create(options)
      return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
    })
    expect(speech.type).toBe(types[format])
    expect([...speech.bytes.subarray(-6)]).toEqual([1, 0, 2, 0, 3, 0])
    expect(cost).toBe(quota)
    table.pass(name, 'speech', 'w')
  })

  const testOfEvents = streams ? test : null
  testOfEvents?.('a vendor of speech speaks in events', async () => {
    const { response: events, quota: cost } = await world.measureCharge(model, async () => {
      const options = { model, input: spoken, voice: 'alloy', response_format: format, stream_format: 'sse' } as const
      return await (await world.client.audio.speech.create(options)).text()
    })
    const [delta, done] = [...events.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    expect(delta.type).toBe('speech.audio.delta')
    expect([...Buffer.from(delta.audio, 'base64').subarray(-6)]).toEqual([1, 0, 2, 0, 3, 0])
    expect(done.type).toBe('speech.audio.done')
    expect(cost).toBe(quota)
    table.pass(name, 'speech', 's')
  })
})

const wav = () => new File([aWav(3)], 'a.wav', { type: 'audio/wav' })
const mp3 = () => new File([anMp3(2.98)], 'a.mp3', { type: 'audio/mpeg' })

describe.each(listeners)('$name', ({ name, model, quota, translates, streams }) => {
  test.each([
    ['wav', wav],
    ['mp3', mp3],
  ])('a vendor of transcripts transcribes a recording in %s', async (_, recording) => {
    const { transcriptions } = world.client.audio
    const asJson = await world.measureCharge(model, () => transcriptions.create({ model, file: recording() }))
    expect(asJson.response.text).toBe(transcript)
    expect(asJson.quota).toBe(quota)
    const asText = await world.measureCharge(model, () =>
      transcriptions.create({ model, file: recording(), response_format: 'text' }),
    )
    expect(asText.response.trim()).toBe(transcript)
    expect(asText.quota).toBe(quota)
    table.pass(name, 'transcripts', 'w')
  })

  const testOfTranslation = translates ? test : null
  testOfTranslation?.('a vendor of transcripts translates a recording into English', async () => {
    const { response: translation, quota: cost } = await world.measureCharge(model, () =>
      world.client.audio.translations.create({ model, file: mp3() }),
    )
    expect(translation.text).toBe(translated)
    expect(cost).toBe(quota)
    table.pass(name, 'translations', 'w')
  })

  const testOfEvents = streams ? test : null
  testOfEvents?.('a vendor of transcripts transcribes in events', async () => {
    const { response: events, quota: cost } = await world.measureCharge(model, async () => {
      const stream = await world.client.audio.transcriptions.create({ model, file: wav(), stream: true })
      return await Array.fromAsync(stream)
    })
    expect(events.map(({ type }) => type)).toEqual(['transcript.text.delta', 'transcript.text.done'])
    expect(cost).toBe(quota)
    table.pass(name, 'transcripts', 's')
  })
})
