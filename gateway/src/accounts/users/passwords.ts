import { passwordLength } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { WorkQueue } from '../../platform/time/work-queue'

/** About 20 ms and 19 MB per sign-in: guessing stays expensive, and many at once do not exhaust a small machine. */
export const passwordHashing = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** A flood of sign-ins leaves the rest of the machine to others. */
const passwordWork = new WorkQueue({ running: 2, perKey: 2, waiting: 100 })

/**
 * Resolves with a password's hash (argon2id).
 * @throws AppError `user.password` unless it is as long as `passwordLength` says, in characters; `gateway.busy`.
 */
export async function hashedPassword(password: string): Promise<string> {
  const { length } = Array.from(password)
  if (length < passwordLength.min || length > passwordLength.max)
    throw new AppError('user.password', { params: passwordLength })
  return hashPassword(password, passwordHashing)
}

/** Resolves with a new hash. @throws AppError `gateway.busy`. */
export const hashPassword = (
  password: string,
  parameters: Exclude<Parameters<typeof Bun.password.hash>[1], undefined>,
): Promise<string> => passwordWork.run(() => Bun.password.hash(password, parameters))

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

/** Resolves with whether a password matches a hash. @throws AppError `gateway.busy`; Error for a hash of an unknown kind. */
const matchesHash = (password: string, hash: string): Promise<boolean> =>
  passwordWork.run(() => Bun.password.verify(password, hash))

/** Made by another algorithm or with other parameters than ours. */
export const isOutdatedHash = (hash: string): boolean =>
  !hash.startsWith(unusableHash.slice(0, unusableHash.indexOf('p=1')))
