import { afterAll, beforeAll, expect, test } from 'bun:test'

import { aWav } from '../../../test/recordings'
import { createWorld, type World } from '../../../test/world'
import { ByteBudget } from '../../http/limits/byte-budget'
import { readRecording, recordingQueue } from './read-body'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

function upload(userId: number) {
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('file', new File([aWav(2)], 'a.wav'))
  const request = new Request('http://gateway.test', { method: 'POST', body: form })
  const budget = new ByteBudget({ total: 10_000_000, ofUser: 10_000_000 })
  return readRecording(request, 'openai-transcriptions', world.ctx, budget.open(userId))
}

test('recordings of a user are measured one after the other, and others do not wait for them', async () => {
  const turn = await recordingQueue.enter(1)
  let isMeasured = false
  const own = upload(1).then(({ recording }) => {
    isMeasured = true
    return recording?.seconds
  })
  expect((await upload(2)).recording?.seconds).toBeCloseTo(2, 1)
  expect(isMeasured).toBe(false)
  turn[Symbol.dispose]()
  expect(await own).toBeCloseTo(2, 1)
})
