/** Speech is hardly ever compressed below 16 kilobits a second. */
export const minBytesPerSecond = 2000

/** Returns the longest duration in seconds that a recording can have. `data` is base64. */
export function maxSeconds(data: string): number {
  const bytes = (data.length * 3) / 4
  return bytes / (waveBytesPerSecond(data) ?? minBytesPerSecond)
}

/** Returns the rate in the header of a WAV file. */
function waveBytesPerSecond(data: string): number | null {
  const head = Buffer.from(data.slice(0, 48), 'base64')
  if (head.length < 36 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 16) !== 'WAVEfmt ')
    return null
  return Math.max(head.readUInt32LE(28), minBytesPerSecond)
}
