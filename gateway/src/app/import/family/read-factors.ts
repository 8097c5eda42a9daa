import { z } from 'zod'

import { parsedJson } from '../../../platform/text/parsed-json'
import type { SourcePasskey, SourceTotp } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import { flag, int, seconds, text, trimmed } from '../source/values'

const TwoFactor = z.object({
  user_id: int,
  secret: trimmed,
  is_enabled: flag,
  created_at: seconds,
  deleted_at: seconds,
})

/** Yields the authenticator apps in use, which new-api alone has. */
export async function* readTotpFactors(source: ReadableTable): AsyncGenerator<readonly SourceTotp[]> {
  for await (const rows of readTable(source, { table: 'two_fas', key: 'user_id', schema: TwoFactor }))
    yield rows
      .filter(({ is_enabled: isInUse, deleted_at }) => isInUse && deleted_at === null)
      .map(({ user_id: userId, secret, created_at: createdAt }) => ({ userId, secret, createdAt }))
}

const Credential = z.object({
  id: int,
  user_id: int,
  credential_id: trimmed,
  public_key: trimmed,
  sign_count: int,
  transports: text,
  backup_state: flag,
  created_at: seconds,
  last_used_at: seconds,
  deleted_at: seconds,
})

/** Yields the passkeys, which new-api alone has. */
export async function* readPasskeys(source: ReadableTable): AsyncGenerator<readonly SourcePasskey[]> {
  for await (const rows of readTable(source, { table: 'passkey_credentials', key: 'id', schema: Credential }))
    yield rows
      .filter(({ deleted_at }) => deleted_at === null)
      .map((row) => ({
        userId: row.user_id,
        credentialId: row.credential_id,
        publicKey: row.public_key,
        counter: row.sign_count,
        transports: Transports.safeParse(parsedJson(row.transports)).data ?? [],
        isBackedUp: row.backup_state,
        createdAt: row.created_at,
        usedAt: row.last_used_at,
      }))
}

const Transports = z.array(z.string())
