import { connect } from 'node:net'

const announcedBytes = 200_000

/** Begins a call whose body never arrives as a whole. Resolves with what ends it. */
export function stallingCall(port: number, key: string): Promise<() => void> {
  const socket = connect(port, '127.0.0.1')
  // The gateway may be down, or cut it.
  socket.on('error', () => {})
  socket.resume()
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${announcedBytes}`,
  ]
  return new Promise((resolve) => {
    const leave = () => void socket.destroy()
    socket.once('close', () => resolve(leave))
    socket.write(`${head.join('\r\n')}\r\n\r\n{"model":"soak-chat","messages":[`, () => resolve(leave))
  })
}
