import { afterEach, beforeEach, expect, test } from 'bun:test'
import { act, fireEvent, screen } from '@testing-library/react'

import { untilGone } from '../../../../test/until-gone'
import { openPlayground } from '../test/open-playground'

/** What the list of turns asked to be told of its size. */
let resized: (() => void)[] = []
const real = globalThis.ResizeObserver

/** There is no layout here: the test says how high the list is. */
class ListObserver extends real {
  readonly #callback: () => void

  constructor(callback: ResizeObserverCallback) {
    super(callback)
    this.#callback = () => callback([], this)
  }

  override observe(element: Element): void {
    if (element.matches('[role="log"], [role="log"] > *')) resized.push(this.#callback)
  }

  override disconnect(): void {
    resized = resized.filter((callback) => callback !== this.#callback)
  }
}

beforeEach(() => {
  resized = []
  globalThis.ResizeObserver = ListObserver
})
afterEach(() => {
  globalThis.ResizeObserver = real
  sessionStorage.clear()
})

const visible = 300

async function openList() {
  const { user } = await openPlayground()
  const list = await screen.findByRole('log')
  Object.defineProperty(list, 'clientHeight', { configurable: true, value: visible })
  const growTo = (height: number) =>
    act(() => {
      Object.defineProperty(list, 'scrollHeight', { configurable: true, value: height })
      for (const callback of resized) callback()
    })
  const scrollTo = (top: number) => {
    list.scrollTop = top
    fireEvent.scroll(list)
  }
  growTo(1000)
  return { user, list, growTo, scrollTo }
}

const jump = 'Jump to the latest'

test('a conversation that is read at its end stays there while it grows', async () => {
  const { list, growTo, scrollTo } = await openList()
  expect(list.scrollTop).toBe(1000)
  // Nearly at the end.
  scrollTo(1000 - visible - 47)
  growTo(1400)
  expect(list.scrollTop).toBe(1400)
  expect(screen.queryByRole('button', { name: jump })).toBeNull()
})

test('a reader who scrolled away stays there while the conversation grows, and can jump to its end', async () => {
  const { user, list, growTo, scrollTo } = await openList()
  scrollTo(1000 - visible - 48)
  growTo(1400)
  expect(list.scrollTop).toBe(652)
  await user.click(await screen.findByRole('button', { name: jump }))
  expect(list.scrollTop).toBe(1400)
  growTo(1600)
  expect(list.scrollTop).toBe(1600)
  fireEvent.scroll(list)
  await untilGone(() => screen.queryByRole('button', { name: jump }))
})
