import ipaddr from 'ipaddr.js'
import { z } from 'zod'

import type { Context } from '../../context'
import { messageOf } from '../../platform/text/message-of'
import { untrustedProxyNote, writeNotes } from '../../platform/store/site-notes'
import { forwardingHeaders, isTrustedProxy } from './client-address'

/** A proxy named a client, and was not believed. */
export const UntrustedSighting = z.object({
  peer: z.string(),
  header: z.string(),
  /** It is trusted, but the option is off. */
  isTrusted: z.boolean(),
  /** Unix seconds. */
  at: z.number(),
})
type UntrustedSighting = z.output<typeof UntrustedSighting>

/** Between two notes and two lines of the log. */
const quietMs = 3_600_000

/** Where proxies stand. */
const nearRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/**
 * Notices headers of proxies that are not believed, so that operators learn why all their visitors count as one. Strangers can send such
 * headers, too: those of guests count only from where proxies stand.
 */
export class UntrustedProxies {
  #quietUntil = -Infinity

  constructor(private readonly ctx: Pick<Context, 'catalog' | 'clock' | 'config' | 'database' | 'log'>) {}

  observe({ headers }: Pick<Request, 'headers'>, peer: string, isSignedIn: boolean): void {
    const now = this.ctx.clock.monotonic()
    if (now < this.#quietUntil) return
    const header = forwardingHeaders.find((name) => headers.has(name))
    if (header === undefined || !(isSignedIn || isNear(peer))) return
    const isTrusted = isTrustedProxy(peer, this.ctx.config.trustedProxies)
    if (isTrusted && this.ctx.catalog.current.options.ReverseProxyEnabled) return
    this.#quietUntil = now + quietMs
    void this.#report({ peer, header, isTrusted, at: this.ctx.clock.seconds() })
  }

  async #report(sighting: UntrustedSighting): Promise<void> {
    const { peer, header } = sighting
    this.ctx.log.warn(
      { peer, header },
      'a proxy that is not trusted names clients: all who come through it count as one visitor. If it is yours, name it in TRUSTED_PROXIES',
    )
    try {
      const notes = [{ name: untrustedProxyNote, value: sighting }]
      await writeNotes(this.ctx.database.query, notes, this.ctx.clock.now())
    } catch (error) {
      this.ctx.log.warn({ reason: messageOf(error) }, 'the proxy could not be noted')
    }
  }
}

const isNear = (peer: string): boolean => ipaddr.isValid(peer) && nearRanges.has(ipaddr.process(peer).range())
