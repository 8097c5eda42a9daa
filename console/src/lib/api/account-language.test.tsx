import { afterEach, expect, test } from 'bun:test'
import { act } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { anAccount } from '../../../test/user-factory'
import { adoptLanguage, forgetLanguageOwner } from './account-language'
import { chooseAccountLanguage } from './choose-account-language'
import { currentLanguage } from '../text/i18n'
import { storedUser } from './session'

afterEach(() => localStorage.clear())

const zh = anAccount({ setting: '{"language":"zh"}' })

test('a sign-in adopts the language of the account once', async () => {
  serve({})
  await renderConsole(<p />)
  await act(() => adoptLanguage(zh))
  expect(currentLanguage()).toBe('zh')
  await act(() => chooseAccountLanguage('en'))
  await act(() => adoptLanguage(zh))
  expect(currentLanguage()).toBe('en')
  forgetLanguageOwner()
  await act(() => adoptLanguage(zh))
  expect(currentLanguage()).toBe('zh')
})

test('an account without a language keeps that of the browser', async () => {
  serve({})
  await renderConsole(<p />)
  for (const setting of ['{}', '{"language":"fr"}', 'no JSON']) {
    forgetLanguageOwner()
    await act(() => adoptLanguage(anAccount({ setting })))
    expect(currentLanguage()).toBe('en')
  }
})

test("a guest's choice applies only to the browser", async () => {
  const calls = serve({})
  await renderConsole(<p />)
  storedUser.clear()
  await act(() => chooseAccountLanguage('zh'))
  expect(currentLanguage()).toBe('zh')
  expect(calls).toEqual([])
})
