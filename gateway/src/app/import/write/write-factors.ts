import { base32Bytes, sealedTotpSecret } from '../../../accounts/factors/totp'
import type { SiteSource } from '../site-source'
import type { ImportTarget } from './import-target'

/** Imports authenticator apps and passkeys, which go on as they are. Passkeys work at the address where they were made. */
export async function writeFactors(source: SiteSource, target: ImportTarget): Promise<void> {
  for await (const factors of source.totpFactors())
    for (const { userId, secret, createdAt } of factors) {
      const bytes = base32Bytes(secret)
      if (!bytes) {
        target.report.note('authenticator apps whose secret cannot be read, left out', `user #${userId}`)
        continue
      }
      await target.transaction
        .insertInto('totp_factors')
        .values({
          user_id: userId,
          secret_sealed: sealedTotpSecret(target, userId, bytes),
          last_step: 0,
          created_at: createdAt ?? target.at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      target.report.count('authenticator apps')
    }
  await writePasskeys(source, target)
}

const base64Url = (text: string): string => Buffer.from(text, 'base64').toString('base64url')

async function writePasskeys(source: SiteSource, { transaction, report, at }: ImportTarget): Promise<void> {
  for await (const passkeys of source.passkeys())
    for (const passkey of passkeys) {
      await transaction
        .insertInto('passkeys')
        .values({
          credential_id: base64Url(passkey.credentialId),
          user_id: passkey.userId,
          // Unknown until it is used.
          user_handle: '',
          name: 'Passkey',
          public_key: base64Url(passkey.publicKey),
          counter: passkey.counter,
          transports: passkey.transports.filter((word) => /^[a-z-]+$/.test(word)).join(','),
          aaguid: '',
          is_backed_up: Number(passkey.isBackedUp),
          created_at: passkey.createdAt ?? at,
          last_used_at: passkey.usedAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      report.count('passkeys')
    }
}
