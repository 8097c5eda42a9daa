import { afterEach, describe, expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { openPlayground } from '../test/open-playground'
import { untilGone } from '../../../../test/until-gone'

afterEach(() => sessionStorage.clear())

const click = async ({ user }: { user: { click: (element: Element) => Promise<void> } }, name: string) =>
  user.click(await screen.findByRole('button', { name }))
const textOf = (element: HTMLElement) => (element as HTMLTextAreaElement).value

describe('settings', () => {
  test('enabled settings are sent with the next question; disabled ones are not', async () => {
    const page = await openPlayground()
    await page.box()
    await page.user.click(screen.getByRole('switch', { name: 'Temperature' }))
    await page.user.click(screen.getByRole('switch', { name: 'Max tokens' }))
    const maxTokensField = await screen.findByRole('textbox', { name: 'Max tokens' })
    await page.user.clear(maxTokensField)
    await page.user.type(maxTokensField, '64')
    await page.user.click(screen.getByRole('switch', { name: 'JSON mode' }))
    const system = screen.getByRole('textbox', { name: 'System prompt' })
    await page.user.clear(system)
    await page.user.type(system, 'Be brief.')
    await page.sendMessage('Hi')
    await waitFor(() => expect(page.getRequestBodies()).toHaveLength(1))
    expect(page.getRequestBodies()[0]).toMatchObject({
      temperature: 0.7,
      max_tokens: 64,
      response_format: { type: 'json_object' },
      messages: [{ role: 'system', content: 'Be brief.' }, {}],
    })
    expect(page.getRequestBodies()[0]).not.toHaveProperty('top_p')
  })

  test('one of several models can have settings of its own', async () => {
    const page = await openPlayground()
    await page.box()
    await click(page, 'Compare with another model')
    await page.user.selectOptions(screen.getByRole('combobox', { name: 'Parameters for' }), 'kite-2')
    await page.user.click(screen.getByRole('switch', { name: 'Temperature' }))
    expect(await screen.findByText('custom parameters')).toBeTruthy()
    await page.sendMessage('Hi')
    await waitFor(() => expect(page.getRequestBodies()).toHaveLength(2))
    expect(page.getRequestBodies()[0]).not.toHaveProperty('temperature')
    expect(page.getRequestBodies()[1]).toMatchObject({ model: 'kite-2', temperature: 0.7 })
    await click(page, 'Same as the other models')
    await untilGone(() => screen.queryByText('custom parameters'))
  })

  test('settings are saved as a preset and restored from it', async () => {
    const page = await openPlayground()
    await page.box()
    const system = screen.getByRole('textbox', { name: 'System prompt' })
    await page.user.clear(system)
    await page.user.type(system, 'Be a pirate.')
    await click(page, 'Presets')
    await page.user.click(await screen.findByRole('menuitem', { name: 'Save as a preset…' }))
    await page.user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Pirate{Enter}')
    await click(page, 'Pirate')
    await page.user.click(await screen.findByRole('menuitem', { name: 'Reset to defaults' }))
    await waitFor(() => expect(textOf(system)).toBe('You are a helpful assistant.'))
    await click(page, 'Presets')
    await page.user.click(await screen.findByRole('menuitem', { name: 'Pirate' }))
    await waitFor(() => expect(textOf(system)).toBe('Be a pirate.'))
  })

  test('settings are shared as an address that sets up another playground', async () => {
    const page = await openPlayground({ address: '/playground?model=kite-2' })
    await page.box()
    await page.user.click(screen.getByRole('switch', { name: 'Seed' }))
    await click(page, 'Share')
    const address = new URL(await navigator.clipboard.readText())
    page.unmount()
    localStorage.clear()
    const other = await openPlayground({ address: `/playground${address.hash}` })
    await other.sendMessage('Hi')
    await waitFor(() => expect(other.getRequestBodies()[0]).toMatchObject({ model: 'kite-2', seed: 42 }))
  })

  test('the temperature ranges from 0.1 to 1', async () => {
    const page = await openPlayground()
    await page.box()
    await page.user.click(screen.getByRole('switch', { name: 'Temperature' }))
    const slider = await screen.findByRole('slider', { name: 'Temperature' })
    expect([slider.getAttribute('aria-valuemin'), slider.getAttribute('aria-valuemax')]).toEqual(['0.1', '1'])
  })

  test('the group shows its purpose and its ratio', async () => {
    const page = await openPlayground({ address: '/playground?model=kite-3' })
    await page.box()
    // The model was requested, so the group that has it is used.
    expect(screen.queryByText(/does not have this model/)).toBeNull()
    await page.user.click(screen.getByRole('combobox', { name: /^Group/ }))
    await page.user.click(await screen.findByRole('option', { name: /default/ }))
    expect(screen.getByText('Group default does not have this model')).toBeTruthy()
    await page.user.click(screen.getByRole('combobox', { name: /^Group/ }))
    await page.user.click(await screen.findByRole('option', { name: /fast/ }))
    expect(screen.getAllByText('For those in a hurry').length).toBeGreaterThan(0)
    expect(screen.queryByText('Group default does not have this model')).toBeNull()
    await page.sendMessage('Hi')
    await waitFor(() => expect(page.getRequestBodies()[0]).toMatchObject({ group: 'fast', model: 'kite-3' }))
  })
})
