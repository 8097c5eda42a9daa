import { expect, test } from 'bun:test'

import { channelNumbers } from '@tollgate/contract'

import { readConfig } from '../../platform/config/config'
import { channelDefaults } from './channels'

test('a channel without numbers of its own has those of the contract, unless the environment says otherwise', () => {
  const own = Object.entries(channelNumbers).map(([name, { otherwise }]) => [name, otherwise])
  expect(channelDefaults(readConfig({}))).toEqual(Object.fromEntries(own))
  const environment = { FIRST_BYTE_TIMEOUT: '45', FIRST_BYTE_TIMEOUT_WHOLE: '500' }
  expect(channelDefaults(readConfig(environment))).toMatchObject({
    max_waiting: 100,
    first_byte_timeout: 45,
    first_byte_timeout_whole: 500,
  })
})
