import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'

import { renderConsole } from '../../../test/render'
import { JsonField } from './json-field'

function Field({ label, error }: { readonly label: string; readonly error?: string }) {
  const [value, setValue] = useState('')
  return <JsonField label={label} value={value} onChange={setValue} error={error} />
}

test('each field that was left with invalid JSON says why, or what its form says of it', async () => {
  const { user } = await renderConsole(
    <>
      <Field label="One" />
      <Field label="Two" error="Two must be valid JSON" />
      <button type="button">{'Elsewhere'}</button>
    </>,
  )
  for (const label of ['One', 'Two']) {
    await user.click(screen.getByLabelText(label))
    await user.paste('{bad')
  }
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(screen.getByText(/^Not a valid JSON object: /)).toBeTruthy()
  expect(screen.getByText('Two must be valid JSON')).toBeTruthy()
  await user.click(screen.getByLabelText('One'))
  await user.clear(screen.getByLabelText('One'))
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(screen.queryByText(/^Not a valid JSON object: /)).toBeNull()
})
