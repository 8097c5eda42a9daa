import { tokenRoutes } from '@tollgate/contract'

const suffixLetters = 'abcdefghijkmnpqrstuvwxyz23456789'
const suffixLength = 6

/** Returns the names of a batch: the name itself, then the name with six random letters each. */
export function namesOf(name: string, count: number): string[] {
  const room = tokenRoutes.longestTokenName - suffixLength - 1
  const base = Array.from(name).slice(0, room).join('')
  const names = new Set([name])
  while (names.size < count) names.add(`${base}-${suffix()}`)
  return [...names]
}

const suffix = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(suffixLength)), (byte) =>
    suffixLetters.charAt(byte % suffixLetters.length),
  ).join('')
