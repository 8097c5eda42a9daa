import { expect, test } from 'bun:test'

import { compose } from './compose'

const site = { SystemName: 'Kite "& Co"', ServerAddress: 'https://gate.example.com' }
const letter = { id: '1', to: 'ann@example.com', language: 'en' } as const
const logoImageIn = (Logo: string, ServerAddress = site.ServerAddress) => {
  const { html } = compose({ words: 'test' }, { ...letter, site: { ...site, Logo, ServerAddress } })
  return /<img[^>]*>/.exec(html)?.[0]
}

test('the site’s logo is at the top of a mail, with its name for readers without images', () => {
  const logoImage = logoImageIn('https://cdn.example.com/logo.png?a=1&b=2')
  expect(logoImage).toContain('src="https://cdn.example.com/logo.png?a=1&amp;b=2"')
  expect(logoImage).toContain('alt="Kite &quot;&amp; Co&quot;"')
})

test('a logo on the site itself gets the full address', () => {
  expect(logoImageIn('/kite.png')).toContain('src="https://gate.example.com/kite.png"')
  expect(logoImageIn('/kite.png', '')).toBeUndefined()
})

test.each(['', 'data:image/png;base64,AAAA'])('%p is not a logo that mail programs show', (logo) => {
  expect(logoImageIn(logo)).toBeUndefined()
})
