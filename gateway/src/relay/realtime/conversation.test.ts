import fc from 'fast-check'
import { expect, test } from 'bun:test'

import { noUsage } from '@tollgate/dialects'

import { Conversation } from './conversation'

/** A second of the usual format in base64. */
const second = 64_000

type Step = readonly ['append' | 'commit' | 'committed' | 'transcribed' | 'failed', id: number]

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(fc.constantFrom('append', 'commit', 'committed', 'transcribed', 'failed'), fc.nat(3)),
  { maxLength: 60 },
)

test('transcripts are of no more seconds than were appended, and of no more turns', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const conversation = new Conversation()
      let [appended, appends, transcribed, transcripts] = [0, 0, 0, 0]
      for (const [kind, id] of all) {
        if (kind === 'append') {
          conversation.addAudio(second * id)
          appended += id
          appends += id > 0 ? 1 : 0
        } else if (kind === 'commit') conversation.addClientEvent({ type: 'input_audio_buffer.commit' })
        else if (kind === 'committed') conversation.commitSegment(`item_${id}`)
        else if (kind === 'failed') conversation.dropSegment(`item_${id}`)
        else {
          const seconds = conversation.takeSegment(`item_${id}`)
          transcribed += seconds ?? 0
          transcripts += seconds === null ? 0 : 1
        }
      }
      expect(transcribed).toBeLessThanOrEqual(appended)
      expect(transcripts).toBeLessThanOrEqual(appends)
    }),
  )
})

test('turns that a client ends one behind the other have each a transcript of its own', () => {
  const conversation = new Conversation()
  for (const seconds of [1, 2]) {
    conversation.addAudio(second * seconds)
    conversation.addClientEvent({ type: 'input_audio_buffer.commit' })
  }
  conversation.commitSegment('one')
  conversation.commitSegment('two')
  expect(['two', 'one', 'two'].map((id) => conversation.takeSegment(id))).toEqual([2, 1, null])
})

test('an upstream that reports no turns transcribes what was heard since the transcript before', () => {
  const conversation = new Conversation()
  conversation.addAudio(second)
  expect([conversation.takeSegment('one'), conversation.takeSegment('two')]).toEqual([1, null])
})

test('audio of earlier responses is held at the price of audio', () => {
  const conversation = new Conversation()
  conversation.recordResponse({
    ...noUsage,
    promptTokens: 100,
    audioInputTokens: 60,
    completionTokens: 50,
    audioOutputTokens: 40,
  })
  conversation.addClientEvent({ item: { content: [{ type: 'input_audio', audio: 'A'.repeat(second) }] } })
  expect(conversation.nextResponse('gpt-realtime')).toMatchObject({
    promptTokens: 50,
    media: { seconds: [1], audioTokens: 100 },
  })
})

test('a response without usage is estimated to be no longer than one can be', async () => {
  const output = { text: 'word '.repeat(1000), audioLength: second * 1000 }
  const usage = await new Conversation().estimate(output, 'gpt-realtime', 500)
  expect([usage.completionTokens, usage.audioOutputTokens]).toEqual([500, 500])
})

test('a session keeps no more of its texts than the log does, however many it is sent', () => {
  const item = (text: string) => ({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  })
  for (const loggedLength of [0, 100]) {
    const conversation = new Conversation(loggedLength)
    for (let sent = 0; sent < 50; sent += 1) conversation.addClientEvent(item('x'.repeat(10_000)))
    conversation.keepTranscript('y'.repeat(10_000))
    expect(conversation.inputText.length).toBeLessThanOrEqual(loggedLength)
  }
})
