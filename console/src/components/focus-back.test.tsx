import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import { Glob } from 'bun'
import { useState } from 'react'

import { renderConsole } from '../../test/render'
import { FocusBack } from './focus-back'
import { ManualCopy } from './manual-copy'

function Dialogs() {
  const [step, setStep] = useState<'none' | 'form' | 'result'>('none')
  return (
    <>
      <button type="button" onClick={() => setStep('form')}>
        {'Open'}
      </button>
      {step === 'form' && (
        <div>
          <FocusBack />
          <button type="button" onClick={() => setStep('result')}>
            {'Save'}
          </button>
        </div>
      )}
      {step === 'result' && (
        <section>
          <FocusBack />
          <button type="button" onClick={() => setStep('none')}>
            {'Close'}
          </button>
        </section>
      )}
    </>
  )
}

test('the focus returns to the opener of a dialog, also when the dialog followed another one', async () => {
  const { user } = await renderConsole(<Dialogs />)
  for (const name of ['Open', 'Save', 'Close']) await user.click(await screen.findByRole('button', { name }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }))
})

function Copying() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {'Copy'}
      </button>
      {isOpen && <ManualCopy text="sk-1" onClose={() => setOpen(false)} />}
    </>
  )
}

test('Escape closes a dialog and returns the focus to its button', async () => {
  const { user } = await renderConsole(<Copying />)
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  const field = await screen.findByRole('textbox', { name: 'Copy manually' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Copy' })))
})

/** Dialogs that return the focus to the row of their table themselves. */
const withOwnFocus = new Set(['components/peek/peek-panel.tsx'])

test('every dialog returns the focus', async () => {
  const sources = `${import.meta.dir}/..`
  const without: string[] = []
  for await (const file of new Glob('**/*.tsx').scan(sources)) {
    const source = await Bun.file(`${sources}/${file}`).text()
    if (/<(?:Modal|Drawer)\b/.test(source) && !source.includes('<FocusBack />') && !withOwnFocus.has(file))
      without.push(file)
  }
  expect(without).toEqual([])
})
