import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { AboutPage } from './about-page'
import { HomePage } from './home-page'

const noPrices = {
  'GET /api/pricing': () =>
    Response.json({
      success: true,
      message: '',
      data: [],
      group_ratio: {},
      usable_group: {},
      vendors: {},
      aliases: [],
    }),
  'GET /api/status/figures': () => ({ first_token_p50_ms: 412 }),
}

test('the default home page shows how to call the gateway', async () => {
  serve({ 'GET /api/home_page_content': () => '', ...noPrices })
  await renderConsole(<HomePage />, { site: { server_address: 'https://gate.example' } })
  expect(await screen.findByText('https://gate.example/v1')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'API tokens' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Channels' })).toBeNull()
  expect(await screen.findByText('412 ms')).toBeTruthy()
})

test('the home page shows how to call the gateway where prices cannot be read, and waits for nothing', async () => {
  serve({
    'GET /api/home_page_content': () => '',
    ...noPrices,
    'GET /api/pricing': () => new Refusal('db.error', 'The database is away'),
  })
  const { container } = await renderConsole(<HomePage />, { site: { server_address: 'https://gate.example' } })
  expect(await screen.findByText('https://gate.example/v1')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Prices')).toBeNull())
  expect(container.querySelector('.mantine-Skeleton-root')).toBeNull()
  expect(screen.queryByText('…')).toBeNull()
})

test('administrators find the channels from home', async () => {
  serve({ 'GET /api/home_page_content': () => '', ...noPrices })
  await renderConsole(<HomePage />, { user: { role: 10 } })
  expect((await screen.findByRole('link', { name: 'Channels' })).getAttribute('href')).toBe('/admin/channels')
})

test('the operator’s Markdown is rendered without scripts', async () => {
  serve({ 'GET /api/home_page_content': () => '# Hello\n\n<img src=x onerror="alert(1)">' })
  const { container } = await renderConsole(<HomePage />)
  expect(await screen.findByRole('heading', { name: 'Hello' })).toBeTruthy()
  expect(container.querySelector('[onerror]')).toBeNull()
})

test('an operator’s address is embedded as a page', async () => {
  serve({ 'GET /api/home_page_content': () => 'https://site.example/start' })
  await renderConsole(<HomePage />)
  expect((await screen.findByTitle('Home page of Tollgate')).getAttribute('src')).toBe('https://site.example/start')
})

test('a home page that cannot be read can be retried', async () => {
  let tries = 0
  serve({
    'GET /api/home_page_content': () => ((tries += 1) === 1 ? new Refusal('db.error', 'The database is away') : ''),
    ...noPrices,
  })
  const { user } = await renderConsole(<HomePage />)
  expect(await screen.findByText('The database is away')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('One address for every AI model')).toBeTruthy()
})

test('the default about page describes the product, and tells the super admin how to change it', async () => {
  serve({ 'GET /api/about': () => '' })
  const { unmount } = await renderConsole(<AboutPage />, { user: { role: 10 } })
  expect(await screen.findByText('Version 0.0.0')).toBeTruthy()
  expect(screen.queryByText(/Set the option About/)).toBeNull()
  unmount()
  await renderConsole(<AboutPage />, { user: { role: 100 } })
  expect(await screen.findByText(/Set the option About/)).toBeTruthy()
})

test('the operator’s about page replaces the default', async () => {
  serve({ 'GET /api/about': () => 'We run this.' })
  await renderConsole(<AboutPage />)
  expect(await screen.findByText('We run this.')).toBeTruthy()
  expect(screen.queryByText('Version 0.0.0')).toBeNull()
})
