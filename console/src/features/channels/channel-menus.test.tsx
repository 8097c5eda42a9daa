import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import type { Grant } from '@tollgate/contract'

import { aChannel, aVendor } from '../../../test/channel-factories'
import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { BulkActions } from './bulk-actions'
import { ChannelActions } from './channel-actions'
import { ListMenu } from './list-menu'
import { useChannelWrites } from './use-channel-writes'

const noop = () => {}

test.each<[readonly Grant[], string[]]>([
  [['channels.read'], ['Export all matches']],
  [
    ['channels.read', 'channels.write'],
    [
      'Test all channels',
      'Update all balances',
      'Export all matches',
      'Repair consistency',
      'Delete disabled channels',
    ],
  ],
  [
    ['channels.read', 'channels.write', 'keys.write'],
    [
      'Test all channels',
      'Update all balances',
      'Import…',
      'Export all matches',
      'Repair consistency',
      'Delete disabled channels',
    ],
  ],
])('the menu of the list has for holders of %j: %j', async (grants, items) => {
  serve({})
  const { user } = await renderConsole(<ListMenu before={[]} onImport={noop} onExport={noop} />, { grants })
  await user.click(screen.getByRole('button'))
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(items)
})

test.each<[readonly Grant[], string[]]>([
  [['channels.read'], ['Export']],
  [
    ['channels.read', 'channels.write'],
    ['Test', 'Enable', 'Disable', 'Set tag', 'Export', 'Delete'],
  ],
])('selected channels are offered to holders of %j: %j', async (grants, names) => {
  serve({})
  const actions = <BulkActions channels={[aChannel()]} onRun={noop} onExport={noop} onDone={noop} />
  await renderConsole(actions, { grants })
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(names)
})

test.each([
  [['chat'], true],
  [[], false],
])('a channel of a vendor with the modes %j offers a test: %p', async (modes, isOffered) => {
  serve({})
  function Actions() {
    const row = { kind: 'channel', channel: aChannel(), isChild: false } as const
    const vendor = aVendor({ modes })
    return (
      <ChannelActions row={row} writes={useChannelWrites()} vendor={vendor} onEdit={noop} onTest={noop} onKeys={noop} />
    )
  }
  const { user } = await renderConsole(<Actions />)
  expect(screen.queryByRole('button', { name: 'Test' }) !== null).toBe(isOffered)
  await user.click(screen.getByRole('button', { name: /^More actions/ }))
  await screen.findByRole('menuitem', { name: 'Duplicate' })
  expect(screen.queryByRole('menuitem', { name: /^Test/ }) !== null).toBe(isOffered)
})
