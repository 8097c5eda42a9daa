import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import type { ControlProps } from './control-props'
import { OptionControl } from './option-control'

// The viewport of the simulated window.
const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }

interface FieldProps {
  readonly option: ControlProps['option']
  readonly initial: string
  readonly isSet: boolean
  readonly onChange: (text: string) => void
}

/** Feeds changes back as the value, as a page does. */
function Field({ option, initial, isSet, onChange }: FieldProps) {
  const [value, setValue] = useState(initial)
  const change = (text: string) => {
    onChange(text)
    setValue(text)
  }
  return (
    <OptionControl
      option={option}
      value={value}
      onChange={change}
      field={{ label: 'Field', description: 'What it does', size: 'sm', classNames: {} }}
      isDisabled={false}
      isSet={isSet}
      choiceLabel={(choice) => `the ${choice}`}
    />
  )
}

/** Renders the control of an option; `texts` collects its changes. */
async function draw(option: ControlProps['option'], initial: string, { isSet = false } = {}) {
  const texts: string[] = []
  const view = await renderConsole(
    <Field option={option} initial={initial} isSet={isSet} onChange={(text) => texts.push(text)} />,
  )
  // Rare kinds are loaded when they are rendered.
  await screen.findByText('What it does')
  return { ...view, last: () => texts.at(-1) }
}

const box = (name: string | RegExp = 'Field') => screen.getByRole<HTMLInputElement>('textbox', { name })

test('a switch writes true and false', async () => {
  const { user, last } = await draw({ kind: 'boolean' }, 'false')
  await user.click(screen.getByRole('switch', { name: /Field/ }))
  expect(last()).toBe('true')
  await user.click(screen.getByRole('switch', { name: /Field/ }))
  expect(last()).toBe('false')
})

test('a number shows its unit and is read without separators', async () => {
  const { user, last } = await draw({ kind: 'integer', unit: 'tokens' }, '16384')
  expect(box().value).toBe('16,384')
  screen.getByText('tokens')
  await user.clear(box())
  await user.type(box(), '20000')
  expect(last()).toBe('20000')
})

test('an amount of quota is typed in dollars, with its units below', async () => {
  const { user, last } = await draw({ kind: 'integer', unit: 'quota' }, '500000')
  expect(box().value).toBe('$1')
  screen.getByText('500,000 units of quota')
  await user.clear(box())
  await user.type(box(), '1.50')
  expect(last()).toBe('750000')
  expect(box().value).toBe('$1.50')
})

test('an amount in dollars is stored as typed', async () => {
  const { user, last } = await draw({ kind: 'integer', unit: 'usd' }, '1')
  await user.clear(box())
  await user.type(box(), '5')
  expect(last()).toBe('5')
})

test('a duration is shown in the largest integer unit and stored in its own', async () => {
  const { user, last } = await draw({ kind: 'integer', unit: 'minutes' }, '120')
  const unit = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Unit of Field' })
  expect([box().value, unit.value]).toEqual(['2', 'hours'])
  await user.clear(box())
  await user.type(box(), '1.5')
  expect(last()).toBe('90')
  await user.selectOptions(unit, 'days')
  expect(last()).toBe('2160')
})

test('bonuses have a line each: an amount, a sum in dollars or a share, and whether users get it once', async () => {
  const option = { kind: 'json', entries: 'bonus', names: 'amount' } as const
  const { user, last } = await draw(option, '[{"from":10,"quota":500000}]')
  const cell = (name: string, line: number) =>
    screen.findByRole<HTMLInputElement>('textbox', { name: `${name} in line ${line}` })
  expect((await cell('Sum', 1)).value).toBe('$1')
  await user.click(screen.getByRole('checkbox', { name: 'Once in line 1' }))
  expect(last()).toBe('[{"from":10,"quota":500000,"once":true}]')
  await user.click(screen.getByRole('button', { name: /Add/ }))
  await user.type(await cell('Amount in dollars', 2), '100')
  await user.type(await cell('Or share (%)', 2), '2.5')
  expect(last()).toBe('[{"from":10,"quota":500000,"once":true},{"from":100,"percent":2.5}]')
  await user.click(screen.getByRole('checkbox', { name: 'Once in line 1' }))
  await user.clear(await cell('Sum', 1))
  expect(last()).toBe('[{"from":10},{"from":100,"percent":2.5}]')
})

test('a secret is never shown, only whether it is set', async () => {
  const { user, last, container } = await draw({ kind: 'secret' }, '', { isSet: true })
  const field = container.querySelector('input')
  expect([field?.value, field?.type, field?.placeholder]).toEqual(['', 'password', 'Set · type to replace'])
  await user.type(screen.getByLabelText('Field'), 'new')
  expect(last()).toBe('new')
})

test('a missing secret says so', async () => {
  await draw({ kind: 'secret' }, '')
  screen.getByPlaceholderText('Not set')
})

test('a list takes entries one by one or pasted, and keeps duplicates', async () => {
  const { user, last } = await draw({ kind: 'list' }, 'a.com')
  const field = screen.getByRole('combobox', { name: 'Field' })
  await user.type(field, 'b.com{Enter}')
  expect(last()).toBe('a.com,b.com')
  await user.type(field, 'a.com,')
  expect(last()).toBe('a.com,b.com,a.com')
})

test('lines are counted without the empty ones', async () => {
  const { user, last } = await draw({ kind: 'lines' }, 'one')
  await user.type(box(), '{Enter}{Enter}two')
  expect(last()).toBe('one\n\ntwo')
  screen.getByText('2 entries')
})

test('a choice shows its label and stores its name', async () => {
  const { user, last } = await draw({ kind: 'choice', choices: ['hour', 'day'] }, 'hour')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Field' }), 'the day')
  expect(last()).toBe('day')
})

test('a colour can be typed', async () => {
  const { user, last } = await draw({ kind: 'text', format: 'color' }, '#000000')
  await user.clear(box())
  await user.type(box(), '#3763e4')
  expect(last()).toBe('#3763e4')
})

test('code, and JSON that is not a flat table, is edited as text, JSON over several lines', async () => {
  await draw({ kind: 'json' }, '[{"App":"https://app.example"}]')
  expect(box().value).toBe('[\n  {\n    "App": "https://app.example"\n  }\n]')
})

test('a JSON table is edited by line', async () => {
  const { user, last } = await draw({ kind: 'json', entries: 'number', names: 'group' }, '{"vip":1}')
  await user.click(screen.getByRole('button', { name: 'Add a line' }))
  expect(last()).toBe('{"vip":1}')
  await user.keyboard('svip')
  await user.type(box('Ratio in line 2'), '0.50')
  expect(JSON.parse(last() ?? '')).toEqual({ vip: 1, svip: 0.5 })
  expect(box('Ratio in line 2').value).toBe('0.50')
  await user.click(screen.getByRole('button', { name: 'Remove vip' }))
  expect(last()).toBe('{"svip":0.5}')
})

test('a duplicate name is marked and makes the value invalid', async () => {
  const { user, last } = await draw({ kind: 'json', entries: 'number', names: 'group' }, '{"vip":1,"x":2}')
  await user.clear(box('Group in line 2'))
  await user.type(box('Group in line 2'), 'vip')
  expect(screen.getAllByText('Duplicate')).toHaveLength(2)
  expect(Array.isArray(JSON.parse(last() ?? ''))).toBe(true)
})

test('a JSON table can be edited as text; a text that is not a table stays a text', async () => {
  const { user, last } = await draw({ kind: 'json', entries: 'text' }, '{"a":"one"}')
  await user.click(screen.getByRole('radio', { name: 'JSON' }))
  await user.clear(box())
  await user.type(box(), '{{"a":"two"}')
  expect(last()).toBe('{"a":"two"}')
  await user.type(box(), '!')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Table' }).disabled).toBe(true)
})

test('links are edited by line, and may share a name', async () => {
  const { user, last } = await draw({ kind: 'json', entries: 'link', names: 'chat' }, '[{"App":"app://{key}"}]')
  await user.click(screen.getByRole('button', { name: 'Add a line' }))
  await user.type(box('Name in line 2'), 'App')
  await user.type(box('Link in line 2'), 'https://app.example')
  expect(screen.queryByText('Duplicate')).toBeNull()
  expect(JSON.parse(last() ?? '')).toEqual([{ App: 'app://{key}' }, { App: 'https://app.example' }])
})

const groupBox = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name })

test('a nested table has a line for each pair of names, among the existing groups', async () => {
  serve({ 'GET /api/group': () => ['default', 'vip'] })
  const { user, last } = await draw(
    { kind: 'json', entries: 'matrix', names: 'known-group' },
    '{"vip":{"default":0.5,"vip":1}}',
  )
  expect(groupBox('User’s group in line 2').value).toBe('vip')
  await user.click(screen.getByRole('button', { name: 'Add a line' }))
  await user.keyboard('def')
  await user.click(await screen.findByRole('option', { name: 'default' }))
  expect(groupBox('User’s group in line 3').value).toBe('default')
  // A group that does not exist yet can be typed.
  await user.type(groupBox('Group used in line 3'), 'new')
  await user.type(box('Ratio in line 3'), '2')
  expect(JSON.parse(last() ?? '')).toEqual({ vip: { default: 0.5, vip: 1 }, default: { new: 2 } })
  await user.click(screen.getByRole('button', { name: 'Remove default' }))
  expect(JSON.parse(last() ?? '')).toEqual({ vip: { default: 0.5, vip: 1 } })
})

test('a duplicate pair of names is marked, and kept for the validation to refuse', async () => {
  serve({ 'GET /api/group': () => ['default', 'vip'] })
  const { user, last } = await draw(
    { kind: 'json', entries: 'matrix', names: 'known-group' },
    '{"vip":{"default":0.5,"vip":1}}',
  )
  await user.click(groupBox('Group used in line 2'))
  await user.keyboard('default{Enter}')
  expect(screen.getAllByText('Duplicate')).toHaveLength(2)
  expect(Array.isArray(JSON.parse(last() ?? ''))).toBe(true)
})

test('limits by group are edited as calls and successful calls', async () => {
  serve({ 'GET /api/group': () => ['default', 'vip'] })
  const { user, last } = await draw({ kind: 'json', entries: 'limits', names: 'known-group' }, '{"vip":[0,1000]}')
  expect([box('Calls in line 1').value, box('Successful calls in line 1').value]).toEqual(['0', '1000'])
  await user.clear(box('Calls in line 1'))
  await user.type(box('Calls in line 1'), '2000')
  expect(last()).toBe('{"vip":[2000,1000]}')
})

test('a list of amounts is edited by line', async () => {
  const { user, last } = await draw({ kind: 'json', entries: 'amounts', names: 'amount' }, '[10,20]')
  await user.click(screen.getByRole('button', { name: 'Add a line' }))
  await user.keyboard('50')
  expect(last()).toBe('[10,20,50]')
  await user.clear(box('Amount in dollars in line 3'))
  await user.type(box('Amount in dollars in line 3'), '20')
  expect(screen.getAllByText('Duplicate')).toHaveLength(2)
})

test('discounts are edited beside the amounts they apply to', async () => {
  const { user, last } = await draw({ kind: 'json', entries: 'number', names: 'amount' }, '{"100":0.95}')
  await user.clear(box('Factor in line 1'))
  await user.type(box('Factor in line 1'), '0.9')
  expect(last()).toBe('{"100":0.9}')
})

test('a payment method is a line, and its empty cells are left out', async () => {
  const { user, last } = await draw(
    { kind: 'json', entries: 'method', names: 'method' },
    '[{"name":"Alipay","type":"alipay","color":"#1677ff","min_topup":5,"icon":"https://pay.example/a.png"}]',
  )
  await user.click(screen.getByRole('button', { name: 'Add a line' }))
  await user.keyboard('qqpay')
  await user.type(box('Name in line 2'), 'QQ Wallet')
  expect(JSON.parse(last() ?? '')).toEqual([
    { type: 'alipay', name: 'Alipay', color: '#1677ff', min_topup: 5, icon: 'https://pay.example/a.png' },
    { type: 'qqpay', name: 'QQ Wallet' },
  ])
})

test('the cells of a payment method stand below their names on a phone', async () => {
  happyDOM.setViewport({ width: 390 })
  await draw({ kind: 'json', entries: 'method', names: 'method' }, '[{"name":"Alipay","type":"alipay","min_topup":5}]')
  const minimumField = box('Minimum ($) in line 1')
  expect(minimumField.value).toBe('5')
  expect(screen.getByText('Minimum ($)', { selector: 'label' }).getAttribute('for')).toBe(minimumField.id)
  happyDOM.setViewport({ width: 1440 })
})

test('a payment method with unknown members is edited as text', async () => {
  await draw(
    { kind: 'json', entries: 'method', names: 'method' },
    '[{"name":"Alipay","type":"alipay","logo":"https://pay.example/a.png"}]',
  )
  expect(box().value).toContain('"logo"')
})

test('an object at a provider is a line, of which the same may stand for several channels', async () => {
  const { user, last } = await draw(
    { kind: 'json', entries: 'object', names: 'object' },
    '[{"id":"vs_1","channel":3,"name":"handbook","groups":"vip"}]',
  )
  await user.click(screen.getByRole('button', { name: 'Add a line' }))
  await user.keyboard('vs_1')
  await user.type(box('Channel in line 2'), '4')
  expect(JSON.parse(last() ?? '')).toEqual([
    { id: 'vs_1', channel: 3, name: 'handbook', groups: 'vip' },
    { id: 'vs_1', channel: 4 },
  ])
})

test('a routing strategy is a line with a choice, its empty cells are left out, and it can be moved up', async () => {
  const { user, last } = await draw(
    { kind: 'json', entries: 'strategy', names: 'group' },
    '[{"group":"vip","model":"gpt-*","strategy":"fastest"},{"model":"*","strategy":"mix","cost":2,"speed":1}]',
  )
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Strategy in line 1' }), 'Cheapest')
  await user.clear(box('Speed in line 2'))
  await user.type(box('Load in line 2'), '3')
  await user.click(screen.getByRole('button', { name: 'Move line 2 up' }))
  expect(JSON.parse(last() ?? '')).toEqual([
    { model: '*', strategy: 'mix', cost: 2, load: 3 },
    { group: 'vip', model: 'gpt-*', strategy: 'cheapest' },
  ])
  await user.click(screen.getByRole('button', { name: 'Add a line' }))
  await user.type(box('Model in line 3'), 'o3')
  expect(JSON.parse(last() ?? '')).toHaveLength(3)
  expect(JSON.parse(last() ?? '')).toContainEqual({ model: 'o3', strategy: 'weight' })
})

test('a long table has pages, and a new line is on the last', async () => {
  const long = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`model-${at}`, at]))
  const { user, last } = await draw({ kind: 'json', entries: 'number', names: 'model' }, JSON.stringify(long))
  expect(screen.getAllByRole('textbox')).toHaveLength(100)
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(box('Model in line 51').value).toBe('model-50')
  await user.clear(box('Ratio in line 52'))
  await user.type(box('Ratio in line 52'), '7')
  expect(JSON.parse(last() ?? '')).toEqual({ ...long, 'model-51': 7 })
  await user.click(screen.getByRole('button', { name: 'Add a line' }))
  expect(screen.getAllByRole('textbox').map((one) => one.getAttribute('aria-label'))).toEqual([
    'Model in line 101',
    'Ratio in line 101',
  ])
  await user.click(screen.getByRole('button', { name: 'Remove 101' }))
  expect(box('Model in line 51').value).toBe('model-50')
})

test('a text of the site has a preview as its readers see it', async () => {
  const { user } = await draw({ kind: 'text', format: 'html' }, '<p>Hello</p>')
  await user.click(screen.getByRole('radio', { name: 'Preview' }))
  await screen.findByText('Hello')
})

test('a paragraph has several lines', async () => {
  const { user, last } = await draw({ kind: 'text', format: 'paragraph' }, '1 High Street')
  await user.type(box(), '{Enter}London')
  expect(last()).toBe('1 High Street\nLondon')
})

test('a time zone is found by typing', async () => {
  const { user, last } = await draw({ kind: 'text', format: 'time-zone' }, 'UTC')
  const zone = screen.getByRole('combobox', { name: 'Field' })
  await user.clear(zone)
  await user.type(zone, 'shanghai{Enter}')
  expect(last()).toBe('Asia/Shanghai')
})
