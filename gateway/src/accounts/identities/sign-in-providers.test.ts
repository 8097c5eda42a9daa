import { expect, test } from 'bun:test'

import { defaultOptions } from '@tollgate/contract'

import { providerError } from '../../console-api/oauth/provider-fetch'
import { providerName } from './sign-in-providers'

const optionsWithName = (name: string) => ({ ...defaultOptions, 'oidc.display_name': name })

test.each([
  ['Acme SSO', { en: 'Acme SSO', zh: ' Acme SSO ' }],
  ['企业登录', { en: '企业登录', zh: '企业登录' }],
  ['Acme 登录', { en: 'Acme 登录', zh: ' Acme 登录' }],
  ['  ', { en: 'OIDC', zh: ' OIDC ' }],
] as const)(
  'the OIDC provider %p is named as the operator says, with spaces around Latin in Chinese',
  (name, shown) => {
    expect(providerName('oidc', optionsWithName(name))).toEqual(shown)
    expect(providerName('wechat', optionsWithName(name))).toEqual({ en: 'WeChat', zh: '微信' })
  },
)

test('a refusal of the OIDC provider has the operator’s name for it', () => {
  const catalog = { current: { options: optionsWithName('Acme SSO') } } as Parameters<
    typeof providerError
  >[0]['catalog']
  expect(providerError({ catalog }, 'oauth.denied', 'oidc').params).toEqual({
    provider: { en: 'Acme SSO', zh: ' Acme SSO ' },
  })
})
