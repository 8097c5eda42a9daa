import { describe, expect, test } from 'bun:test'
import { render } from '@testing-library/react'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { providers } from '../../../providers/src'
import { makers } from '../../../providers/src/model-maker'
import { VendorMark } from './vendor-mark'
import { vendorIconFolder, vendorIcons } from './vendor-icons'

const packageFolder = join(import.meta.dir, '../../node_modules/@lobehub/icons-static-svg')

/** Vendors for which the package has no icon. */
const withoutIcon = ['aiproxy', 'custom', 'moka']

const letterOf = (id: string, name?: string) =>
  render(<VendorMark id={id} name={name} />)
    .container.querySelector('[data-letter]')
    ?.getAttribute('data-letter')

describe('vendor marks', () => {
  test('every channel type and model maker has an icon, or is listed as one without', () => {
    const ids = new Set([...providers.map(({ id }) => id), ...makers.keys()])
    expect([...Object.keys(vendorIcons), ...withoutIcon].sort()).toEqual([...ids].sort())
  })

  test.each(Object.entries(vendorIcons))('the package has the icon of %s', (_id, icon) => {
    expect(existsSync(join(packageFolder, 'icons', `${icon}.svg`))).toBe(true)
  })

  test('the folder of icons is named for the version of the package', async () => {
    const { version } = await Bun.file(join(packageFolder, 'package.json')).json()
    expect(vendorIconFolder).toEndWith(`-${version}`)
  })

  test('a known vendor is drawn by its icon', () => {
    const { container } = render(<VendorMark id="anthropic" />)
    const icon = container.querySelector<HTMLElement>('[style]')
    expect(icon?.style.maskImage).toContain(`/${vendorIconFolder}/anthropic.svg`)
    expect(container.querySelector('[data-letter]')).toBeNull()
  })

  test('an unknown vendor gets the first letter of its name', () => {
    expect(letterOf('new-one', '(nova) Labs')).toBe('N')
    expect(letterOf('other', '智谱')).toBe('智')
    expect(letterOf('--')).toBe('?')
  })

  test('a mark adds nothing to the text of its row', () => {
    const { container } = render(<VendorMark id="custom" />)
    expect(container.textContent).toBe('')
    expect(container.querySelector('[aria-hidden="true"]')).not.toBeNull()
  })
})
