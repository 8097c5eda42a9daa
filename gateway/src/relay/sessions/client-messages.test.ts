import { expect, test } from 'bun:test'

import { nextTurn } from '../../platform/time/timers'
import { ClientMessages } from './client-messages'

/** Messages of which those that begin with `checked` are checked until they are released. */
function createMessages() {
  const handled: string[] = []
  const gate = Promise.withResolvers<void>()
  const messages = new ClientMessages((text) => {
    handled.push(text)
    return text.startsWith('checked') ? gate.promise : null
  })
  return { handled, messages, release: gate.resolve }
}

test('messages of a client behind one that is checked are handled in their order, with turns for others in between', async () => {
  const { handled, messages, release } = createMessages()
  const texts = Array.from({ length: 1000 }, (_, at) => `message ${at}`)
  messages.take('checked')
  for (const text of texts) messages.take(text)
  expect([handled, messages.bytes > 100_000]).toEqual([['checked'], true])
  release()
  await nextTurn()
  expect(handled.length).toBeLessThan(500)
  messages.take('late')
  while (messages.bytes > 0) await nextTurn()
  expect(handled).toEqual(['checked', ...texts, 'late'])
  messages.take('at once')
  expect(handled.at(-1)).toBe('at once')
})

test('messages that are forgotten are not handled', async () => {
  const { handled, messages, release } = createMessages()
  messages.take('checked')
  messages.take('behind')
  messages.forget()
  release()
  await nextTurn()
  expect([handled, messages.bytes]).toEqual([['checked'], 0])
})
