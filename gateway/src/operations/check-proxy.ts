import { daySeconds } from '@tollgate/contract'
import type { Config } from '../platform/config/config'
import { isTrustedProxy } from '../http/request/client-address'
import { UntrustedSighting } from '../http/request/untrusted-proxies'
import { readNote, untrustedProxyNote } from '../platform/store/site-notes'
import type { Clock } from '../platform/time/clock'
import type { Examined } from './check-database'
import { ok, sentence, warn, type Finding } from './finding'

const subject = 'proxy'

/** Checks that no proxy that is not trusted has lately named a client. */
export async function checkProxy(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  { database, tables }: Examined,
  clock: Pick<Clock, 'seconds'>,
): Promise<Finding> {
  const good = ok(subject, sentence('proxy.good'))
  if (!database || tables !== 'there') return good
  const sighting = await readNote(database.query, untrustedProxyNote, UntrustedSighting)
  if (!sighting || clock.seconds() - sighting.at > daySeconds) return good
  // Named in the meantime.
  if (!sighting.isTrusted && isTrustedProxy(sighting.peer, trustedProxies)) return good
  const { peer, header } = sighting
  return warn(subject, sentence('proxy.untrusted', { peer, header }), sentence('proxy.untrusted.advice'))
}
