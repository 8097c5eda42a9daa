import { dlopen, FFIType, ptr } from 'bun:ffi'

/** A local address that neither accepts nor refuses connections: every connection attempt hangs. */
export interface BlackHole extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string
}

const loopback = '127.0.0.1'
const { i32, u32, ptr: pointer } = FFIType

/**
 * Opens a listener that never accepts and whose backlog is full, so the kernel leaves further connection attempts unanswered, as a dead
 * host would. Linux only.
 * @throws Error when the socket cannot be opened.
 */
export async function openBlackHole(): Promise<BlackHole> {
  const library = dlopen('libc.so.6', {
    socket: { args: [i32, i32, i32], returns: i32 },
    bind: { args: [i32, pointer, u32], returns: i32 },
    listen: { args: [i32, i32], returns: i32 },
    getsockname: { args: [i32, pointer, pointer], returns: i32 },
    close: { args: [i32], returns: i32 },
  })
  const { symbols } = library
  const inet = 2
  const streamClosedOnExec = 1 | 0o2000000
  const address = new Uint8Array([inet, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  const length = new Uint32Array([address.length])
  const descriptor = symbols.socket(inet, streamClosedOnExec, 0)
  if (symbols.bind(descriptor, ptr(address), address.length) !== 0 || symbols.listen(descriptor, 0) !== 0)
    throw new Error('A socket could not be bound')
  symbols.getsockname(descriptor, ptr(address), ptr(length))
  const port = new DataView(address.buffer).getUint16(2)
  // A backlog of 0 holds one connection.
  const filler = await Bun.connect({ hostname: loopback, port, socket: { data() {} } })
  return {
    url: `http://${loopback}:${port}`,
    async [Symbol.asyncDispose]() {
      filler.end()
      symbols.close(descriptor)
      library.close()
    },
  }
}
