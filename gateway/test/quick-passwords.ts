import { spyOn } from 'bun:test'

/**
 * Makes hashing passwords cheap in tests, most of which need an account: the real work takes up to a tenth of a second each time. Hashes
 * look like argon2id's with the same parameters, so that nothing renews them. Other processes cannot verify them. Loaded by `bunfig.toml`.
 */
const real = { hash: Bun.password.hash.bind(Bun.password), verify: Bun.password.verify.bind(Bun.password) }
/** No real hash has this salt. */
const salt = 'cXVpY2sgcGFzc3dvcmRzIQ'

const digestOf = (password: Bun.StringOrBuffer) =>
  new Bun.CryptoHasher('sha256').update(password).digest('base64').replace('=', '')

spyOn(Bun.password, 'hash').mockImplementation(async (password, algorithm) => {
  if (typeof algorithm !== 'object' || algorithm.algorithm !== 'argon2id') return real.hash(password, algorithm)
  const { memoryCost, timeCost } = algorithm
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${salt}$${digestOf(password)}`
})

spyOn(Bun.password, 'verify').mockImplementation(async (password, known, algorithm) => {
  const isQuick = typeof known === 'string' && known.includes(salt)
  return isQuick ? known.endsWith(`$${digestOf(password)}`) : real.verify(password, known, algorithm)
})
