import { expect, test } from 'bun:test'
import { defaultOptions, isSecretOption, optionKeys, optionText, type OptionKey } from '@tollgate/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { SettingsPage } from './settings-page'
import { SettingsSearch } from './settings-search'

type Values = Partial<Record<OptionKey, string>>

/** A gateway that stores these options alone: the page has no others. `refuses` are the batches it refuses. */
function aGateway(
  options: readonly OptionKey[],
  {
    storedValue = {},
    refuses,
    responses = {},
  }: {
    storedValue?: Values
    refuses?: (keys: readonly string[]) => Refusal | undefined
    responses?: Parameters<typeof serve>[0]
  } = {},
) {
  const values: Values = { ...storedValue }
  return serve({
    ...responses,
    'GET /api/option': () =>
      options.map((key) =>
        isSecretOption(key)
          ? { key, value: '', is_set: values[key] !== undefined }
          : { key, value: values[key] ?? optionText(key, defaultOptions[key]) },
      ),
    'PUT /api/option/batch': ({ body }) => {
      const { items } = body as { items: { key: OptionKey; value: string }[] }
      const refusal = refuses?.(items.map(({ key }) => key))
      if (refusal) return refusal
      for (const { key, value } of items) values[key] = value
      return null
    },
  })
}

const show = (page: string, role = 100) =>
  renderConsole(<SettingsPage />, {
    address: `/admin/settings?page=${page}`,
    path: '/admin/settings',
    validateSearch: (search) => SettingsSearch.parse(search),
    user: { role },
  })

const getSavedOptions = (calls: ReturnType<typeof serve>) =>
  calls
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) =>
      Object.fromEntries(
        (body as { items: { key: string; value: string }[] }).items.map(({ key, value }) => [key, value]),
      ),
    )

const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const toggle = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name: new RegExp(name) })
const press = (name: string) => screen.getByRole('button', { name })

test('changes are counted, saved together and then no longer counted', async () => {
  const calls = aGateway(['AutomaticDisableChannelEnabled', 'AutomaticDisableStatusCodes'])
  const { user } = await show('monitoring')
  await user.click(await toggle('Disable failing channels'))
  const statuses = await field('Disabling status codes')
  await user.clear(statuses)
  await user.type(statuses, '401, 403')
  expect(screen.getByRole('status').textContent).toBe('2 changes')
  await user.click(press('Save'))
  await screen.findByText('Settings saved')
  expect(getSavedOptions(calls)).toEqual([
    { AutomaticDisableChannelEnabled: 'true', AutomaticDisableStatusCodes: '401, 403' },
  ])
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('No changes'))
})

test('saving without a change says so and makes no request', async () => {
  const calls = aGateway(['LogErrorEnabled'])
  const { user } = await show('logs')
  await toggle('Record errors')
  await user.click(press('Save'))
  await screen.findByText('Nothing changed')
  expect(getSavedOptions(calls)).toEqual([])
})

test('a value set back to the stored one is not a change', async () => {
  aGateway(['LogErrorEnabled'])
  const { user } = await show('logs')
  await user.click(await toggle('Record errors'))
  expect(screen.getByRole('status').textContent).toBe('1 change')
  await user.click(await toggle('Record errors'))
  expect(screen.getByRole('status').textContent).toBe('No changes')
})

test('discarding restores the stored values', async () => {
  aGateway(['LogErrorEnabled'])
  const { user } = await show('logs')
  await user.click(await toggle('Record errors'))
  expect((await toggle('Record errors')).checked).toBe(false)
  await user.click(press('Discard'))
  expect((await toggle('Record errors')).checked).toBe(true)
})

test('an option that differs from its default can be reset', async () => {
  const calls = aGateway(['ChannelDisableThreshold', 'AutomaticDisableStatusCodes'], {
    storedValue: { ChannelDisableThreshold: '20' },
  })
  const { user } = await show('monitoring')
  expect((await field('Longest response time')).value).toBe('20')
  await user.click(press('Reset to default: Longest response time'))
  expect((await field('Longest response time')).value).toBe('5')
  await user.click(press('Save'))
  await screen.findByText('Settings saved')
  expect(getSavedOptions(calls)).toEqual([{ ChannelDisableThreshold: '5' }])
  expect(screen.queryByRole('button', { name: /^Reset / })).toBeNull()
})

test('a value out of bounds is marked, gets the focus after saving, and is not sent', async () => {
  const calls = aGateway(['AutomaticDisableStatusCodes', 'ChannelDisableThreshold'])
  const { user } = await show('monitoring')
  const threshold = await field('Longest response time')
  await user.clear(threshold)
  await user.type(threshold, '-1')
  expect(threshold.getAttribute('aria-invalid')).toBe('true')
  await screen.findByText('Must be at least 0')
  await user.click(press('Save'))
  await screen.findByText(/correct the marked settings/)
  expect(getSavedOptions(calls)).toEqual([])
  expect(document.activeElement).toBe(threshold)
})

test('changes of two pages are saved by section; a refused section stays and says why', async () => {
  const calls = aGateway(['LogErrorEnabled', 'AutomaticEnableChannelEnabled'], {
    refuses: (keys) => (keys.includes('LogErrorEnabled') ? new Refusal('option.invalid', 'not today') : undefined),
  })
  const { user } = await show('logs')
  await user.click(await toggle('Record errors'))
  await user.click(
    within(screen.getByRole('navigation', { name: 'Settings pages' })).getByRole('link', { name: /Monitoring/ }),
  )
  await user.click(await toggle('Re-enable recovered channels'))
  expect(screen.getByRole('status').textContent).toBe('2 changes')
  await user.click(press('Save'))
  await screen.findByText('Some settings could not be saved')
  expect(getSavedOptions(calls)).toEqual([{ LogErrorEnabled: 'false' }, { AutomaticEnableChannelEnabled: 'true' }])
  expect(screen.getByRole('status').textContent).toBe('1 change')
  await user.click(
    within(screen.getByRole('navigation', { name: 'Settings pages' })).getByRole('link', {
      name: /Logs.*Unsaved changes/,
    }),
  )
  await screen.findByText('not today')
})

test('a refusal that names an option is shown at its field until that is changed', async () => {
  aGateway(['SensitiveWords'], {
    refuses: () => new Refusal('option.invalid', 'no such pattern', 200, 'SensitiveWords'),
  })
  const { user } = await show('sensitive-words')
  const words = await field('Words')
  await user.type(words, '{Enter}regex:(')
  await user.click(press('Save'))
  await screen.findByText('The settings could not be saved, please try again')
  screen.getByText('no such pattern')
  expect(words.getAttribute('aria-invalid')).toBe('true')
  await user.type(words, ')')
  expect(screen.queryByText('no such pattern')).toBeNull()
})

test('a search shows options of every page, by name or key', async () => {
  aGateway(['LogErrorEnabled', 'monitor_setting.auto_test_channel_enabled'])
  const { user } = await show('logs')
  await toggle('Record errors')
  await user.type(screen.getByRole('textbox', { name: 'Search settings' }), 'auto_test')
  await toggle('Test channels periodically')
  expect(screen.queryByRole('switch', { name: /Record errors/ })).toBeNull()
})

test('the search keeps what is typed before the address follows', async () => {
  aGateway(['LogErrorEnabled'])
  await show('logs')
  await toggle('Record errors')
  const search = screen.getByRole<HTMLInputElement>('textbox', { name: 'Search settings' })
  fireEvent.change(search, { target: { value: 'auto' } })
  expect(search.value).toBe('auto')
  fireEvent.click(press('Clear the search'))
  expect(search.value).toBe('')
})

test('an option for the super admin alone is disabled for an administrator and says so', async () => {
  aGateway(['LogConsumeEnabled', 'LogErrorEnabled'])
  await show('logs', 10)
  expect((await toggle('Record usage')).disabled).toBe(true)
  expect((await toggle('Record errors')).disabled).toBe(false)
  const row = screen.getByRole('switch', { name: /Record usage/ }).closest<HTMLElement>('[data-option]')
  within(row as HTMLElement).getByText('Only the super admin can change this')
})

test('turning off password sign-in asks for confirmation, and cancelling reverts it', async () => {
  const calls = aGateway(['PasswordLoginEnabled', 'EmailVerificationEnabled', 'SMTPServer'], {
    storedValue: { SMTPServer: 'mail.example.com' },
  })
  const { user } = await show('registration')
  await user.click(await toggle('Sign in with a password'))
  await user.click(await toggle('Verify email addresses'))
  await user.click(press('Save'))
  await screen.findByText(/Signing in with a password stops working/)
  await user.click(press('Cancel'))
  expect((await toggle('Sign in with a password')).checked).toBe(true)
  expect(screen.getByRole('status').textContent).toBe('1 change')
  expect(getSavedOptions(calls)).toEqual([])
  await user.click(await toggle('Sign in with a password'))
  await user.click(press('Save'))
  await user.click(await screen.findByRole('button', { name: 'Save anyway' }))
  await screen.findByText('Settings saved')
  expect(getSavedOptions(calls)).toEqual([{ PasswordLoginEnabled: 'false', EmailVerificationEnabled: 'true' }])
})

test('an amount a hundred times above the usual is asked about with its name and value', async () => {
  const calls = aGateway(['QuotaForNewUser'])
  const { user } = await show('quota')
  const amount = await field('Quota for new users')
  await user.clear(amount)
  await user.type(amount, '500000')
  await user.click(press('Save'))
  await screen.findByText(/^Quota for new users would be \$500,000\.00/)
  expect(getSavedOptions(calls)).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Save anyway' }))
  await screen.findByText('Settings saved')
  expect(getSavedOptions(calls)).toEqual([{ QuotaForNewUser: '250000000000' }])
})

test('an address typed with slashes at its end is shown as it is stored where nothing else changed', async () => {
  aGateway(['ServerAddress'], { storedValue: { ServerAddress: 'https://gate.example' } })
  const { user } = await show('general')
  const address = await field('Server address')
  await user.type(address, '///')
  await user.click(press('Save'))
  await screen.findByText(/^Nothing changed/)
  expect(address.value).toBe('https://gate.example')
})

test('payment settings require the server address', async () => {
  const calls = aGateway(['ServerAddress', 'PayAddress'], { storedValue: { ServerAddress: '' } })
  const { user } = await show('payment')
  await user.type(await field('Payment address'), 'https://pay.example')
  await screen.findByText('Fill in the server address on the General page first')
  await user.click(press('Save'))
  await screen.findByText(/correct the marked settings/)
  expect(getSavedOptions(calls)).toEqual([])
})

test('pages without options for the reader are left out', async () => {
  aGateway(optionKeys)
  await renderConsole(<SettingsPage />, {
    address: '/admin/settings',
    path: '/admin/settings',
    validateSearch: (search) => SettingsSearch.parse(search),
    user: { role: 1 },
    grants: ['prices.write', 'prices.read'],
  })
  const menu = await screen.findByRole('navigation', { name: 'Settings pages' })
  const names = within(menu)
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
  expect(names).toEqual(['Operation', 'Groups', 'Price ratios', 'Routing and limits', 'Files and batches'])
})

test('a test mail is sent without saving the form around it', async () => {
  aGateway(['SMTPServer'], { responses: { 'POST /api/option/test_mail': () => null } })
  const { user } = await show('mail')
  await user.type(await screen.findByRole('textbox', { name: 'Recipient' }), 'me@example.com{Enter}')
  await screen.findByText('Sent to me@example.com')
  expect(screen.queryByText('Nothing changed')).toBeNull()
})

test('the bucket is tested with its stored settings', async () => {
  let isSetUp = false
  aGateway(['TaskBucketEndpoint'], {
    responses: { 'POST /api/option/test_bucket': () => (isSetUp ? null : new Refusal('bucket.unset', 'No bucket')) },
  })
  const { user } = await show('files')
  await user.click(await screen.findByRole('button', { name: 'Test the bucket' }))
  await screen.findByText('No bucket')
  isSetUp = true
  await user.click(press('Test the bucket'))
  await screen.findByText('The bucket works')
})

test('the search service is tested by a search, whose results or refusal are shown', async () => {
  const noPages = { took: 12, pages: [], status: 0, excerpt: '' }
  const pages = [{ url: 'https://ice.example/a', title: 'Ice' }]
  let result: object = { ...noPages, outcome: 'refused', status: 401, excerpt: 'Unauthorized: no such key' }
  const calls = aGateway(['WebSearchKey'], { responses: { 'POST /api/option/test_web_search': () => result } })
  const { user } = await show('routing')
  await user.type(await field('Search for'), 'thin ice{Enter}')
  await screen.findByText('The service responded with status 401')
  await screen.findByText('Unauthorized: no such key')
  result = { ...noPages, outcome: 'found', pages }
  await user.click(press('Search'))
  await screen.findByText('1 page found in 12 ms')
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Ice' }).href).toBe('https://ice.example/a')
  expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { query: 'thin ice' },
    { query: 'thin ice' },
  ])
})

test('endpoints are read from the well-known URL and filled in', async () => {
  const endpoint = (name: string) => `https://id.example/${name}`
  const found = {
    issuer: 'https://id.example',
    authorization_endpoint: endpoint('a'),
    token_endpoint: endpoint('t'),
    userinfo_endpoint: endpoint('u'),
  }
  let isReachable = false
  const discover = () => (isReachable ? found : new Refusal('option.invalid', 'no answer'))
  aGateway(['oidc.well_known', 'oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.user_info_endpoint'], {
    responses: { 'GET /api/oauth/oidc/discovery': discover },
  })
  const { user } = await show('providers')
  await user.type(await field('Well-known URL'), 'https://id.example/known')
  await user.click(await screen.findByRole('button', { name: 'Read endpoints' }))
  await screen.findByText(/Check the network and the well-known URL: no answer/)
  isReachable = true
  await user.click(press('Read endpoints'))
  await waitFor(async () => expect((await field('Token endpoint')).value).toBe('https://id.example/t'))
  expect(screen.getByRole('status').textContent).toBe('4 changes')
})

test('an earlier value of the history goes back into the field as a change', async () => {
  const change = { id: 2, created_at: 1_800_000_000, request_id: 'r', user_id: 1, username: 'ada' }
  const items = [{ ...change, before: '9', after: '20' }]
  const calls = aGateway(['ChannelDisableThreshold'], {
    storedValue: { ChannelDisableThreshold: '20' },
    responses: { 'GET /api/option/history': () => ({ items, page: 1, page_size: 10, total: 1 }) },
  })
  const { user } = await show('monitoring')
  await field('Longest response time')
  await user.click(press('History: Longest response time'))
  await screen.findByText('ada')
  expect(calls.find(({ path }) => path === '/api/option/history')?.query).toMatchObject({
    key: 'ChannelDisableThreshold',
  })
  await user.click(press('Put back'))
  expect((await field('Longest response time')).value).toBe('9')
  await user.click(press('Save'))
  await screen.findByText('Settings saved')
  expect(getSavedOptions(calls)).toEqual([{ ChannelDisableThreshold: '9' }])
})

test('the history of a secret says only whether it was set', async () => {
  const change = { id: 2, created_at: 1_800_000_000, request_id: 'r', user_id: 1, username: 'ada' }
  const items = [{ ...change, before: '', after: 'set' }]
  aGateway(['SMTPToken'], {
    responses: { 'GET /api/option/history': () => ({ items, page: 1, page_size: 10, total: 1 }) },
  })
  const { user } = await show('mail')
  await screen.findByLabelText('SMTP password')
  await user.click(press('History: SMTP password'))
  const drawer = await screen.findByRole('dialog', { name: 'History of SMTP password' })
  await within(drawer).findByText('Set')
  within(drawer).getByText('Not set')
  expect(within(drawer).queryByRole('button', { name: 'Put back' })).toBeNull()
})

test('leaving with unsaved changes asks first', async () => {
  aGateway(['LogErrorEnabled'])
  const { user, router } = await show('logs')
  await user.click(await toggle('Record errors'))
  void router.navigate({ to: '/elsewhere' as never })
  await screen.findByText('1 setting has not been saved.')
  await user.click(press('Cancel'))
  expect(router.state.location.pathname).toBe('/admin/settings')
})
