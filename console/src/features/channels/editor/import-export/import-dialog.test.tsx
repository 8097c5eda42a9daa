import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { aChannel, aVendor } from '../../../../../test/channel-factories'
import { renderConsole } from '../../../../../test/render'
import { Refusal, serve, type RecordedCall } from '../../../../../test/server'
import { ImportDialog } from './import-dialog'

async function open(create: (call: RecordedCall) => unknown = () => aChannel()) {
  const calls = serve({
    'GET /api/channel/types': () => [aVendor()],
    'GET /api/group': () => ['default'],
    'POST /api/channel': create,
  })
  const view = await renderConsole(<ImportDialog onClose={() => {}} />)
  await waitFor(() => expect(calls).toHaveLength(2))
  const paste = async (text: string) => {
    await view.user.click(await screen.findByRole('textbox', { name: 'JSON or CSV' }))
    await view.user.paste(text)
  }
  const getRequestBodies = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { ...view, paste, getRequestBodies }
}

const start = (count: number) =>
  screen.findByRole('button', { name: count === 1 ? 'Import 1 channel' : `Import ${count} channels` })

test('rows are previewed before any is created; then each is created in turn with its own result', async () => {
  const page = await open(({ body }) =>
    (body as { name: string }).name === 'B' ? new Refusal('channel.base_url', 'Not an address') : aChannel({ id: 41 }),
  )
  await page.paste(
    JSON.stringify({
      channels: ['A', 'B', ''].map((name) => ({ name, type: 501, key: 'k', models: 'm', group: 'default' })),
    }),
  )
  expect(await screen.findByText('No name')).toBeTruthy()
  expect(screen.getAllByText('New')).toHaveLength(2)
  expect(page.getRequestBodies()).toEqual([])
  await page.user.click(await start(2))
  expect(await screen.findByText('Created #41')).toBeTruthy()
  expect(await screen.findByText('Not an address')).toBeTruthy()
  expect(page.getRequestBodies()).toHaveLength(2)
  // Existing channels are not created twice; failures can be retried.
  expect(await start(1)).toBeTruthy()
})

test('an export contains no keys: they are entered in the preview', async () => {
  const page = await open()
  await page.paste('[{"name":"A","type":501,"models":"m1,m2"}]')
  await page.user.type(await screen.findByRole('textbox', { name: 'Key of row 1' }), 'kt-5')
  await page.user.click(await start(1))
  await waitFor(() => expect(page.getRequestBodies()).toHaveLength(1))
  expect(page.getRequestBodies()[0]).toMatchObject({
    name: 'A',
    key: 'kt-5',
    models: 'm1,m2',
    group: 'default',
    type: 501,
  })
})

test('rows without a type get the chosen one', async () => {
  const page = await open()
  await page.paste('A,https://a.example/,kt-1,m1;m2,default')
  expect(await screen.findByText('Type missing or unknown')).toBeTruthy()
  await page.user.click(screen.getByRole('combobox', { name: 'Type for rows that name none' }))
  await page.user.click(await screen.findByRole('option', { name: 'Kite AI' }))
  await page.user.click(await start(1))
  await waitFor(() => expect(page.getRequestBodies()).toHaveLength(1))
  expect(page.getRequestBodies()[0]).toMatchObject({
    base_url: 'https://a.example',
    key: 'kt-1',
    models: 'm1,m2',
    type: 501,
  })
})

test('invalid JSON is reported', async () => {
  const page = await open()
  await page.paste('[{"name":')
  expect(await screen.findByText('This is not valid JSON')).toBeTruthy()
})
