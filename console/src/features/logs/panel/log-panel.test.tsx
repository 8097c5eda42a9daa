import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { aLog } from '../../../../test/log-factory'
import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { LogPanel } from './log-panel'
import type { LogRow } from '../log-row'

const draw = (row: LogRow, language: 'en' | 'zh' = 'en', role = 1) =>
  renderConsole(
    <LogPanel row={row} error={null} retry={() => {}} search={{}} onFilter={() => {}} onClose={() => {}} />,
    { language, user: { role } },
  )

const figuresOf = (section: string) => {
  const parts = screen.getByRole('heading', { name: section }).closest('section')?.querySelectorAll('div > div') ?? []
  const lines = [...parts].filter(({ firstElementChild: first }) => first?.tagName === 'SPAN')
  return lines.map((line) => [...line.children].map(({ textContent }) => textContent).join(': '))
}

test('the cost is lines of tokens, price per million and amount, which add up to the total', async () => {
  const details = { prices: { input: 0.15, output: 0.6, cache_read: 0.075 }, cache_tokens: 1024, group_ratio: 1 }
  await draw(aLog({ prompt_tokens: 5200, completion_tokens: 420, quota: 478, details }))
  expect(figuresOf('Cost')).toEqual([
    'Input: 4,176 × $0.15/M: $0.0006264',
    'Cache read: 1,024 × $0.075/M: $0.0000768',
    'Output: 420 × $0.60/M: $0.0002520',
    'Group default: ×1',
    'Rounded to $0.000002: +$0.0000008',
    'Total: $0.000956',
  ])
  expect(screen.queryByText(/come to/)).toBeNull()
})

test('the group, the mode and the hours are lines with what they add or take away', async () => {
  const details = {
    model_ratio: 1.25,
    group_ratio: 0.8,
    service_tier_ratio: 2,
    price_mode: 'priority',
    schedule_ratio: 0.5,
    price_schedule: 'off-peak',
  }
  await draw(aLog({ group: 'vip', quota: 1400, details }))
  expect(figuresOf('Cost')).toEqual([
    'Input: 1,000 × $2.50/M: $0.0025',
    'Output: 100 × $10.00/M: $0.0010',
    'Group vip: ×0.8: -$0.0007',
    'Mode Priority: ×2: +$0.0028',
    'Hours Off-peak: ×0.5: -$0.0028',
    'Total: $0.0028',
  ])
})

test("a call with its client's own login has the factor of its channel as a line, and is marked", async () => {
  await draw(aLog({ quota: 0, details: { model_ratio: 1.25, group_ratio: 1, own_login_factor: 0 } }))
  expect(figuresOf('Cost')).toEqual([
    'Input: 1,000 × $2.50/M: $0.0025',
    'Output: 100 × $10.00/M: $0.0010',
    'Group default: ×1',
    'Own login: ×0: -$0.0035',
    'Total: $0.00',
    'Own login',
  ])
  expect(screen.getAllByText('Own login')).toHaveLength(2)
  expect(screen.queryByText(/come to/)).toBeNull()
})

test('seconds and characters are lines too, without ratios to show', async () => {
  const details = { model_price: -1, prices: { per_second: 0.0001 }, seconds: 60, characters: 0 }
  await draw(aLog({ prompt_tokens: 0, completion_tokens: 0, quota: 3000, details }))
  expect(figuresOf('Cost')[0]).toBe('Second: 60 × $0.0001: $0.006')
  expect(screen.queryByRole('switch', { name: 'As ratios' })).toBeNull()
})

test('the formula of ratios is behind a switch, which is remembered', async () => {
  localStorage.removeItem('log-cost-as-ratios')
  const details = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.8, cache_tokens: 600, cache_ratio: 0.5 }
  const { user, unmount } = await draw(aLog({ quota: 1100, details }))
  await user.click(screen.getByRole('switch', { name: 'As ratios' }))
  expect(figuresOf('Cost')).toEqual([
    'Input: 400',
    'Cache read: 600 × 0.5',
    'Output: 100 × 4',
    'Model ratio: × 1.25',
    'Group ratio: × 0.8',
    'Total: 1,100 = $0.0022',
  ])
  expect(screen.getByText('(400 + 600 × 0.5 + 100 × 4) × 1.25 × 0.8')).toBeTruthy()
  unmount()
  await draw(aLog({ quota: 40_000, details: { model_price: 0.04, group_ratio: 2 } }))
  expect(screen.getByText('0.04 × 500,000 × 2')).toBeTruthy()
  localStorage.removeItem('log-cost-as-ratios')
})

test('a call with a fixed price shows the price', async () => {
  await draw(aLog({ quota: 40_000, details: { model_price: 0.04, group_ratio: 2 } }))
  expect(figuresOf('Cost')).toEqual(['Call: 1 × $0.04: $0.04', 'Group default: ×2: +$0.04', 'Total: $0.08'])
})

test('generated images are shown with their number, size and quality', async () => {
  const details = {
    model_price: 0.04,
    prices: { per_image: 0.04 },
    image_count: 2,
    image_size: '1024x1536',
    image_quality: 'high',
  }
  await draw(aLog({ quota: 40_000, details }))
  expect(screen.getByText('Generated images')).toBeTruthy()
  expect(screen.getByText('2, 1024x1536, high')).toBeTruthy()
  expect(figuresOf('Cost')[0]).toBe('Image or page: 2 × $0.04: $0.08')
})

test('a response of a session is shown as one over a WebSocket', async () => {
  await draw(aLog({ details: { ws: true } }))
  expect(screen.getByText('Connection').nextSibling?.textContent).toBe('WebSocket')
})

test('estimated usage and fallback prices are marked', async () => {
  await draw(aLog({ details: { estimated: true, price_assumed: true } }))
  expect(screen.getByText('Estimated')).toBeTruthy()
  expect(screen.getByText('Assumed price')).toBeTruthy()
})

test('lines that differ from the charge say so', async () => {
  await draw(aLog({ quota: 7 }))
  expect(screen.getByText('The lines come to $0.0028; the amount charged is the figure above.')).toBeTruthy()
})

const attempts = [
  { channel: 8, key: 'aa', status: 503, ms: 300, reason: 'Upstream is overloaded' },
  { channel: 3, key: 'bb', status: 200, ms: 900 },
]

test('attempts are listed in order, with channels and failure reasons', async () => {
  serve({ 'GET /api/channel/8': () => ({ id: 8, name: 'Dublin' }) })
  await draw(aLog({ details: { admin_info: { attempts, use_channel: ['8', '3'] } } }), 'en', 10)
  expect(await screen.findByText('Dublin')).toBeTruthy()
  const [first, second] = within(screen.getByRole('list')).getAllByRole('listitem')
  expect(first?.textContent).toBe('Dublin #8503 · 300 msUpstream is overloaded')
  expect(second?.textContent).toBe('Main #3200 · 900 ms')
  const bars = screen.getByRole('list').querySelectorAll<HTMLElement>('[style*="width"]')
  expect([...bars].map(({ style }) => [style.marginLeft, style.width])).toEqual([
    ['0%', '25%'],
    ['25%', '75%'],
  ])
})

test('the attempts say why a strategy chose the channel', async () => {
  const chosen_by = { strategy: 'cheapest', basis: 'score', score: 0.95 }
  await draw(
    aLog({ details: { admin_info: { attempts: attempts.slice(1), use_channel: ['3'], chosen_by } } }),
    'en',
    10,
  )
  expect(await screen.findByText('Cheapest: drawn by score, 95% of the best')).toBeTruthy()
})

test('a call starts with its status, cost, duration and tokens, and its request details', async () => {
  const admin_info = {
    upstream_dialect: 'anthropic-messages',
    upstream_request_id: 'req_up',
    attempts: [],
    use_channel: [],
  }
  const details = { frt: 240, use_time_ms: 1_240, dialect: 'openai-chat', endpoint: '/v1/chat/completions', admin_info }
  await draw(aLog({ is_stream: true, details }))
  const headline = screen.getAllByText('200')[0]?.closest('dl')?.textContent ?? ''
  for (const text of ['200', '$0.0028', '1.24 s', 'TTFT 240 ms', '1,000 / 100']) expect(headline).toContain(text)
  for (const text of ['/v1/chat/completions', 'openai-chat → anthropic-messages', 'req-1', 'req_up', '100 tokens/s'])
    expect(screen.getByText(text)).toBeTruthy()
})

test('an error shows its kind, code, status and sentence, and no cost', async () => {
  await draw(
    aLog({
      type: 6,
      content: 'Upstream is overloaded',
      details: { error_type: 'server_error', error_code: 503, status_code: 502 },
    }),
    'zh',
  )
  for (const text of ['Upstream is overloaded', 'server_error', '503', '502'])
    expect(screen.getByText(text)).toBeTruthy()
  expect(screen.queryByRole('heading', { name: '费用' })).toBeNull()
})

const texts = { context: 'Be brief.', input_content: "What's up?", output_content: 'All is well.' }

test('the conversation is shown and exported as a command and as data', async () => {
  const { user } = await draw(aLog({ is_stream: true, details: texts }))
  expect(await screen.findByText('All is well.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Copy as curl' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toContain('/v1/chat/completions'))
  const command = await navigator.clipboard.readText()
  expect(command).toContain(`What'\\''s up?`)
  expect(command).toContain('"stream": true')
  await user.click(screen.getByRole('button', { name: 'Copy as JSON' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toStartWith('{'))
  expect(JSON.parse(await navigator.clipboard.readText())).toMatchObject({
    request_id: 'req-1',
    quota: 1400,
    other: { model_ratio: 1, output_content: 'All is well.' },
  })
})

test('the playground continues with the same messages and model', async () => {
  sessionStorage.clear()
  const { user, router } = await draw(aLog({ details: { ...texts, system_prompt: 'Of the channel' } }))
  await user.click(screen.getByRole('button', { name: 'Open in the playground' }))
  await waitFor(() => expect(router.state.location.href).toBe('/playground?model=small-1&draft=1'))
  expect(JSON.parse(sessionStorage.getItem('playground-draft') ?? '')).toEqual({
    model: 'small-1',
    messages: [
      { role: 'user', content: 'Be brief.' },
      { role: 'user', content: "What's up?" },
    ],
  })
})

test('the other rows of the call are one click away', async () => {
  await draw(aLog({ id: 5 }))
  expect(screen.getByRole('link', { name: 'All rows for this call' }).getAttribute('href')).toBe(
    '/app/logs/api-usage?request=req-1&open=5',
  )
})

test('a row other than a call has neither cost nor export', async () => {
  await draw(aLog({ type: 1, model_name: '', content: 'Redeemed a code' }))
  expect(screen.getByText('Redeemed a code')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Copy as curl' })).toBeNull()
})

test('a call that a limit refused leads to the limit, and another failure does not', async () => {
  const details = { error_code: 'quota.window', status_code: 429, limit_owner: 'token' }
  const { unmount } = await draw(aLog({ type: 6, content: 'The limit "Daily" is used up', details }))
  const link = await screen.findByRole('link', { name: 'See the limits of the token' })
  expect(link.getAttribute('href')).toBe('/app/tokens?limits=1')
  unmount()
  await draw(aLog({ type: 6, content: 'Gone', details: { error_code: 'upstream.failed' } }))
  expect(screen.queryByRole('link', { name: /limits/ })).toBeNull()
})

test('administrators see what the vendor charges for a call, and the profit', async () => {
  const admin_info = { cost: 300_000, cost_kind: 'list' }
  await draw(aLog({ quota: 500_000, details: { admin_info, plan: 'Pro' } }), 'en', 100)
  const facts = Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )
  expect(facts).toMatchObject({ 'Cost at the vendor': '$0.60', Profit: '$0.40', 'Paid by plan': 'Pro' })
})
