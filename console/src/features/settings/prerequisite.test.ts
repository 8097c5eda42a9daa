import { expect, test } from 'bun:test'
import type { OptionKey } from '@tollgate/contract'

import type { OptionRow } from './option-value'
import { missingFor } from './use-settings'

const storedValue = (rows: Partial<Record<OptionKey, Partial<OptionRow>>>) =>
  new Map(Object.entries(rows).map(([key, row]) => [key as OptionKey, { key, value: '', ...row }]))
const github = (rows: Partial<Record<OptionKey, Partial<OptionRow>>> = {}) =>
  storedValue({
    GitHubOAuthEnabled: { value: 'false' },
    GitHubClientId: {},
    GitHubClientSecret: { is_set: false },
    ...rows,
  })
const missing = (drafts: Partial<Record<OptionKey, string>>, rows = github()) =>
  missingFor('GitHubOAuthEnabled', new Map(Object.entries(drafts) as [OptionKey, string][]), rows)

test('a switch that is turned on names its missing prerequisites', () => {
  expect(missing({ GitHubOAuthEnabled: 'true' })).toEqual(['GitHubClientId', 'GitHubClientSecret'])
})

test('unsaved values count', () => {
  expect(missing({ GitHubOAuthEnabled: 'true', GitHubClientId: 'id', GitHubClientSecret: 'secret' })).toEqual([])
})

test('a stored secret counts, a removed one does not', () => {
  const rows = github({ GitHubClientId: { value: 'id' }, GitHubClientSecret: { is_set: true } })
  expect(missing({ GitHubOAuthEnabled: 'true' }, rows)).toEqual([])
  expect(missing({ GitHubOAuthEnabled: 'true', GitHubClientSecret: '' }, rows)).toEqual(['GitHubClientSecret'])
})

test('a switch that is off has no prerequisites', () => {
  expect(missing({ GitHubClientId: '' })).toEqual([])
})

test('a choice has prerequisites only where it is the one that needs them', () => {
  const rows = storedValue({
    TaskResultStorage: { value: 'folder' },
    TaskBucketEndpoint: {},
    TaskBucketName: { value: 'songs' },
  })
  const missingWith = (value: string) => missingFor('TaskResultStorage', new Map([['TaskResultStorage', value]]), rows)
  expect(missingWith('provider')).toEqual([])
  expect(missingWith('bucket')).toEqual(['TaskBucketEndpoint'])
})

test('clearing a prerequisite of a stored switch is refused', () => {
  const rows = github({ GitHubOAuthEnabled: { value: 'true' }, GitHubClientSecret: { is_set: true } })
  expect(missing({ GitHubClientId: '' }, rows)).toEqual(['GitHubClientId'])
})
