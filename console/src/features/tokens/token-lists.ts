/** The texts in which a token keeps its lists. Pure. */

const partsOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Models a token is limited to. */
export const modelsOf = (limits: string): string[] => partsOf(limits, ',')

/** Addresses and ranges a token may be used from. */
export const addressesOf = (allowed: string): string[] => partsOf(allowed, '\n')

/** `10.0.0.1`, `::1`, `10.0.0.0/8`; as strict as the server. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0) return false
  const longest = isFourParts(address) ? 32 : isColonForm(address) ? 128 : undefined
  if (longest === undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
}

const isFourParts = (text: string) =>
  /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255)

/** What stands between brackets in an address of the web. */
const isColonForm = (text: string) =>
  /^[\da-fA-F:.]+$/.test(text) && text.includes(':') && URL.canParse(`http://[${text}]`)
