import { beforeEach, expect, test } from 'bun:test'
import { act, screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { chooseLanguage, findText, translate, useTranslation } from './i18n'

beforeEach(() => renderConsole(null))

test('a count selects the form of a text and fills its placeholder', () => {
  expect(translate('table.filtersSet', { count: 1 })).not.toBe(translate('table.filtersSet', { count: 2 }))
  expect(translate('table.filtersSet', { count: 2 })).toContain('2')
})

test('a count is grouped, another number is not', () => {
  expect(translate('table.filtersSet', { count: 12_345 })).toContain('12,345')
  expect(translate('orders:action.more', { number: 12_345 })).toContain('12345')
})

test('a key with the name of another area is read there, and an unknown text is its key', () => {
  expect(translate('logs:title')).toBe('Usage log')
  expect(findText('logs', 'title')).toBe('Usage log')
  expect(findText('logs', 'view')).toBeUndefined()
  expect(findText('logs', 'no.such.text')).toBeUndefined()
})

test('text keys may contain dots', () => {
  expect(findText('options-watch', 'monitor_setting.auto_test_channel_enabled.label')).toBe(
    'Test channels periodically',
  )
})

test('another language is rendered at once, with all areas in use', async () => {
  const Title = () => <h1>{useTranslation('logs').t('title')}</h1>
  await renderConsole(<Title />)
  screen.getByRole('heading', { name: 'Usage log' })
  await act(() => chooseLanguage('zh'))
  screen.getByRole('heading', { name: '使用日志' })
  expect(document.documentElement.lang).toBe('zh')
})
