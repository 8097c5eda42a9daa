import { isOptionKey, isSecretOption } from '@tollgate/contract'

import { secretColumns } from '../../channels/catalog/channel-secrets'

export type Path = readonly (string | number)[]

const columns: ReadonlySet<unknown> = new Set(secretColumns)

/** Returns whether the value at a path of the file is a secret, or may have secrets as its parts. */
export function isSecretPlace([section, name, member]: Path): 'whole' | 'part' | null {
  if (section === 'options')
    return typeof name === 'string' && isOptionKey(name) && isSecretOption(name) ? 'whole' : null
  if (section !== 'channels') return null
  return member === 'key' ? 'whole' : columns.has(member) ? 'part' : null
}
