import { expect, test } from 'bun:test'

import { systemTimers } from '../../platform/time/timers'
import { webSockets } from './client-socket'

const megabyte = 1024 * 1024

test.each([
  ['of a container of 1 GiB', 200, 10],
  ['of a machine of 8 GiB', 1600, 24],
])(
  'messages of twenty sessions that have not arrived whole fit into the share of one user %s',
  (_of, share, maxMegabytes) => {
    const { maxPayloadLength } = webSockets(systemTimers, { ofUser: share * megabyte })
    expect(maxPayloadLength).toBe(maxMegabytes * megabyte)
  },
)
