import { expect, test } from 'bun:test'
import { statusRoutes, tokenRoutes } from '@tollgate/contract'

import { Refusal, serve } from '../../../test/server'
import { call, whenFactorNeeded } from './api'

test('a call refused for lack of a second factor is reported, another refusal is not', async () => {
  let count = 0
  whenFactorNeeded(() => (count += 1))
  serve({ 'GET /api/token': () => new Refusal('auth.factor_needed', 'Set one up first', 403) })
  expect(await call(tokenRoutes.listTokens).catch((error: { code: string }) => error.code)).toBe('auth.factor_needed')
  expect(count).toBe(1)
  await call(statusRoutes.getStatus).catch(() => {})
  expect(count).toBe(1)
  whenFactorNeeded(() => {})
})
