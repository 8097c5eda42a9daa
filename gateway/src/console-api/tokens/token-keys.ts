import type { Context } from '../../context'
import type { Call } from '../../http/handler'
import { credentialsOf, isProven } from '../../accounts/sessions/step-up'
import { keyOf, type ShownKey } from './token-entity'
import type { Random } from '../../platform/random'

const lastShown = 4
const maskOf = (key: string): string => '*'.repeat(Math.max(0, key.length - lastShown)) + key.slice(-lastShown)

/** For the response to a call that makes a key. */
export const newKeys =
  (ctx: Context): ShownKey =>
  (row) =>
    keyOf(ctx, row)

/** For readers who are not the owner. */
export const maskedKeys =
  (ctx: Context): ShownKey =>
  (row) =>
    maskOf(keyOf(ctx, row))

/**
 * Resolves with how keys are shown to the caller where tokens are listed, searched and read: to a session in full, unless the site hides
 * them until a proof of identity; to an access token masked, unless it has the scope.
 */
export async function shownKeys(call: Call<'user'>): Promise<ShownKey> {
  const { ctx } = call
  const isShown = await maySeeKeys(call)
  return isShown ? newKeys(ctx) : maskedKeys(ctx)
}

async function maySeeKeys(call: Call<'user'>): Promise<boolean> {
  const { isByAccessToken, scopes } = call.caller
  if (isByAccessToken && !scopes?.has('tokens.keys')) return false
  if (!call.ctx.catalog.current.options.HideTokenKeys) return true
  return isProven(call, 'token_key', await credentialsOf(call))
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyLength = 48

/** Bytes from here on would make the first letters more likely. */
const fairBytes = 256 - (256 % letters.length)

/** Returns a new key: 48 random letters and digits. Never a dash, which separates the channel in `sk-<key>-<channel>`. */
export function newTokenKey(random: Random): string {
  let key = ''
  while (key.length < keyLength) {
    for (const byte of random.bytes(keyLength)) {
      if (byte < fairBytes && key.length < keyLength) key += letters.charAt(byte % letters.length)
    }
  }
  return key
}
