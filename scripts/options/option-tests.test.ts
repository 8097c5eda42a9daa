import { expect, test } from 'bun:test'

import { titlesSetting } from './option-tests'

const source = `
const world = { Logo: 'a.png' }

describe.each(kinds)('the site (%s)', (kind) => {
  const options = { 'oidc.enabled': 'true' }

  test('signs people in', async () => {
    await setOptions({ RetryTimes: '1' })
    expect(options.ModelPrice).toBe(1)
  })

  test.each([
    ['Footer', 'x'],
  ])('shows what %s is', (key, text) => {
    const Price = 7
  })
})
`

test.each([
  ['RetryTimes', ['signs people in']],
  ['Footer', ['shows what %s is']],
  ['Price', ['shows what %s is']],
  ['oidc.enabled', ['signs people in']],
  ['Logo', ['signs people in']],
  ['ModelPrice', []],
  ['Notice', []],
])('%s is set by %j', (key, titles) => {
  expect(titlesSetting(source, key)).toEqual(titles)
})
