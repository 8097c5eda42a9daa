import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { aChannel } from '../../../../test/channel-factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { TagDrawer } from './tag-drawer'

async function open(respond: () => unknown = () => 2, language: 'en' | 'zh' = 'en') {
  const calls = serve({
    'GET /api/channel/tag/models': () => 'kite-1,kite-2',
    'GET /api/channel/search': () => ({
      items: [aChannel({ name: 'One' }), aChannel({ id: 8, name: 'Two' })],
      page: 1,
      page_size: 8,
      total: 2,
    }),
    'GET /api/group': () => ['default', 'vip'],
    'PUT /api/channel/tag': respond,
  })
  let closed = 0
  const view = await renderConsole(<TagDrawer tag="team" onClose={() => (closed += 1)} />, { language })
  await screen.findByText(language === 'en' ? /2 channels have this tag: One, Two/ : /2 个渠道：/)
  const getRequestBodies = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  const save = () => view.user.click(screen.getByRole('button', { name: language === 'en' ? 'Save' : '保存' }))
  return { ...view, calls, getRequestBodies, save, closed: () => closed }
}

test('the drawer requests only this tag and says how many channels a save changes', async () => {
  const page = await open()
  expect(page.calls.find(({ path }) => path.endsWith('/search'))?.query).toMatchObject({ tag: 'team' })
  await page.user.type(screen.getByRole('textbox', { name: 'Tag' }), '-2')
  expect(await screen.findByText(/Saving changes 2 channels: One, Two/)).toBeTruthy()
  await page.save()
  await waitFor(() => expect(page.closed()).toBe(1))
  expect(page.getRequestBodies()).toEqual([{ tag: 'team', new_tag: 'team-2' }])
})

test('only changed models, groups and mapping are sent', async () => {
  const page = await open()
  await page.user.type(screen.getByRole('combobox', { name: /^Models/ }), 'kite-3,')
  await page.user.click(screen.getByRole('combobox', { name: /^Groups/ }))
  await page.user.click(await screen.findByRole('option', { name: 'vip' }))
  await page.user.click(screen.getByRole('textbox', { name: /^Model mapping/ }))
  await page.user.paste('{"a":"b"}')
  await page.save()
  await waitFor(() => expect(page.getRequestBodies()).toHaveLength(1))
  expect(page.getRequestBodies()[0]).toMatchObject({ tag: 'team', models: 'kite-1,kite-2,kite-3', groups: 'vip' })
  expect(page.getRequestBodies()[0]).not.toHaveProperty('new_tag')
})

test('saving without changes says so and sends nothing', async () => {
  const page = await open(undefined, 'zh')
  await page.save()
  expect(await screen.findByText('没有任何修改！')).toBeTruthy()
  expect(page.getRequestBodies()).toEqual([])
})

test('a refusal is shown at its field', async () => {
  const page = await open(() => new Refusal('channel.model_long', 'That name is too long'))
  await page.user.type(screen.getByRole('combobox', { name: /^Models/ }), 'kite-3,')
  await page.save()
  expect(await screen.findByText('That name is too long')).toBeTruthy()
  expect(screen.getByText('kite-3')).toBeTruthy()
  expect(page.closed()).toBe(0)
})
