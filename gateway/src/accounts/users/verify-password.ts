import { AppError } from '../../platform/app-error'
import { matchesHash } from './password-hash'

/** No password has this hash; checking against it takes as long as against a real one. */
export const unusableHash =
  '$argon2id$v=19$m=19456,t=2,p=1$DvXoHna2GRFACPvxQUx46aqpHf/6z+ybVcsK3S/sWPY$BLJN0Uf6kms1fSNMq+YFEXj0IZF1c+wyaj7ZRTUElPI'

/**
 * Resolves with whether a password matches a hash (argon2 or bcrypt). Without a hash the result is false, after the same work.
 * @throws AppError `gateway.busy`.
 */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  if (!hash) {
    await matchesHash(password, unusableHash)
    return false
  }
  return matchesHash(password, hash).catch((error: unknown) => {
    // A hash of an unknown kind matches no password.
    if (error instanceof AppError) throw error
    return false
  })
}

/** Made by another algorithm or with other parameters than ours. */
export const isOutdatedHash = (hash: string): boolean =>
  !hash.startsWith(unusableHash.slice(0, unusableHash.indexOf('p=1')))
