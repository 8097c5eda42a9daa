import { describe, expect, test } from 'bun:test'
import { render } from '@testing-library/react'
import type { ReactElement } from 'react'

import { makers } from '../../../providers/src/model-maker'
import { providers } from '../../../providers/src'
import { VendorMark } from './vendor-mark'
import { vendorMarks } from './vendor-marks'

const lettersOf = (mark: ReactElement) =>
  render(mark).container.querySelector('[data-letters]')?.getAttribute('data-letters')

describe('vendor marks', () => {
  test('every channel type and model maker has a mark', () => {
    const ids = new Set([...providers.map(({ id }) => id), ...makers.keys()])
    expect(Object.keys(vendorMarks)).toEqual([...ids].sort())
  })

  test('no two marks have the same letters', () => {
    const letters = Object.values(vendorMarks).map(([text]) => text)
    expect(new Set(letters).size).toBe(letters.length)
  })

  test('an unknown vendor gets the first letter of its name', () => {
    expect(lettersOf(<VendorMark id="new-one" name="(nova) Labs" />)).toBe('N')
    expect(lettersOf(<VendorMark id="other" name="智谱" />)).toBe('智')
    expect(lettersOf(<VendorMark id="--" />)).toBe('?')
  })

  test('a mark adds nothing to the text of its row', () => {
    const { container } = render(<VendorMark id="openai" />)
    expect(container.textContent).toBe('')
    expect(container.querySelector('[aria-hidden="true"]')).not.toBeNull()
  })
})
