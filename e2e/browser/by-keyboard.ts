import { expect } from 'bun:test'

import type { Locator, Page } from 'playwright-core'

/** More than the number of controls before the target on any page. */
const maxTabs = 60

export const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)

/** Whether the focus is visible: the focused element, or something around it, looks different without the focus. */
export const isSeen = (page: Page) =>
  page.evaluate(async () => {
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement) || focused === document.body) return false
    const around: Element[] = [focused]
    while (around.length < 6) around.push(around.at(-1)?.parentElement ?? document.body)
    const look = async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      return around.map((element) => {
        const { outline, boxShadow, borderColor } = getComputedStyle(element)
        return [outline, boxShadow, borderColor].join()
      })
    }
    const seen = (await look()).join()
    focused.blur()
    const unseen = (await look()).join()
    focused.focus()
    return seen !== unseen
  })

/**
 * Presses Tab until the target has the focus.
 * @throws Error when the keyboard does not reach the target.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < maxTabs; tabs += 1) {
    await page.keyboard.press('Tab')
    if (!(await isFocused(target))) continue
    expect(await isSeen(page)).toBe(true)
    return
  }
  throw new Error(`${String(target)} is not reached by the keyboard`)
}
