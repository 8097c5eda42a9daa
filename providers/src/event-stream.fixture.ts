/** One message of Amazon's binary form, from headers that are text or from their bytes. */
export function eventMessage(headers: Readonly<Record<string, string>> | Uint8Array, payload: string): Uint8Array {
  const head = headers instanceof Uint8Array ? headers : Buffer.concat(Object.entries(headers).map(header))
  const body = Buffer.from(payload)
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(8 + 4 + head.length + body.length + 4, 0)
  prelude.writeUInt32BE(head.length, 4)
  const checked = Buffer.concat([prelude, checksum(prelude), head, body])
  return Buffer.concat([checked, checksum(checked)])
}

function header([name, value]: readonly [string, string]): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  const text = 7
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([text]),
    length,
    Buffer.from(value),
  ])
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(Bun.hash.crc32(bytes))
  return sum
}
