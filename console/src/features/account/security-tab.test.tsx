import { afterEach, expect, test } from 'bun:test'
import type { factorRoutes, sessionRoutes } from '@tollgate/contract'
import { screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { untilGone } from '../../../test/until-gone'
import { SecurityTab } from './security-tab'

const noFactors: factorRoutes.Factors = {
  totp_since: null,
  recovery_codes: 0,
  passkeys: [],
  is_required: false,
  has_password: true,
  can_use_passkeys: true,
  factors: [],
}
const passkey = { id: 'key-1', name: 'My phone', created_at: 1_700_000_000, last_used_at: null, is_backed_up: true }
const both: factorRoutes.Factors = {
  ...noFactors,
  totp_since: 1_700_000_000,
  recovery_codes: 8,
  passkeys: [passkey],
  factors: ['totp', 'recovery_code', 'passkey'],
}

const session = (fields: Partial<sessionRoutes.SessionEntity>): sessionRoutes.SessionEntity => ({
  id: 'a'.repeat(64),
  created_at: 1_700_000_000,
  last_seen_at: 1_700_000_000,
  expires_at: 1_800_000_000,
  ip: '192.0.2.7',
  user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
  is_current: false,
  ...fields,
})
const here = session({ id: 'b'.repeat(64), ip: '192.0.2.1', is_current: true })

const codes = ['AAAA-BBBB', 'CCCC-DDDD']

const open = async (factors: factorRoutes.Factors, responses: Parameters<typeof serve>[0] = {}) => {
  const calls = serve({
    'GET /api/user/factors': () => factors,
    'GET /api/user/sessions': () => [here, session({})],
    ...responses,
  })
  const view = await renderConsole(<SecurityTab />)
  return { ...view, calls, sent: (method: string) => calls.filter((call) => call.method === method) }
}

/** Clicks a button and confirms. */
async function confirm(
  user: Awaited<ReturnType<typeof open>>['user'],
  button: HTMLElement,
  title: string,
  yes: string,
) {
  await user.click(button)
  await user.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name: yes }))
}

const created = { id: 'key-2', rawId: 'key-2', type: 'public-key' as const }
const attestation = { clientDataJSON: 'client', attestationObject: 'attestation' }

/** A browser that creates passkeys, or whose user declines. */
function aBrowserWithPasskeys(isWilling: boolean) {
  class PublicKeyCredential {
    static parseCreationOptionsFromJSON = (options: object) => options
    toJSON = () => ({ ...created, response: attestation, clientExtensionResults: {} })
  }
  const requests: unknown[] = []
  Object.assign(globalThis, { PublicKeyCredential })
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      create: async (options: unknown) => {
        requests.push(options)
        if (!isWilling) throw new DOMException('No', 'NotAllowedError')
        return new PublicKeyCredential()
      },
    },
  })
  return requests
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  Reflect.deleteProperty(navigator, 'credentials')
})

test('an authenticator app is set up by its first code, and the recovery codes are shown once', async () => {
  let factors = noFactors
  const { user, sent } = await open(noFactors, {
    'GET /api/user/factors': () => factors,
    'POST /api/user/factors/totp/begin': () => ({
      token: 'the-token',
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Tollgate:ada?secret=JBSWY3DPEHPK3PXP',
    }),
    'POST /api/user/factors/totp': ({ body }) => {
      if ((body as { code: string }).code !== '123456') return new Refusal('factor.wrong', 'That did not work')
      factors = both
      return { recovery_codes: codes }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy()
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy()
  await user.type(screen.getByLabelText('Verification code'), '000000{Enter}')
  expect(await screen.findByText('That did not work')).toBeTruthy()
  await user.clear(screen.getByLabelText('Verification code'))
  await user.type(screen.getByLabelText('Verification code'), '123456{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Save your recovery codes' })
  for (const code of codes) expect(within(dialog).getByText(code)).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Copy the codes' })).toBeTruthy()
  expect(within(dialog).getByRole('button', { name: 'Download' })).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(screen.getByText('AAAA-BBBB')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'I have saved them' }))
  await untilGone(() => screen.queryByText('AAAA-BBBB'))
  expect(sent('POST').at(-1)?.body).toEqual({ token: 'the-token', code: '123456' })
  expect(await screen.findByRole('button', { name: 'Turn off' })).toBeTruthy()
})

test('the authenticator app is turned off after a confirmation', async () => {
  const { user, sent } = await open(both, { 'DELETE /api/user/factors/totp': () => undefined })
  await confirm(
    user,
    await screen.findByRole('button', { name: 'Turn off' }),
    'Turn off the authenticator app?',
    'Turn off',
  )
  await waitFor(() => expect(sent('DELETE').map(({ path }) => path)).toEqual(['/api/user/factors/totp']))
})

test('new recovery codes replace the previous ones', async () => {
  const { user, sent } = await open(both, { 'POST /api/user/factors/recovery_codes': () => codes })
  expect(await screen.findByText('8 left')).toBeTruthy()
  const button = screen.getByRole('button', { name: 'Generate new codes' })
  await confirm(user, button, 'Generate new recovery codes?', 'Generate new codes')
  expect(await screen.findByText('CCCC-DDDD')).toBeTruthy()
  expect(sent('POST')).toHaveLength(1)
})

test('a passkey created by the browser is saved under the given name', async () => {
  const requests = aBrowserWithPasskeys(true)
  const { user, sent } = await open(noFactors, {
    'POST /api/user/passkeys/begin': () => ({ challenge: 'the-challenge' }),
    'POST /api/user/passkeys': () => ({ passkey, recovery_codes: codes }),
  })
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }))
  const name = await screen.findByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'Work laptop{Enter}')
  expect(await screen.findByText('AAAA-BBBB')).toBeTruthy()
  expect(requests).toEqual([{ publicKey: { challenge: 'the-challenge' } }])
  expect(sent('POST').at(-1)?.body).toMatchObject({
    name: 'Work laptop',
    answer: { ...created, response: attestation },
  })
})

test('no passkey is saved when the user declines to create one', async () => {
  aBrowserWithPasskeys(false)
  const { user, sent } = await open(noFactors, {
    'POST /api/user/passkeys/begin': () => ({ challenge: 'the-challenge' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }))
  await user.type(await screen.findByLabelText('Name'), '{Enter}')
  expect(await screen.findByText(/No passkey was created/)).toBeTruthy()
  expect(sent('POST').map(({ path }) => path)).toEqual(['/api/user/passkeys/begin'])
})

test('a passkey can be renamed and deleted', async () => {
  const { user, sent } = await open(both, {
    'PUT /api/user/passkeys/key-1': () => undefined,
    'DELETE /api/user/passkeys/key-1': () => undefined,
  })
  await user.click(await screen.findByRole('button', { name: 'Rename My phone' }))
  const name = await screen.findByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'Old phone{Enter}')
  await waitFor(() => expect(sent('PUT').map(({ body }) => body)).toEqual([{ name: 'Old phone' }]))
  await confirm(user, screen.getByRole('button', { name: 'Delete' }), 'Delete this passkey?', 'Delete')
  await waitFor(() => expect(sent('DELETE').map(({ path }) => path)).toEqual(['/api/user/passkeys/key-1']))
})

test.each([
  ['an old browser', noFactors, 'This browser does not support passkeys. Try an up-to-date one.'],
  [
    'a site without a name',
    { ...noFactors, can_use_passkeys: false },
    'Passkeys need a site with a domain name. Ask the administrator to set the server address.',
  ],
])('%s offers no passkeys and says why', async (_what, factors, reason) => {
  await open(factors)
  expect(await screen.findByText(reason)).toBeTruthy()
  expect(await screen.findByText('This device')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
})

test('another session can be signed out, but not this one', async () => {
  const { user, sent } = await open(noFactors, { [`DELETE /api/user/sessions/${'a'.repeat(64)}`]: () => undefined })
  expect(await screen.findByText('This device')).toBeTruthy()
  expect(screen.getByText(/192\.0\.2\.7/)).toBeTruthy()
  const [button, ...others] = screen.getAllByRole('button', { name: 'Sign out' })
  expect(others).toEqual([])
  if (button) await confirm(user, button, 'Sign out this device?', 'Sign out')
  await waitFor(() => expect(sent('DELETE').map(({ path }) => path)).toEqual([`/api/user/sessions/${'a'.repeat(64)}`]))
})

test('all other sessions are signed out at once', async () => {
  const { user, sent } = await open(noFactors, { 'DELETE /api/user/sessions': () => 1 })
  const button = await screen.findByRole('button', { name: 'Sign out all others' })
  await confirm(user, button, 'Sign out all other devices?', 'Sign out all others')
  expect(await screen.findByText('1 device has been signed out')).toBeTruthy()
  expect(sent('DELETE').map(({ path }) => path)).toEqual(['/api/user/sessions'])
})

test('a role that requires a factor reads why, and no call is made that would be refused', async () => {
  const { calls } = await open({ ...noFactors, is_required: true })
  expect(await screen.findByText('Set up a second factor to continue')).toBeTruthy()
  expect(calls.map(({ path }) => path)).toEqual(['/api/user/factors'])
})
