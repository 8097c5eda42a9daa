/** What names the owner of an account. */
export const ownerMembers = 'user|email|organization|organization_id|account|account_id'
const privateMembers = `${ownerMembers}|id|\\w+_id|\\w+Id|system_fingerprint`

/** Returns a text of JSON with the key, and the values of members that identify an account or a call, replaced. */
export function redact(text: string, key: string, members = privateMembers): string {
  const named = new RegExp(`"(${members})"(\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'g')
  return keyParts(key)
    .reduce((cleaned, part) => cleaned.replaceAll(part, 'key-1'), text)
    .replace(named, '"$1"$2"redacted"')
}

const minSecretLength = 6

/** A key may have several parts, of which a vendor repeats one; the longest first. */
const keyParts = (key: string): readonly string[] =>
  [key, ...key.split(/[|\s]/)].filter((part) => part.length >= minSecretLength)
