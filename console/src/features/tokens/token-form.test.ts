import { describe, expect, test } from 'bun:test'

import { aToken } from '../../../test/token-factory'
import { namesOf } from './use-save-token'
import { pickerTime } from '../../components/fields/time-field'
import { editOf, fieldsOf, newTokenValues, tokenSchema, valuesOf, type TokenValues } from './token-form'

const faultsOf = (change: Partial<TokenValues>) => {
  const result = tokenSchema((fault) => fault).safeParse({ ...newTokenValues, name: 'a', ...change })
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
}

describe('values of the drawer', () => {
  test('values start with the specification’s defaults', () => {
    expect(fieldsOf(newTokenValues)).toEqual({
      name: '',
      expired_time: -1,
      remain_quota: 500_000,
      unlimited_quota: false,
      group: '',
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      rate_limit_enabled: false,
      rate_limit_period: 60,
      rate_limit_count: 1000,
      rate_limit_success: 10,
      response_cache: 'group',
    })
  })

  test.each<[Partial<TokenValues>, string[]]>([
    [{}, []],
    [{ name: '  ' }, ['name nameEmpty']],
    [{ name: '名'.repeat(50) }, []],
    [{ name: 'x'.repeat(51) }, ['name nameLong']],
    [{ count: 0 }, ['count count']],
    [{ count: 101 }, ['count count']],
    [{ count: '' }, ['count count']],
    [{ expiry: 'soon' }, ['expiry expiry']],
    [{ expiry: '' }, ['expiry expiry']],
    [{ expiry: '2030-01-02 03:04:05' }, []],
    [{ quota: '' }, ['quota quota']],
    [{ quota: 1.5 }, ['quota quota']],
    [{ quota: -1 }, ['quota quota']],
    [{ ips: '10.0.0.0/8\n::1' }, []],
    [{ ips: '10.0.0.0/8\nlocalhost' }, ['ips address']],
    [{ ips: '10.0.0.1\n'.repeat(2000) }, ['ips ips']],
    [{ models: ['x'.repeat(70_000)] }, ['models models']],
    [{ ratePeriod: 0 }, ['ratePeriod period']],
    [{ rateCount: 0, rateSuccess: 0 }, []],
    [{ rateCount: -1 }, ['rateCount calls']],
  ])('%j has the faults %j', (change, faults) => {
    expect(faultsOf(change)).toEqual(faults)
  })

  test('values survive a round trip through the server', () => {
    const token = aToken({
      expired_time: 1_900_000_000,
      model_limits_enabled: true,
      model_limits: 'a,b',
      allow_ips: '10.0.0.1\n::1',
      group: 'vip',
    })
    expect(fieldsOf(valuesOf(token))).toMatchObject({
      expired_time: 1_900_000_000,
      model_limits_enabled: true,
      model_limits: 'a,b',
      allow_ips: '10.0.0.1\n::1',
      group: 'vip',
    })
    expect(pickerTime(1_900_000_000)).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  })

  test('an edit contains only changes, so that spent quota is not restored', () => {
    const token = aToken()
    const before = valuesOf(token)
    expect(editOf(token, before)).toEqual({})
    expect(editOf(token, { ...before, name: ' Web shop ' })).toEqual({})
    expect(editOf(token, { ...before, quota: 600_000 })).toEqual({ remain_quota: 600_000, remain_quota_read: 500_000 })
    expect(editOf(token, { ...before, name: 'New', models: ['m'] })).toEqual({
      name: 'New',
      model_limits_enabled: true,
      model_limits: 'm',
    })
  })
})

describe('names of a batch', () => {
  test('the first token has the name, the others add six random letters', () => {
    const names = namesOf('shop', 30)
    expect(names[0]).toBe('shop')
    expect(new Set(names).size).toBe(30)
    for (const name of names.slice(1)) expect(name).toMatch(/^shop-[a-z2-9]{6}$/)
  })

  test('batch names stay within the server’s limit', () => {
    for (const name of namesOf('名'.repeat(50), 3)) expect(Array.from(name).length).toBeLessThanOrEqual(50)
  })
})
