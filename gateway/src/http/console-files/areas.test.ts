import { describe, expect, test } from 'bun:test'

import * as contract from '@tollgate/contract'

import { areaOf, isPage, pathOf, type Area } from './areas'

describe('areas of addresses', () => {
  test.each<[string, Area]>([
    ['/v1/chat/completions', 'relay'],
    ['/v1', 'relay'],
    ['/v1beta/models/gemini-2.5-pro:generateContent', 'relay'],
    ['/pg/chat/completions', 'playground'],
    ['/mj/image/12', 'relay'],
    ['/mj-fast/mj/submit/imagine', 'relay'],
    ['/suno/fetch/1', 'relay'],
    ['/dashboard/billing/usage?start_date=2026-01-01', 'relay'],
    ['/api/v1/chat/completions', 'relay'],
    ['/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21', 'relay'],
    ['/anthropic/v1/messages', 'relay'],
    ['/cohere/v2/chat', 'relay'],
    ['/api/chat', 'relay'],
    ['/api/tags?x=1', 'relay'],
    ['/api/embed/', 'relay'],
    ['/api/status', 'api'],
    ['/api/channel/types', 'api'],
    ['/api/chat/x', 'api'],
    ['/api/pull', 'api'],
    ['/api/v1', 'api'],
    ['/api/', 'api'],
    ['/health/ready', 'api'],
    ['/', 'pages'],
    ['/apifox', 'pages'],
    ['/health', 'pages'],
    ['/app/tokens', 'pages'],
    ['/login?returnTo=/v1', 'pages'],
    ['//v1/models', 'pages'],
  ])('the path %s belongs to the area %s', (path, area) => {
    expect(areaOf(`http://localhost:3000${path}`)).toBe(area)
  })
})

test('no route of the console is taken for a call of a model', () => {
  const routes = Object.values(contract)
    .flatMap((exported) => Object.values(exported))
    .filter(isRoute)
  expect(routes.length).toBeGreaterThan(100)
  for (const { path } of routes) expect([path, areaOf(`http://localhost:3000${path}`)]).toEqual([path, 'api'])
})

const isRoute = (value: unknown): value is { readonly path: string } =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value

describe('the area of a path', () => {
  test.each([
    ['http://a/', '/'],
    ['http://a/b?c=/d', '/b'],
    ['https://a:1/b/c/', '/b/c/'],
    ['http://a/?x', '/'],
  ])('the path of %s is %s', (url, path) => {
    expect(pathOf(url)).toBe(path)
  })
})

describe('the console’s pages', () => {
  test.each([
    '/',
    '/setup',
    '/login',
    '/app/tokens',
    '/admin/channels',
    '/chat',
    '/chat/3',
    '/chat2link',
    '/playground',
  ])('%s is a page of the console', (path) => {
    expect(isPage(path)).toBe(true)
  })

  test.each(['/robots.txt', '/favicon.ico', '/login.php', '/application', '/loginx'])(
    '%s is not a page of the console',
    (path) => {
      expect(isPage(path)).toBe(false)
    },
  )
})
