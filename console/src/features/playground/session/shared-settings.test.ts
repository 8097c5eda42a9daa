import { expect, test } from 'bun:test'

import { aSession, aConversation } from '../test/factories'
import { defaultSettings } from './settings'
import { sharedAddress, sharedIn, withShared } from './shared-settings'

const { parameters } = defaultSettings
const hot = { ...parameters, temperature: { isOn: true, value: 0.9 } }
const session = aSession({
  lanes: [
    { id: 'l1', model: 'kite-1' },
    { id: 'l2', model: 'kite-2', parameters: hot },
  ],
  settings: { group: 'vip', system: 'Be brief & kind.', parameters },
  turns: aConversation(['t1', 'a secret question', 'a secret answer']),
})
const hashOf = (address: string) => new URL(address).hash

test('a shared address contains models, system prompt and parameters, and no conversation', () => {
  const address = sharedAddress(session, 'https://gate.example')
  expect(address).toStartWith('https://gate.example/playground#settings=')
  expect(decodeURIComponent(address)).not.toMatch(/secret|vip/)
  expect(sharedIn(hashOf(address))).toEqual({
    lanes: [{ model: 'kite-1' }, { model: 'kite-2', parameters: hot }],
    system: 'Be brief & kind.',
    parameters,
  })
})

test('parameters of a lane are applied to the lane of their model, even if another model is missing', () => {
  const shared = sharedIn(hashOf(sharedAddress(session, 'https://gate.example')))
  if (!shared) throw new Error('nothing was shared')
  const both = withShared(aSession({ lanes: session.lanes.map(({ id, model }) => ({ id, model })) }), shared)
  expect(both.lanes.map((lane) => lane.parameters)).toEqual([undefined, hot])
  expect(both.settings).toEqual({ group: '', system: 'Be brief & kind.', parameters })
  const one = withShared(aSession({ lanes: [{ id: 'l9', model: 'kite-2' }] }), shared)
  expect(one.lanes).toEqual([{ id: 'l9', model: 'kite-2', parameters: hot }])
})

test.each(['', '#other', '#settings=', '#settings=%7B', '#settings={"lanes":[]}', `#settings=${'x'.repeat(70_000)}`])(
  'the fragment %p shares nothing',
  (hash) => {
    expect(sharedIn(hash)).toBeUndefined()
  },
)
