import { afterEach, expect, test } from 'bun:test'
import { renderHook } from '@testing-library/react'

import { useLightPrint } from './use-light-print'

const root = document.documentElement
const scheme = () => root.getAttribute('data-mantine-color-scheme')
afterEach(() => root.removeAttribute('data-mantine-color-scheme'))

test('a dark page is printed in the light theme, and dark again afterwards', () => {
  root.setAttribute('data-mantine-color-scheme', 'dark')
  const { unmount } = renderHook(() => useLightPrint())
  window.dispatchEvent(new Event('beforeprint'))
  expect(scheme()).toBe('light')
  window.dispatchEvent(new Event('afterprint'))
  expect(scheme()).toBe('dark')
  unmount()
  window.dispatchEvent(new Event('beforeprint'))
  expect(scheme()).toBe('dark')
})
