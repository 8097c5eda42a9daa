import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../../../test/render'
import { Refusal, serve } from '../../../../../test/server'
import { ModelPicker, type ModelSource } from './model-picker'

async function open(source: ModelSource, responses: Parameters<typeof serve>[0], language: 'en' | 'zh' = 'en') {
  const calls = serve(responses)
  const applied: (readonly string[])[] = []
  const view = await renderConsole(
    <ModelPicker
      current={['kite-1', 'gone-1']}
      source={source}
      onApply={(models) => applied.push(models)}
      onClose={() => {}}
    />,
    { language },
  )
  return { ...view, calls, applied }
}

const offered = ['kite-1', 'kite-2', 'kite-3', 'owl-1']
const responses = { 'GET /api/channel/fetch_models/7': () => offered }

test('the picker shows the difference, selects a whole family and removes missing models', async () => {
  const { user, applied } = await open({ channelId: 7 }, responses)
  expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual([
    'New (3)',
    'Existing (1)',
    'Missing upstream (1)',
  ])
  await user.click(screen.getByRole('checkbox', { name: 'kite (0/2)' }))
  await user.click(screen.getByRole('tab', { name: 'Missing upstream (1)' }))
  await user.click(await screen.findByRole('checkbox', { name: 'gone-1' }))
  expect(screen.getByText('3 models, 2 before')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(applied).toEqual([['kite-1', 'kite-2', 'kite-3']])
})

test('the first list of a channel is taken whole unless models are left out', async () => {
  serve(responses)
  const applied: (readonly string[])[] = []
  const { user } = await renderConsole(
    <ModelPicker
      current={[]}
      source={{ channelId: 7 }}
      onApply={(models) => applied.push(models)}
      onClose={() => {}}
    />,
  )
  expect(await screen.findByText('4 models')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'owl-1' }))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(applied).toEqual([['kite-1', 'kite-2', 'kite-3']])
})

test('one checkbox selects all listed models, or clears them', async () => {
  const { user, applied } = await open({ channelId: 7 }, responses)
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3' }))
  expect(screen.getByText('5 models, 2 before')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Select all 3' }))
  expect(screen.getByText('2 models, 2 before')).toBeTruthy()
  await user.type(screen.getByRole('textbox', { name: 'Search models' }), 'kite')
  await user.click(screen.getByRole('checkbox', { name: 'Select all 2' }))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(applied).toEqual([['kite-1', 'gone-1', 'kite-2', 'kite-3']])
})

test('a search narrows the list and what a family’s checkbox selects', async () => {
  const { user, applied } = await open({ channelId: 7 }, responses)
  await user.type(await screen.findByRole('textbox', { name: 'Search models' }), 'OWL')
  expect(screen.queryByRole('checkbox', { name: 'kite-2' })).toBeNull()
  await user.click(screen.getByRole('checkbox', { name: 'owl-1' }))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(applied).toEqual([['kite-1', 'gone-1', 'owl-1']])
})

test('the list of an unsaved channel is requested with what was typed', async () => {
  const unsaved = { type: 501, key: 'kt-1', base_url: 'https://a.example', other: '' }
  const { calls } = await open({ unsaved }, { 'POST /api/channel/fetch_models': () => offered })
  await screen.findByRole('tab', { name: 'New (3)' })
  expect(calls.map(({ body }) => body)).toEqual([unsaved])
})

test('a failed list says so and can be retried', async () => {
  let tries = 0
  const refuse = () => {
    tries += 1
    return tries === 1 ? new Refusal('channel.fetch_failed', '密钥无效') : offered
  }
  const { user } = await open({ channelId: 7 }, { 'GET /api/channel/fetch_models/7': refuse }, 'zh')
  expect(await screen.findByText('获取模型列表失败')).toBeTruthy()
  expect(screen.getByText('密钥无效')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('tab', { name: '新增（3）' })).toBeTruthy()
})
