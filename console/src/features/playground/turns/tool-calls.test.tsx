import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { chatResponse, openPlayground } from '../test/open-playground'

/** The arguments arrive in pieces, as models send them. */
const callTool = () =>
  chatResponse('Let me look.', [
    { choices: [{ delta: { tool_calls: [{ index: 1, id: 'call-1', function: { name: 'get_weather' } }] } }] },
    { choices: [{ delta: { tool_calls: [{ index: 1, function: { arguments: '{"city":' } }] } }] },
    {
      choices: [
        { delta: { tool_calls: [{ index: 1, function: { arguments: '"Oslo"}' } }] }, finish_reason: 'tool_calls' },
      ],
    },
  ])

test('a model calls a tool, receives the result, and continues', async () => {
  const page = await openPlayground({ answers: [callTool, () => chatResponse('It snows.')] })
  await page.box()
  await page.user.click(screen.getByRole('switch', { name: 'Tools' }))
  await page.user.click(await screen.findByRole('button', { name: 'Insert example' }))
  await page.sendMessage('Weather in Oslo?')
  const call = await screen.findByRole('region', { name: 'Call of get_weather' })
  expect(call.querySelector('pre')?.textContent).toBe('{\n  "city": "Oslo"\n}')
  expect(page.getRequestBodies()[0]).toMatchObject({ tools: [{ type: 'function', function: { name: 'get_weather' } }] })
  const send = screen.getByRole('button', { name: 'Send the result' })
  expect(send.hasAttribute('disabled')).toBe(true)
  await page.user.type(screen.getByRole('textbox', { name: 'Result' }), 'snow')
  await page.user.click(send)
  expect(await screen.findByText('It snows.')).toBeTruthy()
  expect((page.getRequestBodies()[1] as { messages: unknown[] }).messages.slice(1)).toEqual([
    { role: 'user', content: 'Weather in Oslo?' },
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
    },
    { role: 'tool', tool_call_id: 'call-1', content: 'snow' },
  ])
})

test('a call without a result is left out of the next request', async () => {
  const page = await openPlayground({ answers: [callTool, () => chatResponse('Fine.')] })
  await page.sendMessage('Weather in Oslo?')
  await screen.findByRole('region', { name: 'Call of get_weather' })
  await page.sendMessage('Never mind')
  await screen.findByText('Fine.')
  expect((page.getRequestBodies()[1] as { messages: unknown[] }).messages.slice(1)).toEqual([
    { role: 'user', content: 'Weather in Oslo?' },
    { role: 'assistant', content: 'Let me look.' },
    { role: 'user', content: 'Never mind' },
  ])
})

test('invalid JSON says so and prevents sending', async () => {
  const page = await openPlayground()
  await page.box()
  await page.user.click(screen.getByRole('switch', { name: 'JSON schema' }))
  const field = await screen.findByRole('textbox', { name: 'JSON schema' })
  await page.user.click(field)
  await page.user.paste('[1]')
  expect(await screen.findByText('A JSON schema is an object, such as {"type": "object", …}')).toBeTruthy()
  await page.sendMessage('Hi')
  expect(await screen.findByText('Fix the JSON in the settings before sending')).toBeTruthy()
  expect(page.getRequestBodies()).toHaveLength(0)
  await page.user.clear(field)
  await page.user.click(field)
  await page.user.paste('{"type":"object"}')
  await page.user.type(await page.box(), '{Enter}')
  await waitFor(() =>
    expect(page.getRequestBodies()[0]).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
    }),
  )
})
