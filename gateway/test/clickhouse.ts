import { describe, test } from 'bun:test'

import { openClickHouse, type ClickHouse } from '../src/platform/store/clickhouse/clickhouse'

/** The ClickHouse server for tests; the test command starts one and sets it. */
const serverUrl = process.env['TEST_CLICKHOUSE_URL']

export interface TestClickHouse extends AsyncDisposable {
  readonly clickHouse: ClickHouse
  /** Names a database that only this test uses. */
  readonly url: string
}

/** Names a database of its own on the test server. */
export function freshClickHouse(): TestClickHouse {
  if (!serverUrl) throw new Error('TEST_CLICKHOUSE_URL is not set')
  const name = `t_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(name, serverUrl).href
  const clickHouse = openClickHouse(url)
  return {
    clickHouse,
    url,
    async [Symbol.asyncDispose]() {
      await clickHouse.command(`drop database if exists ${name}`)
      await clickHouse.close()
    },
  }
}

/** Runs a suite where there is a ClickHouse; elsewhere it is skipped by name. */
export function onClickHouse(name: string, suite: () => void): void {
  describe(name, () => {
    if (serverUrl) suite()
    else test.skip('ClickHouse tests need a server: TEST_CLICKHOUSE_URL is not set', () => {})
  })
}
