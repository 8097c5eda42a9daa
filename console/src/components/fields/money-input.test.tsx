import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'

import { renderConsole } from '../../../test/render'
import { MoneyInput } from './money-input'
import { QuotaField } from './quota-field'

type Amount = number | string

interface FieldProps {
  readonly initial: Amount
  readonly onChange: (quota: Amount) => void
}

function Field({ initial, onChange }: FieldProps) {
  const [quota, setQuota] = useState(initial)
  const change = (next: Amount) => {
    onChange(next)
    setQuota(next)
  }
  return (
    <>
      <MoneyInput label="Amount" value={quota} onChange={change} />
      <button type="button" onClick={() => change(1_000_000)}>
        {'Two dollars'}
      </button>
    </>
  )
}

async function draw(initial: Amount, site = {}) {
  const amounts: Amount[] = []
  const view = await renderConsole(<Field initial={initial} onChange={(quota) => amounts.push(quota)} />, { site })
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' })
  return { ...view, box, last: () => amounts.at(-1) }
}

test('a quota is shown in dollars with its units below', async () => {
  const { box } = await draw(617_283_500)
  expect(box.value).toBe('$1,234.567')
  screen.getByText('617,283,500 units of quota')
})

test('typed dollars are reported in quota units and stay as typed', async () => {
  const { user, box, last } = await draw('')
  expect(box.value).toBe('')
  await user.type(box, '1.50')
  expect(last()).toBe(750_000)
  expect(box.value).toBe('$1.50')
})

test('an amount that is not exact in binary is reported to the unit', async () => {
  const { user, box, last } = await draw('')
  await user.type(box, '8.19')
  expect(last()).toBe(4_095_000)
})

test('a cleared field is empty, not zero', async () => {
  const { user, box, last } = await draw(500_000)
  await user.clear(box)
  expect(last()).toBe('')
  expect(screen.queryByText(/units of quota/)).toBeNull()
})

test('a value set from outside replaces what was typed', async () => {
  const { user, box } = await draw(0)
  await user.clear(box)
  await user.type(box, '5')
  await user.click(screen.getByRole('button', { name: 'Two dollars' }))
  expect(box.value).toBe('$2')
})

test('an amount follows the site’s quota units per dollar', async () => {
  const { user, box, last } = await draw(100, { quota_per_unit: 1000 })
  expect(box.value).toBe('$0.1')
  await user.clear(box)
  await user.type(box, '3')
  expect(last()).toBe(3000)
})

test('a site that shows quota has it typed in units, with the dollars below', async () => {
  const { user, box, last } = await draw(617_283_500, { display_in_currency: false })
  expect(box.value).toBe('617,283,500')
  screen.getByText('$1,234.57')
  await user.clear(box)
  await user.type(box, '1500')
  expect(last()).toBe(1500)
})

function Limit() {
  const [quota, setQuota] = useState<Amount>(500_000)
  const [isOn, setOn] = useState(true)
  return (
    <QuotaField
      label="Quota"
      value={quota}
      onChange={setQuota}
      unlimited={{ label: 'Unlimited', isOn, onChange: setOn }}
    />
  )
}

test('an amount is requested only where the quota is limited', async () => {
  const { user } = await renderConsole(<Limit />)
  expect(screen.queryByRole('textbox', { name: 'Quota' })).toBeNull()
  await user.click(screen.getByRole('switch', { name: 'Unlimited' }))
  await user.click(screen.getByRole('button', { name: '$10' }))
  expect(screen.getByRole('textbox', { name: 'Quota' })).toHaveProperty('value', '$10')
})

test('common amounts are in the unit that the site shows', async () => {
  const { user } = await renderConsole(<Limit />, { site: { display_in_currency: false } })
  await user.click(screen.getByRole('switch', { name: 'Unlimited' }))
  await user.click(screen.getByRole('button', { name: '5M' }))
  expect(screen.getByRole('textbox', { name: 'Quota' })).toHaveProperty('value', '5,000,000')
})
