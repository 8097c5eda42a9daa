import { expect, test } from 'bun:test'
import { act } from '@testing-library/react'
import { useState } from 'react'

import { renderConsole } from '../../../test/render'
import { pageSizeFor } from '../../lib/url/page-size'
import { usePage } from './paging'

interface InAddress {
  readonly page?: number
  readonly size?: number
}

async function open(initial: InAddress = {}, of?: 'page' | 'message') {
  let search: InAddress = initial
  let paging: ReturnType<typeof usePage> | undefined
  function Pager() {
    const [address, setAddress] = useState(initial)
    search = address
    paging = usePage(address, (change) => setAddress((before) => ({ ...before, ...change })), of)
    return null
  }
  const { unmount } = await renderConsole(<Pager />)
  return {
    unmount,
    shown: () => ({ page: paging?.page, size: paging?.size }),
    address: () => search,
    go: (page: number, size: number) => act(() => paging?.onChange(page, size)),
  }
}

test('a list without a page in its address begins with the first', async () => {
  expect((await open()).shown()).toEqual({ page: 1, size: 20 })
  expect((await open({ page: 3, size: 50 })).shown()).toEqual({ page: 3, size: 50 })
})

test('the page is kept in the address, and the first one leaves it', async () => {
  const { go, address, shown } = await open()
  go(2, 20)
  expect(address()).toEqual({ page: 2, size: undefined })
  expect(shown()).toEqual({ page: 2, size: 20 })
  go(1, 20)
  expect(address()).toEqual({ page: undefined, size: undefined })
})

test('a chosen size is kept in the address and for the next list', async () => {
  const { go, address, unmount } = await open()
  go(1, 50)
  expect(address()).toEqual({ page: undefined, size: 50 })
  unmount()
  expect((await open()).shown()).toEqual({ page: 1, size: 50 })
  expect((await open({}, 'message')).shown()).toEqual({ page: 1, size: 20 })
})

test('a size of the address stays there while pages are turned', async () => {
  const { go, address } = await open({ size: 10 })
  go(2, 10)
  expect(address()).toEqual({ page: 2, size: 10 })
})

test.each([
  [800, 20],
  [900, 20],
  [1140, 20],
  [1200, 50],
  [2160, 50],
])('a window of %i pixels has %i rows a page until the reader chooses', (height, size) => {
  expect(pageSizeFor(height)).toBe(size as 20 | 50)
})
