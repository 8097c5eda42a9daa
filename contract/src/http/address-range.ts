/** Returns whether a text is an IP address or a range of them: `10.0.0.1`, `::1`, `10.0.0.0/8`. Short and octal forms are refused: programs read them differently. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0) return false
  const maxPrefix = isFourParts(address) ? 32 : isColonForm(address) ? 128 : undefined
  if (maxPrefix === undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxPrefix)
}

const isFourParts = (text: string) =>
  /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255)

/** Whether this is the bracketed part of a web address. */
const isColonForm = (text: string) =>
  /^[\da-fA-F:.]+$/.test(text) && text.includes(':') && URL.canParse(`http://[${text}]`)
